import Foundation
import Testing

/// The documented restoration of a backup, with the built executable.
struct RestoredBackupTests {
    private let folder = "/tmp/granary-backup-\(UUID().uuidString)"
    private let environment: [String: String]

    init() throws {
        environment = ["XDG_STATE_HOME": "\(folder)/home"]
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: "\(folder)/api.keys"))
    }

    private func granary(
        _ arguments: [String], in directory: String? = nil
    ) throws -> (status: Int32, standardOutput: String, standardError: String) {
        try GranaryProcess(arguments + flags(directory), environment: environment).outcome()
    }

    private func flags(_ directory: String?) -> [String] {
        ["--access.apiKeys", "\(folder)/api.keys"] + (directory.map { ["--sessions.state-directory", $0] } ?? [])
    }

    private func serve(in directory: String? = nil) throws -> (granary: GranaryProcess, url: String) {
        let granary = try GranaryProcess(
            ["serve", "--http.port", "0"] + flags(directory), environment: environment)
        return (granary, "http://\(try #require(granary.address()))")
    }

    /// Returns the status and the location of a new session.
    private func create(_ url: String, name: String? = nil, _ fields: [String]) throws -> String {
        let member = name.map { ",\"name\":\"\($0)\"" } ?? ""
        return try Curl.run(
            [
                "-o", "/dev/null", "-w", "%{http_code} %header{location}", "\(url)/v1/sessions", "-H",
                "Content-Type: application/json", "-d", "{\"machine\":\"counter\"\(member)}",
            ] + fields)
    }

    /// Creates an empty state directory with a backup as its database.
    private func restore(_ backup: String, as name: String) throws -> String {
        let directory = "\(folder)/\(name)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(atPath: backup, toPath: "\(directory)/journal.sqlite")
        return directory
    }

    private func content(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func `the owners of sessions find them in a restored backup, and a foreign key keeps it from being served`()
        async throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let key = try granary(["keys", "new", "reports"]).standardOutput.trimmingCharacters(in: .newlines)
        let owner = ["-H", "Authorization: Bearer \(key)"]
        let browser = ["-H", "Sec-Fetch-Site: same-origin", "-b", "\(folder)/cookies", "-c", "\(folder)/cookies"]
        let (server, url) = try serve()
        let owned = String(try create(url, owner).dropFirst(4))
        let named = String(try create(url, name: "main", browser).dropFirst(4))
        let input = "/inputs/increment"
        let answer = #"{"version":1,"changes":{"count":1}}"#
        #expect(try Curl.run(["-X", "POST", "\(url)\(owned)\(input)"] + owner) == answer)
        #expect(try Curl.run(["-X", "POST", "\(url)\(named)\(input)"] + browser) == answer)
        let backup = "\(folder)/backup.sqlite"
        let saved = try granary(["backup", backup])
        #expect(saved.standardOutput == "saved \(backup) with identity.key and signing.keys\n")
        #expect(server.end(with: SIGTERM).status == 0)

        let directory = try restore(backup, as: "restored")
        let checked = try granary(["sessions", "check"], in: directory)
        #expect(checked.standardOutput == "all stored sessions can be restored: 2\n", "\(checked.standardError)")
        let (second, secondURL) = try serve(in: directory)
        for name in ["identity.key", "signing.keys"] {
            let path = "\(directory)/\(name)"
            #expect(await second.logged(/key restored from the backup path=(\S+)\n/).map { String($0.1) } == path)
            #expect(try content(path) == content("\(folder)/home/granary/\(name)"))
        }
        #expect(try Curl.run(["\(secondURL)\(owned)/outputs?only=count"] + owner) == #"{"count":1}"#)
        #expect(try Curl.run(["-o", "/dev/null", "-w", "%{http_code}", "\(secondURL)\(owned)/outputs"]) == "404")
        #expect(try create(secondURL, name: "main", browser) == "200 \(named)")
        #expect(try Curl.run(["\(secondURL)\(named)/outputs?only=count"] + browser) == #"{"count":1}"#)
        #expect(second.end(with: SIGTERM).status == 0)
        try refuseForeignKey(backup, restored: directory)
    }

    /// Expects that a foreign key is refused, with the backup that no server has opened, and with the database of one that has.
    private func refuseForeignKey(_ backup: String, restored: String) throws {
        for directory in [try restore(backup, as: "foreign"), restored] {
            let file = "\(directory)/identity.key"
            try (String(repeating: "0b", count: 32) + "\n").write(toFile: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            for arguments in [["serve", "--http.port", "0"], ["sessions", "check"]] {
                let refused = try granary(arguments, in: directory)
                #expect(refused.status == 1)
                #expect(refused.standardError.contains("access.identityKey: expected "), "\(refused.standardError)")
                #expect(refused.standardError.contains(file), "\(refused.standardError)")
            }
        }
        // Missing, it is not replaced.
        let file = "\(restored)/identity.key"
        try FileManager.default.removeItem(atPath: file)
        let missing = try granary(["serve", "--http.port", "0"], in: restored)
        #expect(missing.status == 1 && missing.standardError.contains("in \(file), "), "\(missing.standardError)")
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
