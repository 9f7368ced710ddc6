import Access
import CLinux
import Glibc

/// A file with a random key, which the server creates in its state directory.
enum CreatedKeyFile {
    /// Returns the path of a key file in a directory, which is created if it does not exist.
    ///
    /// - Throws: If it cannot be created.
    static func path(_ name: String, in directory: String, key: String) throws(KeyFileError) -> String {
        let path = "\(directory)/\(name)"
        guard access(path, F_OK) != 0 else { return path }
        try create(directory, for: key)
        // Under another name first: a process that starts at the same time must not read half of a key.
        let draft = "\(path).\(getpid()).new"
        try write(draft, for: key)
        defer { unlink(draft) }
        // Fails if another process has created the file meanwhile. Then both use that one.
        guard link(draft, path) == 0 || errno == EEXIST else { throw failure(path, errno, key) }
        return path
    }

    private static func write(_ path: String, for key: String) throws(KeyFileError) {
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path, errno, key) }
        defer { close(descriptor) }
        var text = SecretBytes.random().withBytes { bytes in
            bytes.flatMap { byte in [digit(byte >> 4), digit(byte & 15)] } + [UInt8(ascii: "\n")]
        }
        defer { SecretBytes.erase(&text) }
        // A file of 65 bytes is written at once, or not at all.
        guard Glibc.write(descriptor, text, text.count) == text.count, fsync(descriptor) == 0 else {
            let error = errno
            unlink(path)
            throw failure(path, error, key)
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

    /// Creates a directory with the mode that the journal expects.
    private static func create(_ path: String, for key: String) throws(KeyFileError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.utf8.startIndex
        else { throw failure(path, errno, key) }
        try create(String(path[..<slash]), for: key)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(path, errno, key) }
    }

    private static func failure(_ path: String, _ error: Int32, _ key: String) -> KeyFileError {
        let reason = String(cString: granary_error_text(error)).lowercased()
        return KeyFileError("\(key): expected to create \(path), got: \(reason)")
    }
}
