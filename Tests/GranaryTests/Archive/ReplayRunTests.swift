import Foundation
import Glibc
import HTTPModel
import Locking
import MachineHost
import MachineTesting
import Testing

@testable import Granary

/// The command `replay`.
struct ReplayRunTests {
    private let path = "/tmp/granary-\(UUID().uuidString).json"

    private func machine(_ name: String = "counter", step: Int = 1) -> MachineDefinition {
        var definition = ScriptedMachine.definition(
            name, outputs: ["count"],
            inputs: ["add": { machine, value in machine.set("count", to: "\((Int(value) ?? 0) * step)") }])
        definition.captureObstacles = []
        return definition
    }

    private func record(_ machine: MachineDefinition) throws {
        let host = try RestartableHost([machine])
        let session = host.harness.makeSession(of: machine.name)
        for value in 1...3 { _ = host.send(.post, session + "/inputs/add", body: "\(value)") }
        try host.recording(of: session).write(toFile: path, atomically: true, encoding: .utf8)
    }

    private func run(
        machine name: String? = nil, keys: SecretKeys? = nil, _ machines: [MachineDefinition]
    ) -> (status: Int32, output: String, errors: String) {
        let (output, errors) = (Lock(""), Lock(""))
        let status = ReplayRun(
            file: path, machine: name, keys: { keys }, print: { text in output.withLock { $0 += text + "\n" } },
            printError: { text in errors.withLock { $0 += text + "\n" } }
        )
        .run(HostConfiguration()) { machines }
        return (status, output.withLock { $0 }, errors.withLock { $0 })
    }

    @Test func `a recording that begins with a snapshot is replayed from its version`() throws {
        defer { remove() }
        var configuration = HostConfiguration()
        configuration.turnsPerSnapshot = 2
        let host = try RestartableHost([machine()], configuration: configuration)
        let session = host.harness.makeSession(of: "counter")
        for value in 1...3 { _ = host.send(.post, session + "/inputs/add", body: "\(value)") }
        let recording = try host.recording(of: session)
        #expect(recording.contains(#""beginsAt":2"#))
        try recording.write(toFile: path, atomically: true, encoding: .utf8)
        let result = run([machine()])
        #expect(result.errors == "")
        #expect(
            result.output == """
                1  2026-01-01T00:00:00Z  add 3  -> 3 {"count":3}
                replayed from the snapshot of version 2, turns: 1, differences: none

                """)
    }

    @Test func `an encrypted recording is replayed with its key, which is named if it is missing`() throws {
        defer { remove() }
        let key = SecretKey(bytes: (0..<32).map { UInt8($0) })
        let keys = try #require(key.flatMap { SecretKeys([$0]) })
        var secret = machine()
        secret.secrets = ["count"]
        var configuration = HostConfiguration()
        configuration.secretKeys = keys
        let host = try RestartableHost([secret], configuration: configuration)
        let session = host.harness.makeSession(of: "counter")
        for value in 1...3 { _ = host.send(.post, session + "/inputs/add", body: "\(value)") }
        let recording = try host.recording(of: session)
        #expect(!recording.contains("beginsAt"))
        try recording.write(toFile: path, atomically: true, encoding: .utf8)
        let closed = run([secret])
        #expect(closed.status == 2)
        #expect(closed.errors.contains("expected the key "))
        #expect(closed.errors.contains("with which the session is encrypted, got other keys or none"))
        let opened = run(keys: keys, [secret])
        #expect(opened.errors == "")
        #expect(opened.output.hasSuffix("replayed from its creation, turns: 3, differences: none\n"))
        #expect(opened.status == 0)
    }

    private func remove() { try? FileManager.default.removeItem(atPath: path) }

    @Test func `the turns are printed, and the status is 0 without a difference`() throws {
        defer { remove() }
        try record(machine())
        let result = run(machine: "counter", [machine("other"), machine()])
        #expect(result.errors == "")
        #expect(
            result.output == """
                1  2026-01-01T00:00:00Z  add 1  -> 1 {"count":1}
                2  2026-01-01T00:00:00Z  add 2  -> 2 {"count":2}
                3  2026-01-01T00:00:00Z  add 3  -> 3 {"count":3}
                replayed from its creation, turns: 3, differences: none

                """)
        #expect(result.status == 0)
    }

    @Test func `the first difference is printed, and the status is 1`() throws {
        defer { remove() }
        try record(machine())
        let result = run([machine(step: -1)])
        #expect(result.output == "")
        #expect(
            result.errors == """
                replayed from its creation, turns without a difference: 0
                turn 1 differs: expected the change {"count":1}, got {"count":-1}
                  recorded: 1  2026-01-01T00:00:00Z  add 1  -> 1 {"count":1}

                """)
        #expect(result.status == 1)
    }

    @Test func `a recording that cannot be replayed gives status 2 and the reason`() throws {
        defer { remove() }
        #expect(run([machine()]).errors.contains("expected to read \(path), got: No such file"))
        try record(machine())
        let named = run(machine: "other", [machine("other"), machine()])
        #expect(named.errors == "\(path): expected a session of the machine \"other\", got one of \"counter\"\n")
        #expect(named.status == 2)
        let unknown = run([machine("other")])
        #expect(
            unknown.errors == "\(path): expected a session of one of the machines \"other\", got one of \"counter\"\n")
        #expect(unknown.status == 2)
        try "{".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(run([machine()]).errors.contains("it is another file, or not complete"))
        #expect(run([machine()]).status == 2)
    }

    @Test func `a huge file is refused before it is read`() throws {
        defer { remove() }
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        #expect(truncate(path, 1 << 30) == 0)
        let result = run([machine()])
        #expect(result.errors.contains("expected \(path) to be an exported session of at most 256 MiB, got 1024 MiB"))
        #expect(result.status == 2)
    }

    @Test func `a directory is not a recording`() {
        let result = ReplayRun(file: "/tmp", machine: nil, print: { _ in }, printError: { _ in })
            .run(HostConfiguration()) { [] }
        #expect(result == 2)
    }

    @Test func `the command takes a file and a machine`() throws {
        func command(_ line: String) throws(UsageError) -> Command {
            try Command(arguments: line.split(separator: " ").map(String.init), table: .service)
        }
        #expect(try command("replay a.json") == .replay(file: "a.json", machine: nil, .init()))
        #expect(try command("replay a.json --machine counter") == .replay(file: "a.json", machine: "counter", .init()))
        #expect(
            try command("replay --machine=counter a.json --http.port 1")
                == .replay(
                    file: "a.json", machine: "counter", .init(flags: [.init(name: "http.port", value: "1")])))
        #expect(try command("replay --help") == .help)
        #expect(throws: UsageError(description: "replay requires FILE")) { try command("replay") }
    }
}
