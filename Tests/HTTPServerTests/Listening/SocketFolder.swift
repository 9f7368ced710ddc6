import Glibc

/// A folder for the sockets of one test, gone with what is in it.
final class SocketFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/granary-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw SocketFolderError(number: errno) }
        path = String(cString: made)
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// The path of a file in it.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// What is in it.
    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// The permissions of a file in it.
    func mode(_ name: String) -> UInt32 {
        var status = stat()
        return stat(self(name), &status) == 0 ? UInt32(status.st_mode) & 0o777 : 0
    }
}

struct SocketFolderError: Error {
    let number: Int32
}
