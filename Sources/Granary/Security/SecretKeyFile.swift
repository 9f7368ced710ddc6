import CLinux
import FoundationEssentials
import Glibc
import MachineHost

/// The file with the keys that encrypt stored sessions.
///
/// Each line is a key: 32 random bytes as 64 hexadecimal digits or in base64. Empty lines and lines that begin with `#` are
/// ignored. The first key encrypts, and all of them decrypt. So a key is replaced by a new one before it.
enum SecretKeyFile {
    private static let largest = 64 << 10

    /// Reads the keys.
    ///
    /// - Throws: ``SecretKeyFileError`` if the file cannot be read, others may access it, or a line is not a key. The error
    ///   contains nothing of the line.
    static func read(_ path: String) throws(SecretKeyFileError) -> SecretKeys {
        var keys: [SecretKey] = []
        let lines = try content(of: path).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let text = line.trimmingPrefix(while: \.isWhitespace)
            let word = text.prefix { !$0.isWhitespace }
            if word.isEmpty || word.first == "#" { continue }
            guard text.dropFirst(word.count).allSatisfy(\.isWhitespace), let key = key(String(word)) else {
                throw SecretKeyFileError(
                    "sessions.keyFile: expected a key of \(SecretKey.byteCount) bytes as 64 hexadecimal digits or in base64 "
                        + "in line \(index + 1) of \(path), got something else")
            }
            keys.append(key)
        }
        guard let keys = SecretKeys(keys) else {
            throw SecretKeyFileError(
                "sessions.keyFile: expected a key in \(path), got none; `openssl rand -hex 32` prints one")
        }
        return keys
    }

    private static func key(_ word: String) -> SecretKey? {
        if word.utf8.count == 2 * SecretKey.byteCount { return SecretKey(bytes: hexadecimal(word)) }
        let padding = String(repeating: "=", count: (4 - word.utf8.count % 4) % 4)
        return Data(base64Encoded: word + padding).flatMap { SecretKey(bytes: Array($0)) }
    }

    /// Returns fewer bytes than expected if a character is not a hexadecimal digit.
    private static func hexadecimal(_ word: String) -> [UInt8] {
        let digits = word.compactMap(\.hexDigitValue)
        guard digits.count == word.utf8.count else { return [] }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private static func content(of path: String) throws(SecretKeyFileError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SecretKeyFileError("sessions.keyFile: expected a file, got \(path), which is something else")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw SecretKeyFileError(
                "sessions.keyFile: expected a file that only its owner may access (mode 0600 or 0400), got mode "
                    + "0\(String(status.st_mode & 0o777, radix: 8)) of \(path)")
        }
        guard status.st_size <= largest else {
            throw SecretKeyFileError(
                "sessions.keyFile: expected a file of at most \(largest) bytes, got \(status.st_size) bytes in \(path)")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var count = 0
        while count < bytes.count {
            let read = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw unreadable(path, errno) }
            if read == 0 { break }
            count += read
        }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private static func unreadable(_ path: String, _ error: Int32) -> SecretKeyFileError {
        let reason = String(cString: granary_error_text(error)).lowercased()
        return SecretKeyFileError("sessions.keyFile: expected to read \(path), got: \(reason)")
    }
}

/// The reason why the keys of stored sessions cannot be used.
struct SecretKeyFileError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension Configuration {
    /// Reads the keys that encrypt stored sessions; nil if there are none.
    func secretKeys() throws(SecretKeyFileError) -> SecretKeys? {
        storage.keyFile.isEmpty ? sessions.secretKeys : try SecretKeyFile.read(storage.keyFile)
    }

    /// Returns the configuration of the host, with the keys.
    func host() throws(SecretKeyFileError) -> HostConfiguration {
        var host = sessions
        host.secretKeys = try secretKeys()
        return host
    }
}
