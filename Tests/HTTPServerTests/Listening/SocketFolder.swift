import Glibc

/// A temporary folder for the sockets of one test, which is removed with its content.
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

    /// Returns the path of a file in the folder.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// The names of the files in the folder.
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

    /// Returns the permissions of a file in the folder.
    func mode(_ name: String) -> UInt32 {
        var status = stat()
        return stat(self(name), &status) == 0 ? UInt32(status.st_mode) & 0o777 : 0
    }
}

struct SocketFolderError: Error {
    let number: Int32
}
