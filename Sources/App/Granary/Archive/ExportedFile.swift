import Foundation
import Glibc

/// A file that `sessions export` has written.
enum ExportedFile {
    /// The size above which a file is not read.
    // A session's snapshot and the turns after it are a few hundred kilobytes, unless its outputs are large.
    static let maxBytes = 256 << 20

    static func text(of path: String) throws(OperatorError) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw OperatorError("expected to read \(path), got: \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw OperatorError("expected \(path) to be a file, got a directory or a device")
        }
        guard status.st_size <= maxBytes else {
            throw OperatorError(
                "expected \(path) to be an exported session of at most \(maxBytes >> 20) MiB, got \(status.st_size >> 20) MiB"
            )
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw OperatorError("expected to read \(path), got: \(String(cString: strerror(errno)))")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
