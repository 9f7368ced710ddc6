import Access
import CLinux
import Glibc

/// A file with keys that the server creates in its state directory.
enum CreatedKeyFile {
    /// Returns the path of a key file in a directory. Both are created if they do not exist, the file with a random key.
    ///
    /// - Throws: If it cannot be created.
    static func path(_ name: String, in directory: String, key: String) throws(OperatorError) -> String {
        // If another process creates it meanwhile, both use that one.
        _ = try create(name, in: directory, key: key) { text(of: .random()) }
        return "\(directory)/\(name)"
    }

    /// Returns the content of a file with one key.
    static func text(of secret: SecretBytes) -> SecretBytes {
        var text = secret.withBytes { bytes in
            bytes.flatMap { byte in [digit(byte >> 4), digit(byte & 15)] } + [UInt8(ascii: "\n")]
        }
        return SecretBytes(moving: &text)
    }

    /// Creates a key file in a directory, which is created if it does not exist. The file is on the disk afterwards.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - key: The configuration key, for messages.
    ///   - content: Returns the content. Called only if the file does not exist.
    /// - Returns: Whether the file was created. A file that exists stays unchanged.
    /// - Throws: If it cannot be created.
    static func create(
        _ name: String, in directory: String, key: String, content: () -> SecretBytes
    ) throws(OperatorError) -> Bool {
        let path = "\(directory)/\(name)"
        guard access(path, F_OK) != 0 else { return false }
        try create(directory, for: key)
        // Under another name first: a process that starts at the same time must not read half of a key.
        let draft = "\(path).\(getpid()).new"
        try write(content(), to: draft, for: key)
        defer { unlink(draft) }
        guard link(draft, path) == 0 else {
            guard errno == EEXIST else { throw failure(path, errno, key) }
            return false
        }
        // The name, too: what is stored with the key is lost without it.
        try synchronize(directory, for: key)
        return true
    }

    private static func write(_ content: SecretBytes, to path: String, for key: String) throws(OperatorError) {
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path, errno, key) }
        defer { close(descriptor) }
        let isWritten = content.withBytes { $0.write(to: descriptor) }
        guard isWritten, fsync(descriptor) == 0 else {
            let error = errno
            unlink(path)
            throw failure(path, error, key)
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

    /// Creates a directory with the mode that the journal expects.
    private static func create(_ path: String, for key: String) throws(OperatorError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.utf8.startIndex
        else { throw failure(path, errno, key) }
        try create(String(path[..<slash]), for: key)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(path, errno, key) }
    }

    /// Flushes the names in a directory to the disk.
    ///
    /// - Throws: If that fails.
    static func synchronize(_ directory: String, for key: String) throws(OperatorError) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(directory, errno, key, to: "open") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(directory, errno, key, to: "flush") }
    }

    private static func failure(
        _ path: String, _ error: Int32, _ key: String, to action: String = "create"
    ) -> OperatorError {
        OperatorError(key, expectedTo: "\(action) \(path)", error)
    }
}
