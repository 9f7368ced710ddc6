import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// The limits on sessions per client.
struct ClientLimitTests {
    private let body = "{\"machine\":\"scripted\"}"

    private func peer(_ address: String, isByUnixSocket: Bool = false) -> HTTPPeer {
        HTTPPeer(address: address, port: 1, isByUnixSocket: isByUnixSocket)
    }

    private func create(_ harness: HostHarness, _ address: String) -> HarnessAnswer {
        harness.send(.post, "/v1/sessions", body: body, from: peer(address))
    }

    private func harness(
        _ most: Int?, newPerSecond: Int? = nil, made: @escaping @Sendable (ScriptedMachine) throws -> Void = { _ in },
        configure: (inout HostConfiguration) -> Void = { _ in }
    ) throws -> HostHarness {
        var configuration = HostConfiguration()
        configuration.maxSessionsPerClient = most
        configuration.maxNewSessionsPerClient = newPerSecond
        configure(&configuration)
        return try HostHarness([counter(made: made)], configuration: configuration)
    }

    @Test func `a client can create sessions up to its limit without affecting other clients`() throws {
        let harness = try harness(2)
        let first = create(harness, "192.0.2.1")
        #expect(create(harness, "192.0.2.1").status == .created)
        let refused = create(harness, "192.0.2.1")
        #expect(refused.status == .tooManyRequests)
        #expect(refused.fields.value(.retryAfter) == "30")
        #expect(refused.text.contains("/problems/too-many-sessions"))
        #expect(refused.text.contains("This client has 2 sessions"))
        #expect(create(harness, "192.0.2.2").status == .created)
        #expect(harness.host.sessionCount == 3)
        let path = try #require(first.fields.value(.location))
        #expect(harness.send(.delete, path).status == .noContent)
        #expect(create(harness, "192.0.2.1").status == .created)
        #expect(create(harness, "192.0.2.1").status == .tooManyRequests)
    }

    @Test func `addresses in the same 64-bit IPv6 network count as one client`() throws {
        let harness = try harness(1)
        #expect(create(harness, "2001:db8:0:1::1").status == .created)
        #expect(create(harness, "2001:db8:0:1:ffff::2").status == .tooManyRequests)
        #expect(create(harness, "2001:db8:0:2::1").status == .created)
        #expect(create(harness, "198.51.100.1").status == .created)
        #expect(create(harness, "::ffff:198.51.100.1").status == .tooManyRequests)
    }

    @Test(arguments: ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1", "unix", "unknown", ""])
    func `local clients are not limited`(address: String) throws {
        let harness = try harness(1, newPerSecond: 1)
        for _ in 0..<5 { #expect(create(harness, address).status == .created) }
        #expect(harness.host.clientCount == 0)
    }

    @Test func `a client named by a proxy on a Unix socket is limited`() throws {
        let harness = try harness(1)
        let named = peer("192.0.2.1", isByUnixSocket: true)
        #expect(harness.send(.post, "/v1/sessions", body: body, from: named).status == .created)
        #expect(harness.send(.post, "/v1/sessions", body: body, from: named).status == .tooManyRequests)
    }

    @Test func `a client can create one second's worth of sessions in a burst, then at the configured rate`() throws {
        let harness = try harness(nil, newPerSecond: 4)
        for _ in 0..<4 { #expect(create(harness, "192.0.2.1").status == .created) }
        let refused = create(harness, "192.0.2.1")
        #expect(refused.status == .tooManyRequests)
        #expect(refused.fields.value(.retryAfter) == "1")
        #expect(refused.text.contains("more than 4 sessions per second"))
        #expect(create(harness, "192.0.2.2").status == .created)
        harness.loop.advance(by: .milliseconds(250))
        #expect(create(harness, "192.0.2.1").status == .created)
        #expect(create(harness, "192.0.2.1").status == .tooManyRequests)
    }

    @Test func `a request that creates no session does not count towards the limits`() throws {
        let harness = try harness(1, newPerSecond: 1)
        let stranger = peer("192.0.2.1")
        for wrong in ["{\"machine\":\"none\"}", "{}", "{", "[]"] {
            #expect(harness.send(.post, "/v1/sessions", body: wrong, from: stranger).status.code < 429)
        }
        #expect(create(harness, "192.0.2.1").status == .created)
    }

    @Test func `ending a session in any way makes room, and clients without sessions are removed`() throws {
        struct No: Error {}
        let makes = Countdown(4)
        let harness = try harness(
            1, made: { _ in if makes.isOver() { throw No() } }, configure: { $0.idleExpiry = .seconds(60) })
        func path() -> String {
            let answer = create(harness, "192.0.2.1")
            #expect(answer.status == .created)
            return answer.fields.value(.location) ?? ""
        }
        // Deleted, failed in a turn, expired.
        _ = harness.send(.delete, path())
        #expect(harness.host.clientCount == 0)
        #expect(harness.input(path(), "break").status == .internalServerError)
        #expect(harness.host.clientCount == 0)
        _ = path()
        #expect(harness.host.clientCount == 1)
        harness.loop.advance(by: .seconds(62))
        #expect(harness.host.clientCount == 0)
        _ = harness.send(.delete, path())
        // Failed during creation.
        #expect(create(harness, "192.0.2.1").status == .internalServerError)
        #expect(harness.host.clientCount == 0)
        #expect(harness.host.sessionCount == 0)
    }

    @Test func `a host that is deallocated releases the sessions of its clients`() throws {
        var harness: HostHarness? = try harness(1)
        _ = harness.map { create($0, "192.0.2.1") }
        let host = try #require(harness?.host)
        #expect(host.clientCount == 1)
        harness = nil
        #expect(host.clientCount == 0)
    }

    @Test func `the limit applies across all loops`() throws {
        var configuration = HostConfiguration()
        configuration.maxSessionsPerClient = 3
        let host = try SessionHost([counter()], configuration: configuration)
        let shards = (0..<2).map { host.makeShard(on: VirtualEventLoop(index: $0, count: 2)) }
        var statuses: [HTTPStatus] = []
        for round in 0..<6 {
            let request = HTTPRequest(
                method: .post, target: "/v1/sessions", fields: [.contentType: "application/json"],
                body: Array(body.utf8), peer: peer("192.0.2.1"))
            guard case .response(let response) = shards[round % 2].respond(to: request) else { continue }
            statuses.append(response.status)
        }
        #expect(statuses.filter { $0 == .created }.count == 3)
        #expect(statuses.filter { $0 == .tooManyRequests }.count == 3)
    }

    @Test func `a full server does not count rejected requests`() throws {
        let harness = try harness(5, configure: { $0.maxSessions = 1 })
        let path = try #require(create(harness, "192.0.2.1").fields.value(.location))
        for _ in 0..<10 { #expect(create(harness, "192.0.2.2").status == .serviceUnavailable) }
        _ = harness.send(.delete, path)
        #expect(harness.host.clientCount == 0)
        #expect(create(harness, "192.0.2.2").status == .created)
    }

    @Test func `clients that created one session each are removed, even if creations are rate-limited`() throws {
        let harness = try harness(10, newPerSecond: 100)
        for number in 0..<5_000 {
            let path = try #require(
                create(harness, "2001:db8:\(String(number, radix: 16))::1").fields.value(.location))
            harness.loop.advance(by: .milliseconds(1))
            _ = harness.send(.delete, path)
        }
        #expect(harness.host.clientCount < 2_100)
    }

    @Test func `an unlimited number of sessions keeps no client records`() throws {
        let harness = try harness(nil)
        for _ in 0..<20 { #expect(create(harness, "192.0.2.1").status == .created) }
        #expect(harness.host.clientCount == 0)
    }
}

/// Counts down.
///
/// Sendable because each test uses it on one thread only.
private final class Countdown: @unchecked Sendable {
    private var left: Int

    init(_ count: Int) { left = count }

    /// Counts down, or returns true once nothing is left.
    func isOver() -> Bool {
        guard left > 0 else { return true }
        left -= 1
        return false
    }
}
