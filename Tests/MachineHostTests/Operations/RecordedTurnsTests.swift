import HTTPModel
import MachineTesting
import StateCapture
import Testing

@testable import MachineHost

struct RecordedTurnsTests {
    private let machine: MachineDefinition = {
        var machine = ScriptedMachine.definition(
            outputs: ["text"], inputs: ["say": { machine, value in machine.set("text", to: value) }],
            made: { $0.set("text", to: "\"\"") })
        machine.captureObstacles = []
        return machine
    }()

    /// Returns a stored session in which something was said.
    private func entry(saying texts: [String], snapshotEvery turns: Int = .max) throws -> JournalEntry {
        var configuration = HostConfiguration()
        configuration.turnsPerSnapshot = turns
        let host = try RestartableHost([machine], configuration: configuration)
        let session = host.harness.makeSession(of: machine.name)
        for text in texts { _ = host.send(.post, session + "/inputs/say", body: "\"\(text)\"") }
        return try ExportedSession(try host.recording(of: session)).entry
    }

    private func described(_ turns: inout RecordedTurns, isRevealed: Bool) throws -> [StateValue] {
        var found: [StateValue] = []
        while let turn = try turns.next() {
            found.append(
                TurnDescription(turn, after: turns.former, ValueDisclosure(machine, isRevealed: isRevealed)).json)
        }
        return found
    }

    @Test func `turns follow each other with what was before`() throws {
        var turns = try RecordedTurns(try entry(saying: ["a", "b"]))
        #expect(turns.count == 2 && turns.firstVersion == 0)
        let found = try described(&turns, isRevealed: true)
        #expect(found.map { $0["version"] } == [1, 2])
        #expect(
            found[1]["changes"] == [["name": "text", "bytes": 3, "value": "b", "former": "a"]])
        #expect(found[1]["trigger"] == ["kind": "input", "name": "say", "bytes": 3, "value": "b"])
        #expect(turns.session.version == 2)
    }

    @Test func `the changes before the last snapshot are known, and no turns`() throws {
        let turns = try RecordedTurns(try entry(saying: ["a", "b", "c"], snapshotEvery: 2))
        #expect(turns.count == 1 && turns.firstVersion == 2)
        #expect(turns.earlier.map(\.version) == [1, 2])
        #expect(turns.earlier.map { String(decoding: $0.data, as: UTF8.self) } == [#"{"text":"a"}"#, #"{"text":"b"}"#])
    }

    @Test func `hidden values are in no part of a turn`() throws {
        var turns = try RecordedTurns(try entry(saying: ["private"]))
        let text = String(decoding: StateValue.array(try described(&turns, isRevealed: false)).json, as: UTF8.self)
        #expect(text.contains("\"text\"") && !text.contains("private"))
    }

    @Test func `a version is reached, or known to be out of reach`() throws {
        let entry = try entry(saying: ["a", "b", "c"])
        for (version, expected) in [(0, "\"\""), (2, "\"b\""), (3, "\"c\"")] as [(UInt64, String)] {
            var turns = try RecordedTurns(entry)
            try turns.advance(to: version, named: "x")
            #expect(turns.session.shown["text"].map { String(decoding: $0, as: UTF8.self) } == expected)
        }
        var turns = try RecordedTurns(entry)
        #expect(throws: ArchiveError.noVersion(4, name: "x", stored: 0...3)) { try turns.advance(to: 4, named: "x") }
        var all = try RecordedTurns(entry)
        try all.advance(to: nil, named: "x")
        #expect(all.session.version == 3)
    }

    @Test func `a query admits sessions by what their summaries say`() {
        let summary = SessionSummary(
            id: StoredSessionID(high: 0xABCD << 48, low: 1), machine: "a", version: 1, createdAt: 10_000,
            usedAt: 50_000,
            expiresAt: nil, wakesAt: nil, hasEnded: false)
        func admits(_ change: (inout SessionQuery) -> Void) -> Bool {
            var query = SessionQuery()
            change(&query)
            return query.admits(summary, now: 70_000)
        }
        #expect(admits { _ in })
        #expect(admits { $0.beginning = "abcd" } && !admits { $0.beginning = "abce" })
        #expect(admits { $0.machine = "a" } && !admits { $0.machine = "b" })
        #expect(admits { $0.olderThan = .seconds(60) } && !admits { $0.olderThan = .seconds(61) })
        #expect(!admits { $0.youngerThan = .seconds(60) } && admits { $0.youngerThan = .seconds(61) })
        #expect(admits { $0.unusedFor = .seconds(20) } && !admits { $0.unusedFor = .seconds(21) })
        #expect(!admits { $0.principal = "0011223344556677" })
    }
}
