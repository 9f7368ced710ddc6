import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// Combined streams of stored sessions: those that sleep, those that are loaded, and those of the next process.
struct CombinedStreamStorageTests {
    private let client = CombinedClient()

    @Test func `sessions sleep while their combined stream is open, and continue on it`() throws {
        let host = try StoredHost.hibernating()
        let sessions = (0..<3).map { _ in host.makeSession() }
        try connect(to: sessions, of: host)
        client.read()
        _ = host.send(.post, sessions[0] + "/inputs/increment")
        client.read()
        host.advance(by: 70)
        client.read()
        #expect(host.awakeCount == 0)
        #expect(host.slots.count == 3)
        _ = host.send(.post, sessions[1] + "/inputs/increment")
        client.read()
        #expect(host.awakeCount == 1)
        #expect(client.outputs(of: sessions[1])?["count"] == "1")
        #expect(client.views.values.allSatisfy { $0.violations.isEmpty })
        client.cut()
        #expect(host.slots.isEmpty)
        #expect(host.harness.host.streamCount == 0)
    }

    @Test func `a combined stream of sessions that sleep needs no machine`() throws {
        let host = try StoredHost.hibernating()
        let sessions = (0..<3).map { _ in host.makeSession() }
        host.advance(by: 70)
        #expect(host.awakeCount == 0)
        try connect(to: sessions, of: host)
        client.read()
        #expect(host.awakeCount == 0)
        for session in sessions { #expect(client.names(of: session) == ["snapshot"]) }
        host.advance(by: 40)
        client.read()
        #expect(client.follower?.text.hasSuffix("\n\n: keep-alive\n\n") == true)
        client.cut()
        host.advance(by: 1)
        #expect(host.slots.isEmpty)
    }

    @Test func `a session that is being loaded does not delay the others`() throws {
        let disk = TestDisk()
        let first = try StoredHost(on: disk)
        let old = first.makeSession()
        let host = try StoredHost(on: disk)
        let young = host.makeSession()
        try connect(to: [old, young], of: host, stores: false)
        client.read()
        #expect(client.names(of: young) == ["snapshot"])
        #expect(client.names(of: old).isEmpty)
        host.store()
        client.read()
        #expect(client.names(of: old) == ["snapshot"])
        #expect(host.harness.shard.pending.isEmpty)
    }

    @Test func `a client that leaves while a session is being loaded leaves nothing behind`() throws {
        let disk = TestDisk()
        let old = try StoredHost(on: disk).makeSession()
        let host = try StoredHost(on: disk)
        try connect(to: [old], of: host, stores: false)
        client.cut()
        host.store()
        #expect(host.harness.shard.pending.isEmpty)
        #expect(host.harness.host.streamCount == 0)
        #expect(host.harness.session(at: old)?.streamCount ?? 0 == 0)
    }

    @Test func `a process that ends without notice is continued by the next one, with the same position`() throws {
        let disk = TestDisk()
        let sessions: [String]
        do {
            let host = try StoredHost(on: disk)
            sessions = (0..<3).map { _ in host.makeSession() }
            try connect(to: sessions, of: host)
            client.read()
            for session in sessions { _ = host.send(.post, session + "/inputs/complain", body: "1") }
            client.read()
            // Nobody has received this change.
            _ = host.send(.post, sessions[1] + "/inputs/complain", body: "2")
        }
        let next = try StoredHost(on: disk, after: 60)
        try connect(to: sessions.reversed(), of: next)
        client.read()
        #expect(client.names(of: sessions[0]) == ["resume"])
        #expect(client.names(of: sessions[1]) == ["resume", "change"])
        #expect(client.views.values.allSatisfy { $0.violations.isEmpty })
    }

    @Test func `a session that another process continues ends the stream, and its client continues there`() throws {
        let host = try StoredHost.hibernating()
        let sessions = (0..<2).map { _ in host.makeSession() }
        try connect(to: sessions, of: host)
        client.read()
        _ = host.send(.post, sessions[0] + "/inputs/increment")
        host.suspend()
        host.store()
        host.writer.leave()
        host.harness.shard.drain()
        host.harness.loop.run()
        client.read()
        #expect(client.events.last?.event.data == "{\"reason\":\"draining\"}")
        #expect(client.events.filter { $0.event.event == "end" }.count == 1)
        // The old process may still get the next request.
        try connect(to: sessions, of: host)
        client.read()
        #expect(client.events.map(\.event.data) == ["{\"reason\":\"draining\"}"])
        let next = try StoredHost.hibernating(on: host.disk)
        try connect(to: sessions, of: next)
        client.read()
        for session in sessions { #expect(client.names(of: session) == ["resume"]) }
        #expect(client.outputs(of: sessions[0])?["count"] == "1")
    }

    @Test func `the end of a stored session is sent when it is stored, and is known to the next process`() throws {
        let host = try StoredHost()
        let sessions = (0..<2).map { _ in host.makeSession() }
        try connect(to: sessions, of: host)
        client.read()
        _ = host.start(.delete, sessions[0])
        client.read()
        #expect(client.views[String(sessions[0].suffix(22))]?.end == nil)
        host.store()
        client.read()
        #expect(client.views[String(sessions[0].suffix(22))]?.end == "{\"reason\":\"deleted\"}")
        let next = try StoredHost(on: host.disk)
        let other = CombinedClient()
        try connect(other, to: sessions, of: next)
        other.read()
        #expect(other.views[String(sessions[0].suffix(22))]?.end == "{\"reason\":\"deleted\"}")
        #expect(other.names(of: sessions[1]) == ["snapshot"])
    }

    private func connect(to sessions: [String], of host: StoredHost, stores: Bool = true) throws {
        try connect(client, to: sessions, of: host, stores: stores)
    }

    private func connect(
        _ client: CombinedClient, to sessions: [String], of host: StoredHost, stores: Bool = true
    ) throws {
        let query = sessions.map { "session=\($0.suffix(22))" }.joined(separator: "&")
        let answer = host.start(.get, "/v1/outputs?\(query)&lastEventID=\(client.lastEventID)")
        guard case .stream(let body)? = answer.response?.body else {
            throw ScriptedMachine.Failure("expected a stream, got \(answer.text)")
        }
        client.connect(body)
        if stores { host.store() }
    }
}
