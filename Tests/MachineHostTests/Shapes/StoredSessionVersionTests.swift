import StateCapture
import Testing

@testable import MachineHost

/// Which build can continue which stored session, without a host.
struct StoredSessionVersionTests {
    private struct Failure: Error {}

    private func machine(_ version: Int, _ migrations: [Int: StateMigration] = [:]) -> MachineDefinition {
        counter().versioned(version, migrations: migrations)
    }

    private func session(version: Int = 1) -> StoredSession {
        var session = StoredSession(
            machine: "scripted", epoch: Epoch(bits: 5), created: 100, lastInput: 200, version: 7)
        session.states = ["store.0.count": Array("3".utf8)[...]]
        session.shown = ["count": Array("3".utf8)[...]]
        session.changes = [StoredSession.Change(version: 7, data: Array("{}".utf8)[...])]
        session.stateVersion = version
        return session
    }

    private let double: StateMigration = { state in
        try state.change("store.count") { .number("\(($0.integer ?? 0) * 2)") }
    }

    @Test func `a session of the same version stays unchanged`() throws {
        var stored = session()
        #expect(try stored.makeCompatible(with: machine(1), build: "b", now: 0, window: 10) == .unchanged)
        #expect(stored == session())
    }

    @Test func `an older session is migrated step by step, and its pre-migration state is kept`() throws {
        var stored = session()
        let rename: StateMigration = { $0.move("store.count", to: "store.total") }
        #expect(
            try stored.makeCompatible(with: machine(3, [1: double, 2: rename]), build: "b", now: 1000, window: 10)
                == .migrated)
        #expect(stored.states == ["store.0.total": Array("6".utf8)[...]])
        #expect(stored.stateVersion == 3)
        #expect(stored.build == "b")
        #expect(stored.version == 7 && stored.epoch == Epoch(bits: 5) && stored.changes.count == 1)
        #expect(stored.preMigrationState?.until == 1010)
        #expect(stored.preMigrationState?.stateVersion == 1)
        #expect(try stored.preMigrationState.map { try StoredSession($0.content) } == session())
    }

    @Test func `an older build puts a migrated session back, in a new epoch`() throws {
        var stored = session()
        _ = try stored.makeCompatible(with: machine(2, [1: double]), build: "new", now: 1000, window: 10)
        stored.version = 9
        stored.keyed = [
            StoredSession.Keyed(
                key: RequestDigest(low: 1, high: 2), request: RequestDigest(low: 3, high: 4), response: [], time: 1005)
        ]
        let migrated = stored
        #expect(try stored.makeCompatible(with: machine(1), build: "old", now: 1009, window: 10) == .reverted)
        #expect(stored.states == session().states)
        #expect(stored.stateVersion == 1)
        #expect(stored.epoch != migrated.epoch && stored.firstGeneration != migrated.firstGeneration)
        #expect(stored.version == 10)
        #expect(stored.changes.isEmpty)
        #expect(stored.keyed == migrated.keyed)
    }

    @Test func `a build between two migrations puts back the first and runs none of the second`() throws {
        var stored = session()
        _ = try stored.makeCompatible(with: machine(2, [1: double]), build: "", now: 0, window: 10)
        _ = try stored.makeCompatible(with: machine(3, [2: double]), build: "", now: 1, window: 10)
        #expect(stored.states["store.0.count"] == Array("12".utf8)[...])
        var older = stored
        #expect(try older.makeCompatible(with: machine(2, [1: double]), build: "", now: 2, window: 10) == .reverted)
        #expect(older.states["store.0.count"] == Array("6".utf8)[...])
        #expect(try stored.makeCompatible(with: machine(1), build: "", now: 2, window: 10) == .reverted)
        #expect(stored.states["store.0.count"] == Array("3".utf8)[...])
    }

    @Test func `a newer session without its pre-migration state stays as it is`() throws {
        var stored = session(version: 2)
        stored.build = "new"
        #expect(throws: UnreadableSession.newer(version: 2, known: 1, build: "new")) {
            try stored.makeCompatible(with: machine(1), build: "old", now: 0, window: 10)
        }
        var migrated = session()
        _ = try migrated.makeCompatible(with: machine(2, [1: double]), build: "new", now: 1000, window: 10)
        let before = migrated
        #expect(throws: UnreadableSession.newer(version: 2, known: 1, build: "new")) {
            try migrated.makeCompatible(with: machine(1), build: "old", now: 1010, window: 10)
        }
        #expect(migrated == before)
    }

    @Test func `a missing or failing migration leaves the session as it is`() throws {
        var stored = session()
        #expect(throws: UnreadableSession.noMigration(from: 1)) {
            try stored.makeCompatible(with: machine(2), build: "", now: 0, window: 10)
        }
        let failing: StateMigration = { state in
            state.set("store.count", to: nil)
            throw Failure()
        }
        #expect(throws: UnreadableSession.self) {
            try stored.makeCompatible(with: machine(2, [1: failing]), build: "", now: 0, window: 10)
        }
        #expect(stored == session())
        #expect(!machine(2, [1: failing]).canContinue(stored, now: 0))
        #expect(machine(2, [1: double]).canContinue(stored, now: 0))
    }

    @Test func `a session is read as it was written`() throws {
        var stored = session()
        _ = try stored.makeCompatible(with: machine(2, [1: double]), build: "granary 2", now: 1000, window: 10)
        stored.shape = RequestDigest(low: 1, high: .max)
        #expect(try StoredSession(stored.content[...]) == stored)
        stored.forgetPreMigrationState(now: 1009)
        #expect(stored.preMigrationState != nil)
        stored.forgetPreMigrationState(now: 1010)
        #expect(stored.preMigrationState == nil)
    }
}
