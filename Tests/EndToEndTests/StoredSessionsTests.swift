import Foundation
import Testing

/// Stored sessions of the built executable, and the commands about them.
struct StoredSessionsTests {
    private let home = GranaryProcess.newStateHome()
    private var environment: [String: String] { ["XDG_STATE_HOME": home] }

    private func serve(_ flags: [String] = []) throws -> (granary: GranaryProcess, url: String) {
        let granary = try GranaryProcess(["serve", "--http.port", "0"] + flags, environment: environment)
        return (granary, "http://\(try #require(granary.address()))")
    }

    private func granary(
        _ arguments: String...
    ) throws -> (status: Int32, standardOutput: String, standardError: String) {
        try GranaryProcess(arguments, environment: environment).outcome()
    }

    private func create(_ url: String, key: String? = nil) throws -> String {
        let field = key.map { ["-H", "Idempotency-Key: \($0)"] } ?? []
        return try Curl.run(
            [
                "-o", "/dev/null", "-w", "%header{location}", "\(url)/v1/sessions", "-H",
                "Content-Type: application/json",
                "-d", #"{"machine":"counter"}"#,
            ] + field)
    }

    private func increment(_ url: String, _ session: String) throws -> String {
        try Curl.run(["-X", "POST", "\(url)\(session)/inputs/increment"])
    }

    private func status(_ url: String) throws -> String {
        try Curl.run(["-o", "/dev/null", "-w", "%{http_code}", url])
    }

    private func id(_ session: String) -> String { String(session.suffix(22)) }

    @Test func `a session and the key of its creation survive kill -9`() throws {
        let key = "0b54b8a8-f3a1-4f2c-9f6e"
        let first = try serve()
        let session = try create(first.url, key: key)
        #expect(try increment(first.url, session) == #"{"version":1,"changes":{"count":1}}"#)
        _ = first.granary.end(with: SIGKILL)
        let second = try serve()
        #expect(try create(second.url, key: key) == session)
        #expect(
            try Curl.run(["\(second.url)\(session)"]).contains(#""version":1,"durability":"disk","outputs":{"count":1"#)
        )
        #expect(try increment(second.url, session) == #"{"version":2,"changes":{"count":2}}"#)
        #expect(second.granary.end(with: SIGTERM).status == 0)
    }

    @Test func `the commands work with a running server`() throws {
        let (server, url) = try serve()
        let session = try create(url)
        for _ in 0..<3 { _ = try increment(url, session) }
        let list = try granary("sessions", "list").standardOutput
        #expect(list.contains("  counter  created "))
        let short = String(list.prefix(12))
        #expect(!list.contains(id(session)))
        for name in [id(session), short] {
            let shown = try granary("sessions", "show", name).standardOutput
            #expect(shown.contains("  count  3\n"))
        }
        let fork = try granary("sessions", "fork", id(session), "--at", "2").standardOutput
            .trimmingCharacters(in: .newlines)
        #expect(try increment(url, "/v1/sessions/\(fork)") == #"{"version":3,"changes":{"count":3}}"#)
        let file = "\(home)/exported.json"
        try Data(try granary("sessions", "export", short).standardOutput.utf8).write(to: URL(filePath: file))
        #expect(try granary("sessions", "import", file).status == 1)
        #expect(try granary("sessions", "delete", short).standardOutput == "deleted\n")
        #expect(try status("\(url)\(session)") == "410")
        #expect(try granary("sessions", "check").standardOutput == "all stored sessions can be restored: 1\n")
        #expect(server.end(with: SIGTERM).status == 0)
    }

    @Test func `the commands work without a server, and an imported session continues`() throws {
        let (server, url) = try serve()
        let session = try create(url)
        for _ in 0..<2 { _ = try increment(url, session) }
        #expect(server.end(with: SIGTERM).status == 0)
        let file = "\(home)/exported.json"
        try Data(try granary("sessions", "export", id(session)).standardOutput.utf8).write(to: URL(filePath: file))
        #expect(try granary("sessions", "delete", id(session)).status == 0)
        #expect(try granary("sessions", "list").standardOutput == "")
        #expect(try granary("sessions", "import", file).status == 0)
        #expect(try granary("sessions", "check").standardOutput == "all stored sessions can be restored: 1\n")
        let again = try serve()
        #expect(try increment(again.url, session) == #"{"version":3,"changes":{"count":3}}"#)
        #expect(again.granary.end(with: SIGTERM).status == 0)
    }

    @Test func `a backup of a running server can be served`() throws {
        let (server, url) = try serve()
        let session = try create(url)
        _ = try increment(url, session)
        let copy = "\(home)/copy"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: copy)
        #expect(try granary("backup", "\(copy)/journal.sqlite").status == 0)
        _ = try increment(url, session)
        let other = try serve(["--sessions.state-directory", copy])
        #expect(try increment(other.url, session) == #"{"version":2,"changes":{"count":2}}"#)
        #expect(other.granary.end(with: SIGTERM).status == 0)
        #expect(server.end(with: SIGTERM).status == 0)
    }

    @Test func `a second server on one directory names the first`() throws {
        let (server, _) = try serve()
        let outcome = try granary("serve", "--http.port", "0")
        #expect(outcome.status == 1)
        #expect(outcome.standardError.contains("but it is held by process \(server.process.processIdentifier) on "))
        #expect(server.end(with: SIGTERM).status == 0)
    }

    @Test func `a directory that cannot be written is reported`() throws {
        let outcome = try granary("serve", "--http.port", "0", "--sessions.state-directory", "/proc/granary")
        #expect(outcome.status == 1)
        #expect(outcome.standardError.contains("expected to create /proc/granary"))
        #expect(outcome.standardError.split(separator: "\n").count == 1)
    }

    @Test func `a server below its reserve of free space is not ready and refuses inputs`() throws {
        let (server, url) = try serve(["--sessions.disk-reserve", "1048576MiB"])
        #expect(try status("\(url)/health/ready") == "503")
        let answer = try Curl.run([
            "\(url)/v1/sessions", "-H", "Content-Type: application/json", "-d", #"{"machine":"counter"}"#,
        ])
        #expect(answer.contains("/problems/disk-full"))
        #expect(server.end(with: SIGTERM).status == 0)
    }

    @Test(arguments: [["-wal"], ["", "-wal"]])
    func `an input that goes into removed files is not acknowledged, and the server ends`(suffixes: [String]) throws {
        let (server, url) = try serve()
        let session = try create(url)
        for _ in 0..<3 { _ = try increment(url, session) }
        let database = "\(home)/granary/journal.sqlite"
        for suffix in suffixes { try FileManager.default.removeItem(atPath: database + suffix) }
        #expect(try increment(url, session) == "")
        let outcome = server.outcome()
        #expect(outcome.status == 74)
        let log = outcome.standardError
        #expect(log.contains("sessions cannot be stored; the process ends"), "\(log)")
        #expect(log.contains("expected \(database)\(suffixes[0]) to be the open file"), "\(log)")
        let next = try serve()
        if suffixes.contains("") {
            #expect(try status("\(next.url)\(session)") == "404")
        } else {
            // The input without a response was refused before it was written.
            #expect(try increment(next.url, session) == #"{"version":4,"changes":{"count":4}}"#)
        }
        #expect(next.granary.end(with: SIGTERM).status == 0)
        let warns = next.granary.outcome().standardError.contains("has no database; the server begins without sessions")
        #expect(warns == suffixes.contains(""))
    }

    @Test func `a log that was removed after a crash is reported`() throws {
        let first = try serve()
        let session = try create(first.url)
        #expect(first.granary.end(with: SIGTERM).status == 0)
        let second = try serve()
        _ = try increment(second.url, session)
        _ = second.granary.end(with: SIGKILL)
        try FileManager.default.removeItem(atPath: "\(home)/granary/journal.sqlite-wal")
        let third = try serve()
        #expect(try Curl.run(["\(third.url)\(session)"]).contains(#""version":0,"#))
        #expect(third.granary.end(with: SIGTERM).status == 0)
        #expect(third.granary.outcome().standardError.contains("the log of the database is missing; unless sqlite3"))
    }

    @Test func `after a log was cut, sessions have new epochs, and no version from before matches`() throws {
        let first = try serve()
        let session = try create(first.url)
        #expect(first.granary.end(with: SIGTERM).status == 0)
        let second = try serve()
        for _ in 0..<3 { _ = try increment(second.url, session) }
        _ = second.granary.end(with: SIGKILL)
        let log = try #require(FileHandle(forWritingAtPath: "\(home)/granary/journal.sqlite-wal"))
        // One page is left.
        try log.truncate(atOffset: 32 + 24 + 4096)
        try log.close()
        let third = try serve()
        for condition in ["0", "3"] {
            let field = ["-H", "If-None-Match: \"\(condition)\"", "-o", "/dev/null", "-w", "%{http_code}"]
            #expect(try Curl.run(["\(third.url)\(session)"] + field) == "200")
        }
        #expect(third.granary.end(with: SIGTERM).status == 0)
        #expect(third.granary.outcome().standardError.contains("the log of the database was cut or damaged"))
        // It is reported once, and a restart keeps the epochs.
        let fourth = try serve()
        #expect(try Curl.run(["\(fourth.url)\(session)"]).contains(#""version":0,"#))
        #expect(fourth.granary.end(with: SIGTERM).status == 0)
        #expect(!fourth.granary.outcome().standardError.contains("new epochs"))
    }

    @Test func `a directory that was restored from a copy is reported`() throws {
        let first = try serve()
        let session = try create(first.url)
        #expect(first.granary.end(with: SIGTERM).status == 0)
        let directory = "\(home)/granary"
        try FileManager.default.copyItem(atPath: directory, toPath: "\(home)/copy")
        let second = try serve()
        _ = try increment(second.url, session)
        #expect(second.granary.end(with: SIGTERM).status == 0)
        try FileManager.default.removeItem(atPath: directory)
        try FileManager.default.moveItem(atPath: "\(home)/copy", toPath: directory)
        let third = try serve()
        #expect(try Curl.run(["\(third.url)\(session)"]).contains(#""version":0,"#))
        #expect(third.granary.end(with: SIGTERM).status == 0)
        #expect(third.granary.outcome().standardError.contains("the state directory is a copy, or was restored"))
    }

    @Test func `the log of the start has the sizes and ages of what is stored`() async throws {
        let (first, url) = try serve()
        _ = try create(url)
        #expect(first.end(with: SIGTERM).status == 0)
        let second = try serve()
        let line = try #require(
            await second.granary.logged(/sessions opened directory=.* sessions=1 rows=0 bytes=\d+ .*\n/))
        #expect(line.contains("oldest-use="))
        #expect(second.granary.end(with: SIGTERM).status == 0)
    }
}
