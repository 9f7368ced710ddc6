import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// Sessions whose stored bytes have changed, so that the journal does not return them.
struct DamagedSessionTests {
    private let disk = TestDisk()

    private func damage(_ session: String) throws -> StoredSessionID {
        let id = StoredSessionID(of: try #require(SessionID(text: String(session.dropFirst("/v1/sessions/".count)))))
        disk.damaged.withLock { _ = $0.insert(id) }
        return id
    }

    private func summary(_ id: StoredSessionID) throws -> SessionSummary {
        try #require(disk.content.withLock { $0.summary(of: id) })
    }

    @Test func `a damaged session is refused and kept, and the others continue`() throws {
        let host = try StoredHost(on: disk)
        let (session, other) = (host.makeSession(), host.makeSession())
        for path in [session, other] { _ = host.send(.post, path + "/inputs/increment") }
        let id = try damage(session)
        let next = try StoredHost(on: disk)
        let answer = next.send(.get, session)
        #expect(answer.status == 503 && answer.text.contains("cannot be read") && answer.text.contains("incident"))
        #expect(next.send(.post, session + "/inputs/increment").status == 503)
        #expect(next.send(.post, other + "/inputs/increment").text.hasPrefix(#"{"version":2"#))
        disk.damaged.withLock { _ = $0.remove(id) }
        #expect(next.send(.post, session + "/inputs/increment").text.hasPrefix(#"{"version":2"#))
    }

    @Test(arguments: [0, 1, 3, UInt64.max])
    func `rows whose versions do not count the changes are damaged`(_ version: UInt64) throws {
        let host = try StoredHost(on: disk)
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/increment")
        let id = StoredSessionID(of: try #require(SessionID(text: String(session.dropFirst("/v1/sessions/".count)))))
        var entry = try #require(disk.content.withLock { $0.load(id) })
        #expect(try StoredSession(entry).version == 1)
        var record = TurnRecord(time: 1, version: version)
        record.change = Array(#"{"count":2}"#.utf8)[...]
        var row: [UInt8] = []
        record.append(to: &row)
        entry.rows.append(JournalEntry.Row(number: 99, wakesAt: nil, content: row))
        #expect(throws: RecordReader.Damaged.self) { try StoredSession(entry) }
    }

    @Test func `a damaged session that has expired is kept and postponed`() throws {
        let host = try StoredHost(on: disk) { $0.idleExpiry = .seconds(60) }
        let id = try damage(host.makeSession())
        let next = try StoredHost(on: disk, after: 120) { $0.idleExpiry = .seconds(60) }
        next.advance(by: 90)
        #expect(try !summary(id).hasEnded)
        #expect(try #require(try summary(id).expiresAt) > next.harness.shard.clock.storedMilliseconds)
        // It is not looked up again and again until then.
        let loads = disk.loads.withLock { $0 }
        next.advance(by: 20)
        #expect(disk.loads.withLock { $0 } <= loads + 1)
    }

    @Test func `a damaged session with a timer is tried again a minute later`() throws {
        let host = try StoredHost(on: disk)
        let session = host.makeSession(of: "typist")
        _ = host.send(.post, session + "/inputs/type", body: #""hello""#)
        let id = try damage(session)
        let next = try StoredHost(on: disk, after: 10)
        next.advance(by: 2)
        #expect(try #require(try summary(id).wakesAt) > next.harness.shard.clock.storedMilliseconds)
        disk.damaged.withLock { _ = $0.remove(id) }
        next.advance(by: 70)
        #expect(next.send(.get, session + "/outputs").text == #"{"text":"hello"}"#)
    }

    @Test func `a damaged session that has ended the process keeps no other from being restored`() throws {
        let host = try StoredHost(on: disk)
        let (session, other) = (host.makeSession(), host.makeSession())
        _ = host.start(.post, session + "/inputs/trap")
        _ = try damage(session)
        let next = try StoredHost(on: disk)
        #expect(disk.failures.withLock { $0 } == [])
        #expect(next.send(.post, other + "/inputs/increment").status == 200)
        #expect(next.send(.get, session).status == 503)
    }
}
