import CLinux
import FoundationEssentials
import Glibc

/// A small file with keys, and the configuration key that names it.
struct KeyFile: Sendable {
    private static let maxBytes = 1 << 20
    private static let secretByteCount = 32

    let path: String
    /// The configuration key, for messages.
    let key: String

    /// Returns the secrets of a file that only its owner may access, in the order of the file.
    ///
    /// Each line is a secret: 32 random bytes as 64 hexadecimal digits or in base64. Empty lines and lines that begin with
    /// `#` are ignored.
    ///
    /// - Throws: If the file cannot be read, others may access it, a line is not a secret, or there are none. The error
    ///   contains nothing of the line.
    func secrets() throws(OperatorError) -> [[UInt8]] { try secrets(in: try content(isPrivate: true)) }

    /// Returns the secrets in the content of the file.
    ///
    /// - Throws: If a line is not a secret, or there are none. The error contains nothing of the line.
    func secrets(in content: [UInt8]) throws(OperatorError) -> [[UInt8]] {
        var secrets: [[UInt8]] = []
        let text = String(decoding: content, as: UTF8.self)
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let word = words.first, !word.hasPrefix("#") else { continue }
            guard words.count == 1, let secret = KeyFile.secret(String(word)) else {
                throw OperatorError(
                    "\(key): expected a key of \(KeyFile.secretByteCount) bytes as 64 hexadecimal digits or in base64 in "
                        + "line \(index + 1) of \(path), got something else")
            }
            secrets.append(secret)
        }
        guard !secrets.isEmpty else {
            throw OperatorError("\(key): expected a key in \(path), got none; `openssl rand -hex 32` prints one")
        }
        return secrets
    }

    private static func secret(_ word: String) -> [UInt8]? {
        if word.utf8.count == 2 * secretByteCount {
            let digits = word.compactMap(\.hexDigitValue)
            guard digits.count == word.utf8.count else { return nil }
            return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        }
        let padding = String(repeating: "=", count: (4 - word.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: word + padding), data.count == secretByteCount else { return nil }
        return Array(data)
    }

    /// Returns the bytes of the file.
    ///
    /// - Parameter isPrivate: Whether only its owner may access the file.
    /// - Throws: If it cannot be read, is not a file, is too large, or is not private.
    func content(isPrivate: Bool) throws(OperatorError) -> [UInt8] {
        // Not blocking, because the path may name a pipe.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw OperatorError("\(key): expected a file, got \(path), which is something else")
        }
        if isPrivate { try requirePrivate(mode: status.st_mode) }
        guard status.st_size <= KeyFile.maxBytes else {
            throw OperatorError(
                "\(key): expected a file of at most \(KeyFile.maxBytes) bytes, got \(status.st_size) bytes in \(path)")
        }
        return try bytes(of: descriptor, count: Int(status.st_size))
    }

    /// Throws if others than the owner may access the file.
    func requirePrivate() throws(OperatorError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw unreadable(errno) }
        try requirePrivate(mode: status.st_mode)
    }

    private func requirePrivate(mode: mode_t) throws(OperatorError) {
        guard mode & 0o077 != 0 else { return }
        throw OperatorError(
            "\(key): expected a file that only its owner may access (mode 0600 or 0400), got mode "
                + "0\(String(mode & 0o777, radix: 8)) of \(path)")
    }

    private func bytes(of descriptor: Int32, count size: Int) throws(OperatorError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        var count = 0
        while count < bytes.count {
            let read = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw unreadable(errno) }
            if read == 0 { break }
            count += read
        }
        return Array(bytes.prefix(count))
    }

    private func unreadable(_ error: Int32) -> OperatorError {
        OperatorError(key, expectedTo: "read \(path)", error)
    }
}
