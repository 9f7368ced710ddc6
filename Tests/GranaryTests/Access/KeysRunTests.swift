import Access
import Foundation
import Glibc
import Testing

@testable import Granary

/// The commands about API keys.
@Suite struct KeysRunTests {
    private final class Output {
        var printed: [String] = []
        var complaints: [String] = []
    }

    private let folder: KeyFolder

    init() throws { folder = try KeyFolder() }

    private func run(
        _ command: KeysCommand, _ name: String? = "api.keys"
    ) -> (status: Int32, printed: [String], complaints: [String]) {
        let output = Output()
        let run = KeysRun(
            path: name.map { "\(folder.path)/\($0)" } ?? "", print: { output.printed.append($0) },
            printError: { output.complaints.append($0) })
        return (run.run(command), output.printed, output.complaints)
    }

    @Test func `a new key is printed once, and its digest is stored in a private file`() throws {
        let (status, printed, complaints) = run(.new("reports"))
        #expect(status == 0 && complaints.isEmpty && printed.count == 1)
        let key = try #require(printed.first)
        #expect(key.hasPrefix("granary_") && key.utf8.count > 40)
        #expect(folder.mode(of: "api.keys") == 0o600)
        let text = try folder.text(of: "api.keys")
        #expect(text.hasPrefix("reports sha256:") && !text.contains(key))
        #expect(folder.names == ["api.keys"])
        #expect(run(.new("billing")).status == 0)
        #expect(run(.list).printed == ["reports", "billing"])
    }

    @Test func `a revoked key is removed, and comments stay`() throws {
        try folder.write("# services\n", to: "api.keys")
        #expect(run(.new("a")).status == 0 && run(.new("b")).status == 0)
        #expect(run(.revoke("a")).status == 0)
        #expect(run(.list).printed == ["b"])
        #expect(try folder.text(of: "api.keys").hasPrefix("# services\nb sha256:"))
    }

    @Test func `errors say what was expected and what was received`() throws {
        #expect(run(.list, nil).complaints == ["access.apiKeys: expected the path of a file, got none"])
        #expect(run(.list).complaints.first?.contains("got: no such file") == true)
        #expect(run(.revoke("a")).complaints.first?.contains("got: no such file") == true)
        #expect(folder.names.isEmpty)
        #expect(run(.new("a")).status == 0)
        #expect(run(.new("a")).complaints.first?.contains("Revoke its key first.") == true)
        #expect(run(.new("a b")).complaints.first?.contains("1 to 64 letters") == true)
        let unknown = run(.revoke("c"))
        #expect(unknown.status == 1 && unknown.printed.isEmpty)
        #expect(unknown.complaints.first?.hasSuffix("expected the name of a key (a), got \"c\"") == true)
        #expect(run(.new("b"), "missing/api.keys").status == 1)
        try folder.write("broken\n", to: "api.keys")
        #expect(run(.new("b")).complaints.first?.contains("Line 1") == true)
        #expect(try folder.text(of: "api.keys") == "broken\n")
    }

    @Test func `a symbolic link stays one`() throws {
        try folder.write("", to: "real")
        symlink("real", "\(folder.path)/api.keys")
        #expect(run(.new("a")).status == 0)
        #expect(try folder.text(of: "real").hasPrefix("a sha256:"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/api.keys") == "real")
    }

    @Test func `keys that are created at the same time all exist`() async throws {
        let path = "\(folder.path)/api.keys"
        let statuses = await withTaskGroup(of: Int32.self) { group in
            for number in 0..<16 {
                group.addTask { KeysRun(path: path, print: { _ in }, printError: { _ in }).run(.new("k\(number)")) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.allSatisfy { $0 == 0 })
        #expect(Set(run(.list).printed).count == 16)
        #expect(folder.names == ["api.keys"])
    }

    @Test func `the commands are recognized`() throws {
        func command(_ line: String) throws(UsageError) -> Command {
            try Command(arguments: line.split(separator: " ").map(String.init), table: .service)
        }
        #expect(try command("keys new a") == .keys(.new("a"), .init()))
        #expect(try command("keys list --config f") == .keys(.list, .init(file: "f")))
        #expect(try command("keys revoke a") == .keys(.revoke("a"), .init()))
        #expect(try command("keys --help") == .help)
        #expect(throws: UsageError(description: "keys requires one of new, list, revoke")) { try command("keys") }
        #expect(throws: UsageError(description: "keys new requires NAME")) { try command("keys new") }
        #expect(throws: UsageError(description: "no such command: keys lsit, did you mean list?")) {
            try command("keys lsit")
        }
        #expect(throws: UsageError(description: "keys: unexpected argument \"b\"")) { try command("keys new a b") }
    }
}
