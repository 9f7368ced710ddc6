import HTTPModel
import Locking
import MachineHost
import MachineTesting
import Testing

/// What the next process knows about an input that ended a process.
struct TrapTests {
    @Test func `the sender of an input that ended the process receives the incident`() throws {
        let host = try StoredHost()
        let (poisoned, other) = (host.makeSession(), host.makeSession())
        _ = host.send(.post, poisoned + "/inputs/increment")
        _ = host.send(.post, other + "/inputs/increment")
        _ = host.start(.post, poisoned + "/inputs/trap", key: "k")
        let next = try StoredHost(on: host.disk)
        let report = try #require(host.disk.traps.withLock { $0.first })
        #expect(report.machine == "scripted" && !report.isQuarantined)
        let again = next.send(.post, poisoned + "/inputs/trap", key: "k")
        #expect(again.status == 500)
        #expect(again.text.contains(report.incident))
        #expect(again.response?.fields.contains(.idempotencyReplayed) == true)
        #expect(again.response?.fields.value(.contentType) == "application/problem+json")
        // Both sessions are as they were before the input.
        for session in [poisoned, other] {
            #expect(
                next.send(.post, session + "/inputs/increment").text.hasPrefix(#"{"version":2,"changes":{"count":2"#))
        }
        // The incident is remembered as long as any other response, also by the process after the next.
        let third = try StoredHost(on: host.disk, after: 300)
        #expect(third.send(.post, poisoned + "/inputs/trap", key: "k").text == again.text)
        #expect(host.disk.traps.withLock { $0.count } == 1)
    }

    @Test func `the same key with another input is a mismatch`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        _ = host.start(.post, session + "/inputs/trap", key: "k")
        let next = try StoredHost(on: host.disk)
        #expect(next.send(.post, session + "/inputs/increment", key: "k").status == 422)
    }

    @Test func `a process that ended between turns has no incident`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        _ = host.start(.post, session + "/inputs/increment", key: "k")
        let next = try StoredHost(on: host.disk)
        #expect(host.disk.traps.withLock { $0.isEmpty })
        #expect(next.send(.post, session + "/inputs/increment", key: "k").text.hasPrefix(#"{"version":1"#))
    }

    @Test func `an input without a key is undone, too`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        _ = host.start(.post, session + "/inputs/increment", key: "k")
        host.store()
        _ = host.start(.post, session + "/inputs/trap")
        let next = try StoredHost(on: host.disk)
        // The key of the earlier request is not the trap's.
        #expect(next.send(.post, session + "/inputs/increment", key: "k").status == 200)
        #expect(next.send(.get, session + "/outputs").text.hasPrefix(#"{"count":1"#))
    }

    @Test func `a session that ends process after process is quarantined for an hour`() throws {
        let disk = TestDisk()
        let session = try StoredHost(on: disk).makeSession()
        for round in 0..<3 {
            let host = try StoredHost(on: disk, after: Int64(round) * 60)
            _ = host.send(.get, session)
            _ = host.start(.post, session + "/inputs/trap")
        }
        let host = try StoredHost(on: disk, after: 240)
        #expect(disk.traps.withLock { $0.map(\.isQuarantined) } == [false, false, true])
        let refused = host.send(.get, session)
        #expect(refused.status == 503)
        #expect(refused.response?.fields.value(.retryAfter).flatMap { Int($0) }.map { $0 <= 3600 && $0 > 3400 } == true)
        #expect(host.send(.post, session + "/inputs/increment").status == 503)
        let later = try StoredHost(on: disk, after: 240 + 3600)
        #expect(later.send(.get, session).status == 200)
    }

    @Test func `a deleted session has no incident`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        _ = host.start(.post, session + "/inputs/trap")
        _ = host.send(.delete, session)
        _ = try StoredHost(on: host.disk)
        #expect(host.disk.traps.withLock { $0.isEmpty })
    }
}
