import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// Snapshots that a session in memory writes itself.
@Suite struct LiveSnapshotTests {
    /// Returns the only stored session as the next process would find it, without what differs between two sessions.
    private func stored(_ host: StoredHost) throws -> (session: StoredSession, rows: Int) {
        let entry = try #require(host.disk.entries.first)
        var stored = try StoredSession(entry)
        stored.epoch = Epoch(bits: 0)
        stored.keyed = stored.keyed.map {
            let digest = RequestDigest(low: 0, high: 0)
            return StoredSession.Keyed(key: digest, request: digest, response: $0.response, time: $0.time)
        }
        return (stored, entry.rows.count)
    }

    private func run(_ host: StoredHost) {
        let session = host.makeSession()
        for number in 0..<20 {
            _ = host.send(.post, session + "/inputs/increment")
            _ = host.send(.post, session + "/inputs/increment", key: "k\(number)")
            host.advance(by: 1)
        }
        // Less than the interval between two snapshots.
        _ = host.send(.post, session + "/inputs/increment")
    }

    @Test func `a snapshot of a session in memory contains what the rows contain`() throws {
        let host = try StoredHost { $0.turnsPerSnapshot = 4 }
        let other = try StoredHost { $0.turnsPerSnapshot = .max }
        run(host)
        run(other)
        let (snapshot, rows) = (try stored(host), try stored(other))
        #expect(snapshot.session == rows.session)
        #expect(snapshot.rows == 1 && rows.rows == 41)
    }

    @Test func `sessions are stored as a whole together, and none waits for many turns`() throws {
        let host = try StoredHost { $0.turnsPerSnapshot = 16 }
        let sessions = (0..<8).map { _ in host.makeSession() }
        func send(_ count: Int, to session: String) {
            for _ in 0..<count { _ = host.send(.post, session + "/inputs/increment") }
        }
        func rows() -> [Int] { host.disk.entries.map(\.rows.count).sorted() }
        for session in sessions.dropLast() { send(17, to: session) }
        #expect(rows() == [0] + [Int](repeating: 17, count: 7))
        send(16, to: sessions[7])
        #expect(rows() == [Int](repeating: 0, count: 8))
        send(17, to: sessions[3])
        // One that has ended since is not stored again.
        send(17, to: sessions[4])
        _ = host.send(.delete, sessions[4])
        #expect(rows().last == 17)
        send(1, to: sessions[3])
        #expect(rows() == [Int](repeating: 0, count: 8))
        #expect(host.send(.get, sessions[4]).status == 410)
    }

    @Test func `a session that is stored because of another one has no states ahead of its outputs`() throws {
        let machines = Lock<[Unconfined]>([])
        let definition = counter { machine in
            ScriptedState.capture(machine)
            machines.withLock { $0.append(Unconfined(machine: machine)) }
        }
        let host = try StoredHost(of: definition) { $0.turnsPerSnapshot = 16 }
        let waiting = host.makeSession()
        let board = try #require(host.harness.session(at: waiting)?.board)
        let machine = try #require(machines.withLock { $0.first { $0.machine?.outputs === board } })
        let other = host.makeSession()
        for session in [waiting, other] {
            for _ in 0..<17 { _ = host.send(.post, session + "/inputs/increment") }
        }
        // Outside of a turn, which the next round of the loop begins.
        machine.machine?.set("count", to: "99")
        _ = host.send(.post, other + "/inputs/increment")
        #expect(host.disk.entries.map(\.rows.count) == [0, 0])
        for entry in host.disk.entries {
            let snapshot = try StoredSession(entry)
            let shown = String(decoding: try #require(snapshot.shown["count"]), as: UTF8.self)
            let states = snapshot.states.values.map { String(decoding: $0, as: UTF8.self) }
            #expect(states.contains { $0.contains("\"count\":\"\(shown)\"") }, "\(shown), \(states)")
        }
        #expect(host.send(.get, waiting).text.contains("\"count\":99"))
        // Neither before the loop has received what another thread has sent.
        onAnotherThread { machine.send("7") }
        #expect(board.awaitsTurn)
        host.store()
        #expect(!board.awaitsTurn)
    }

    @Test func `a session that a snapshot has stored continues`() throws {
        let host = try StoredHost { $0.turnsPerSnapshot = 4 }
        let session = host.makeSession()
        for number in 0..<8 { _ = host.send(.post, session + "/inputs/increment", key: "k\(number)") }
        let next = try StoredHost(on: host.disk) { $0.turnsPerSnapshot = 4 }
        #expect(next.send(.post, session + "/inputs/increment", key: "k7").text.hasPrefix(#"{"version":8"#))
        #expect(next.send(.post, session + "/inputs/increment", key: "k8").text.hasPrefix(#"{"version":9"#))
        for number in 9..<12 { _ = next.send(.post, session + "/inputs/increment", key: "k\(number)") }
        let last = try StoredHost(on: host.disk)
        #expect(last.send(.post, session + "/inputs/increment", key: "k8").text.hasPrefix(#"{"version":9"#))
        #expect(last.send(.get, session).text.contains(#""version":12"#))
    }

    @Test func `the writer makes the snapshots of a session that has ended a process`() throws {
        let host = try StoredHost { $0.turnsPerSnapshot = 4 }
        let session = host.makeSession()
        let entry = try #require(host.disk.entries.first)
        var trapped = TurnRecord(time: 1, version: 0)
        trapped.hasTrapped = true
        host.disk.content.withLock { content in
            var batch = JournalBatch()
            let last = entry.snapshot?.covers ?? 0
            let id = entry.snapshot?.summary.id ?? StoredSessionID(high: 0, low: 0)
            batch.append(session: id, number: last + 1, previous: last, wakesAt: nil) { trapped.append(to: &$0) }
            content.apply(batch)
        }
        let next = try StoredHost(on: host.disk) { $0.turnsPerSnapshot = 4 }
        for _ in 0..<9 { _ = next.send(.post, session + "/inputs/increment") }
        #expect(try stored(next).session.traps.times == [1])
        #expect(try stored(next).rows < 4)
    }
}

/// A machine that its session owns.
///
/// Sendable because another thread only sends a value that is transferred.
private struct Unconfined: @unchecked Sendable {
    weak var machine: ScriptedMachine?

    func send(_ count: String) {
        machine?.outputs.perform { machine?.set("count", to: count) }
    }
}
