import Foundation
import Testing

/// A copy of the built executable in a folder of its own, so that a test can replace it.
struct ReplaceableProgram {
    /// The folder of the program.
    let folder: URL
    /// The path of the program.
    var path: String { folder.appending(path: "granary").path() }

    /// Creates the folder and installs the built executable.
    init() throws {
        folder = URL(filePath: "/tmp/granary-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try install()
    }

    /// Installs the built executable again.
    func install() throws { try install(try Data(contentsOf: GranaryProcess.binary)) }

    /// Replaces the program atomically, like a deployment.
    func install(_ content: Data) throws {
        let next = folder.appending(path: "next")
        try content.write(to: next)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: next.path())
        try #require(rename(next.path(), path) == 0)
    }

    /// Installs a program that behaves like a new server up to a point. The channel to the old server is its descriptor 3.
    func install(script lines: String) throws { try install(Data("#!/bin/sh\n\(lines)\n".utf8)) }

    /// Removes the folder.
    func remove() throws { try FileManager.default.removeItem(at: folder) }
}

extension GranaryProcess {
    /// Waits until a new server has taken over, and returns its process ID. Fails if the takeover does.
    func successor() async throws -> Int32 {
        let line = try #require(await logged(/new server has taken over pid=(\d+)\n|takeover failed.*\n/))
        return try #require(line.1.flatMap { Int32($0) }, "\(line.0)")
    }
}
