import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// The limit of a client's sessions across processes.
struct StoredClientTests {
    private let peer = HTTPPeer(address: "192.0.2.7", port: 1, isByUnixSocket: false)
    private let configure = { (configuration: inout HostConfiguration) in
        configuration.maxSessionsPerClient = 2
        configuration.maxNewSessionsPerClient = nil
        configuration.hibernateAfter = .seconds(10)
    }

    private func create(_ host: StoredHost, from peer: HTTPPeer? = nil) -> PendingAnswer {
        host.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, from: peer ?? self.peer)
    }

    private func path(_ answer: PendingAnswer) -> String { answer.response?.fields.value(.location) ?? "" }

    @Test func `restored sessions count for the client that has created them`() throws {
        let host = try StoredHost(configure)
        let paths = [path(create(host)), path(create(host))]
        #expect(create(host).status == 429)
        let next = try StoredHost(on: host.disk, configure)
        // They count from the moment at which they are in memory.
        for path in paths { #expect(next.send(.get, path).status == 200) }
        #expect(create(next).status == 429)
        let other = HTTPPeer(address: "192.0.2.8", port: 1, isByUnixSocket: false)
        #expect(create(next, from: other).status == 201)
        #expect(next.send(.delete, paths[0]).status == 204)
        #expect(create(next).status == 201)
        #expect(create(next).status == 429)
    }

    @Test func `a restored session is not refused because of its client, and its snapshot keeps the client`() throws {
        let host = try StoredHost(configure)
        let paths = [path(create(host)), path(create(host))]
        host.harness.shard.sessions.values.forEach { host.harness.shard.renewSnapshot(of: $0) }
        host.store()
        let next = try StoredHost(on: host.disk, configure)
        _ = [create(next), create(next)]
        for path in paths { #expect(next.send(.get, path).status == 200) }
        #expect(next.harness.host.clientCount == 1)
        _ = next.send(.delete, paths[0])
        _ = next.send(.delete, paths[1])
        #expect(create(next).status == 429)
    }

    @Test func `a session that slept counts again`() throws {
        let host = try StoredHost(hibernates: true, configure)
        let session = path(create(host))
        host.advance(by: 60)
        #expect(host.harness.host.clientCount == 0)
        _ = host.send(.post, session + "/inputs/increment")
        #expect(host.harness.host.clientCount == 1)
        #expect(create(host).status == 201)
        #expect(create(host).status == 429)
    }

    @Test func `the address of a client is not stored, and that of a local client not even as a digest`() throws {
        let host = try StoredHost(configure)
        _ = create(host)
        _ = create(host, from: .unknown)
        let stored = try host.disk.entries.map { try StoredSession($0) }
        #expect(stored.count { $0.client != nil } == 1)
        for entry in host.disk.entries {
            let content = entry.snapshot?.content ?? []
            #expect(!String(decoding: content, as: UTF8.self).contains("192.0.2.7"))
            #expect(content.firstRange(of: [192, 0, 2, 7]) == nil)
        }
    }
}
