import Testing

@testable import Granary

struct SessionsCommandTests {
    private func command(_ arguments: [String]) throws(UsageError) -> Command {
        try Command(arguments: arguments, table: .service)
    }

    @Test func `every command about sessions is recognized`() throws {
        let expected: [(String, SessionsCommand)] = [
            ("sessions list", .list), ("sessions check", .check), ("sessions show abc", .show("abc")),
            ("sessions export abc", .export("abc")), ("sessions import a.json", .importing(file: "a.json")),
            ("sessions delete abc", .delete("abc")), ("sessions fork abc", .fork("abc", at: nil)),
            ("sessions fork abc --at 7", .fork("abc", at: 7)), ("sessions fork abc --at=7", .fork("abc", at: 7)),
            ("backup a.sqlite", .backUp(file: "a.sqlite")),
        ]
        for (line, parsed) in expected {
            #expect(try command(line.split(separator: " ").map(String.init)) == .sessions(parsed, .init()), "\(line)")
        }
    }

    @Test func `an id may begin with hyphens, and flags may follow`() throws {
        #expect(
            try command(["sessions", "show", "--abc", "--http.port", "1"])
                == .sessions(.show("--abc"), .init(flags: [.init(name: "http.port", value: "1")])))
        #expect(
            try command(["sessions", "fork", "-x", "--http.port", "1", "--at", "2"])
                == .sessions(.fork("-x", at: 2), .init(flags: [.init(name: "http.port", value: "1")])))
    }

    @Test(arguments: [
        (["sessions"], "sessions requires one of list, show, export, import, fork, release, delete, check"),
        (["sessions", "show"], "sessions show requires ID"),
        (["sessions", "shwo", "x"], "no such command: sessions shwo, did you mean show?"),
        (["sessions", "fork", "x", "--at", "y"], "--at: expected a version, which is a whole number, got \"y\""),
        (["sessions", "list", "x"], "sessions: unexpected argument \"x\""),
        (["backup"], "backup requires FILE"),
    ])
    func `an invalid command says what was expected`(arguments: [String], message: String) {
        #expect(throws: UsageError(description: message)) { try command(arguments) }
    }

    @Test(arguments: [
        ["sessions", "--help"], ["sessions", "list", "-h"], ["backup", "--help"], ["backup", "x", "--help"],
    ])
    func `help is recognized`(arguments: [String]) throws {
        #expect(try command(arguments) == .help)
    }

    @Test func `the help lists the commands`() {
        let help = Usage.text(program: "service", table: .service)
        for name in SessionsCommand.names { #expect(help.contains(name), "\(name)") }
        #expect(help.contains("service backup FILE"))
    }
}
