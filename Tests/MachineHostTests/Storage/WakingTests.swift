import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// Sessions with timers in the next process.
struct WakingTests {
    @Test func `a timer wakes a session that no client asks for`() throws {
        let host = try StoredHost()
        let session = host.makeSession(of: "typist")
        _ = host.send(.post, session + "/inputs/type", body: #""hello""#)
        host.advance(by: 2)
        let next = try StoredHost(on: host.disk, after: 3)
        #expect(next.harness.host.sessionCount == 0)
        next.advance(by: 1)
        #expect(next.harness.host.sessionCount == 0)
        next.advance(by: 2)
        #expect(next.harness.host.sessionCount == 1)
        // The client, which nobody knew when the session woke, finds it.
        let answer = next.send(.get, session + "/outputs")
        #expect(answer.text == #"{"text":"hello"}"#)
        #expect(answer.response?.fields.value(.eTag)?.hasSuffix(#".1""#) == true)
        #expect(next.harness.host.sessionCount == 1)
        #expect(next.send(.post, session + "/inputs/type", body: #""more""#).text == #"{"version":1,"changes":{}}"#)
    }

    @Test func `a timer that became due between two processes fires at once`() throws {
        let host = try StoredHost()
        let session = host.makeSession(of: "typist")
        _ = host.send(.post, session + "/inputs/type", body: #""hello""#)
        let next = try StoredHost(on: host.disk, after: 3600)
        // A second for the lookup, and one for the timer.
        next.advance(by: 2)
        #expect(next.send(.get, session + "/outputs").text == #"{"text":"hello"}"#)
    }

    @Test func `sessions that expired while the server was down are not in the way of a timer`() throws {
        let definition = MachineDefinition.timing { [$0.timer("slow", every: .seconds(4000))] }
        let host = try StoredHost(of: definition) {
            $0.maxSessionsPerClient = nil
            $0.maxNewSessionsPerClient = nil
        }
        for _ in 0..<1000 { _ = host.makeSession(of: "typist") }
        host.advance(by: 1)
        _ = host.makeSession()
        let next = try StoredHost(on: host.disk, after: 7200, of: definition)
        next.advance(by: 3)
        #expect(next.harness.host.sessionCount == 1)
    }

    @Test func `a request that names a session while a timer wakes it meets the same session`() throws {
        let host = try StoredHost()
        let session = host.makeSession(of: "typist")
        _ = host.send(.post, session + "/inputs/type", body: #""hello""#)
        let next = try StoredHost(on: host.disk, after: 3600)
        let answer = next.start(.get, session + "/outputs")
        next.advance(by: 2)
        #expect(answer.status == 200)
        #expect(next.harness.host.sessionCount == 1)
        #expect(next.send(.get, session + "/outputs").text == #"{"text":"hello"}"#)
    }

    @Test func `a snapshot keeps the time at which its session wakes`() throws {
        let host = try StoredHost()
        let session = host.makeSession(of: "typist")
        // More rows than a snapshot waits for, and time for the new one.
        for _ in 0..<300 { _ = host.start(.post, session + "/inputs/type", body: #""hello""#) }
        host.advance(by: 1)
        #expect(host.disk.rows < 256)
        let next = try StoredHost(on: host.disk, after: 2)
        next.advance(by: 6)
        #expect(next.harness.host.sessionCount == 1)
        #expect(next.send(.get, session + "/outputs").text == #"{"text":"hello"}"#)
    }

    @Test func `a session in memory that is due is looked up once, and wakes in the next process`() throws {
        let host = try StoredHost()
        let session = host.makeSession(of: "typist")
        _ = host.send(.post, session + "/inputs/type", body: #""hello""#)
        let second = try StoredHost(on: host.disk, after: 2)
        _ = second.send(.get, session)
        // The timer fires, and another one follows, while the session is in memory.
        second.advance(by: 6)
        _ = second.send(.post, session + "/inputs/type", body: #""again""#)
        second.advance(by: 2)
        let due = second.disk.content.withLock { $0.sessions(dueAt: .max, limit: 9) }
        #expect(due.map(\.wakesAt) == [nil])
        let third = try StoredHost(on: second.disk, after: 20)
        third.advance(by: 2)
        #expect(third.send(.get, session + "/outputs").text == #"{"text":"again"}"#)
    }

    @Test func `a session whose snapshot the journal has renewed still wakes after it was postponed`() throws {
        let host = try StoredHost()
        let path = host.makeSession(of: "typist")
        _ = host.send(.post, path + "/inputs/type", body: #""hello""#)
        let session = try #require(host.harness.shard.sessions.storedValues.first)
        host.writer.withJournal { [writer = host.writer, id = session.storedID, disk = host.disk] journal in
            do {
                if let journal { try writer.renewSnapshot(of: id, in: journal) }
            } catch {
                disk.failures.withLock { $0.append("\(error)") }
            }
        }
        host.store()
        host.harness.shard.journal?.postpone(session)
        host.store()
        #expect(host.disk.failures.withLock { $0 } == [])
        let next = try StoredHost(on: host.disk, after: 6)
        next.advance(by: 2)
        #expect(next.harness.host.sessionCount == 1)
        #expect(next.send(.get, path + "/outputs").text == #"{"text":"hello"}"#)
    }

    @Test func `sessions that expire together share their flushes`() throws {
        let host = try StoredHost { $0.idleExpiry = .seconds(60) }
        let sessions = (0..<300).map { _ in host.makeSession() }
        // A row after the snapshot, so that each of them must be read.
        for session in sessions { _ = host.send(.post, session + "/inputs/increment") }
        let next = try StoredHost(on: host.disk, after: 600) { $0.idleExpiry = .seconds(60) }
        let before = next.disk.commits.withLock { $0 }
        next.advance(by: 120)
        let summaries = next.disk.content.withLock { $0.sessions(after: nil, limit: .max) }
        #expect(summaries.count == 300 && summaries.allSatisfy(\.hasEnded))
        // Two for each 64 sessions, and some for those that are postponed first.
        #expect(next.disk.commits.withLock { $0 } - before <= 40)
    }

    @Test func `a timer does not keep a session from expiring`() throws {
        let host = try StoredHost { $0.idleExpiry = .seconds(60) }
        let session = host.makeSession(of: "typist")
        _ = host.send(.post, session + "/inputs/type", body: #""hello""#)
        let next = try StoredHost(on: host.disk, after: 40) { $0.idleExpiry = .seconds(60) }
        next.advance(by: 10)
        #expect(next.harness.host.sessionCount == 1)
        next.advance(by: 52)
        #expect(next.harness.host.sessionCount == 0)
        #expect(next.send(.get, session).status == 410)
    }
}
