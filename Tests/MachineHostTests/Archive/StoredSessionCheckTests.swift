import MachineTesting
import StateCapture
import Testing

@testable import MachineHost

struct StoredSessionCheckTests {
    /// A machine whose member is a number.
    private final class Store {
        var count = 0
    }

    private func machine(_ version: Int = 1, _ migrations: [Int: StateMigration] = [:]) -> MachineDefinition {
        var machine = counter { machine in
            let store = Store()
            StateRegistry.current?.registerMembers(of: store, named: "store")
            machine.whenEnded = { withExtendedLifetime(store) {} }
        }
        machine.captureObstacles = []
        machine.stateShape = StateShape(["store.0.count": "Int"])
        return machine.versioned(version, migrations: migrations)
    }

    private func journal(count: String, version: Int = 1, machine: String = "scripted") throws -> MemoryJournal {
        let journal = MemoryJournal()
        var session = StoredSession(
            machine: machine, epoch: Epoch(bits: 5), created: 1_767_225_000, lastInput: 0, version: 2)
        session.states = ["store.0.count": Array(count.utf8)[...]]
        session.stateVersion = version
        let summary = SessionSummary(
            id: StoredSessionID(high: 1 << 60, low: 1), machine: machine, version: 2, createdAt: 0, usedAt: 0,
            expiresAt: nil, wakesAt: nil, hasEnded: false)
        var batch = JournalBatch()
        batch.add(.store(SessionSnapshot(summary: summary, covers: 0, content: session.content)))
        try journal.commit(batch, isFlushed: true)
        return journal
    }

    @Test func `a session that can be restored is no problem`() throws {
        let check = try StoredSessionCheck(of: journal(count: "3"), machines: [machine()])
        #expect(check.sessions == 1)
        #expect(check.problems == [])
    }

    @Test func `a member that cannot be decoded is named, without its value`() throws {
        let check = try StoredSessionCheck(of: journal(count: "\"secret\""), machines: [machine()])
        #expect(
            check.problems == [
                "100000000000 (scripted): expected stored values of the members' types, got others for store.0.count"
            ])
    }

    @Test func `migrations are run on copies`() throws {
        let journal = try journal(count: "\"3\"")
        let before = try journal.load(StoredSessionID(high: 1 << 60, low: 1))
        let toNumber: StateMigration = { state in
            try state.change("store.count") { .number($0.text ?? "") }
        }
        let check = try StoredSessionCheck(of: journal, machines: [machine(2, [1: toNumber])])
        #expect(check.problems == [])
        #expect(try journal.load(StoredSessionID(high: 1 << 60, low: 1)) == before)
        let missing = try StoredSessionCheck(of: journal, machines: [machine(2)])
        #expect(missing.problems == ["100000000000 (scripted): expected a migration from version 1, got none"])
    }

    @Test func `newer states, unknown machines and damaged content are problems`() throws {
        let newer = try StoredSessionCheck(of: journal(count: "3", version: 2), machines: [machine()])
        #expect(
            newer.problems == ["100000000000 (scripted): expected a state of version 1 or older, got version 2"])
        let unknown = try StoredSessionCheck(of: journal(count: "3", machine: "other"), machines: [machine()])
        #expect(unknown.problems == ["100000000000 (other): no machine has this name"])
        let damaged = try journal(count: "3")
        let summary = try #require(try damaged.sessions(after: nil, limit: 1).first)
        var batch = JournalBatch()
        batch.add(.store(SessionSnapshot(summary: summary, covers: 0, content: [1, 2])))
        try damaged.commit(batch, isFlushed: true)
        let check = try StoredSessionCheck(of: damaged, machines: [machine()])
        #expect(check.problems == ["100000000000 (scripted): the stored session is damaged"])
    }

    @Test func `a shape that changed without a new version is a problem`() throws {
        let journal = try journal(count: "3")
        var old = machine()
        old.stateShape = StateShape(["store.0.count": "String"])
        try MachineCatalogue([old], stored: .disk).checkShapes(in: journal)
        let check = try StoredSessionCheck(of: journal, machines: [machine()])
        #expect(check.problems.first?.contains("the shape of its state changed, the version did not") == true)
    }
}
