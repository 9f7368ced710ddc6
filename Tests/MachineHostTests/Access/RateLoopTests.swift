import Access
import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// The rates of a client that uses several loops.
struct RateLoopTests {
    private let peer = HTTPPeer(address: "192.0.2.1", port: 1)

    private func harness(_ loops: Int, _ configure: (inout HostAccess.Rates) -> Void) throws -> LoopHarness {
        var access = HostAccess()
        configure(&access.rates)
        return try LoopHarness(loops, access: access)
    }

    private func inputs(_ quota: Int, _ window: Int = 10) -> RateLimit {
        RateLimit("inputs", quota: quota, window: .seconds(window))
    }

    private func send(_ harness: LoopHarness, _ session: String, from peer: HTTPPeer? = nil) -> HTTPResponse? {
        harness.send(
            HTTPRequest(
                method: .post, target: "/v1/sessions/\(session)/inputs/increment", fields: [:], body: [],
                peer: peer ?? self.peer),
            on: harness.loop(of: session))
    }

    /// Sends inputs until one is rejected, and returns the number of those before.
    private func drain(_ harness: LoopHarness, _ session: String) -> Int {
        var count = 0
        while count < 10_000, send(harness, session)?.status == .ok { count += 1 }
        return count
    }

    @Test func `sessions on all loops do not multiply the rate`() throws {
        let harness = try harness(4) { $0.inputs = inputs(100) }
        let sessions = (0..<4).map { harness.makeSession(on: $0) }
        var count = 0
        // A minute, in which the client tries again and again everywhere.
        for _ in 0..<600 {
            for session in sessions { count += drain(harness, session) }
            harness.advance(byMilliseconds: 100)
        }
        #expect((660...700).contains(count))
    }

    @Test func `a client of one loop has nearly the whole rate as soon as the loops have exchanged shares`() throws {
        let harness = try harness(4) { $0.inputs = inputs(100) }
        let sessions = (0..<4).map { harness.makeSession(on: $0) }
        #expect(drain(harness, sessions[1]) == 25)
        let refused = send(harness, sessions[1])
        #expect(refused?.status == .tooManyRequests)
        #expect(refused?.fields.value(.retryAfter) == "1")
        #expect(refused?.fields.value(.rateLimit)?.hasPrefix("\"inputs\";r=0;t=") == true)
        harness.advance(byMilliseconds: 25)
        #expect((72...73).contains(drain(harness, sessions[1])))
        // The others have kept a token for their next requests.
        #expect(send(harness, sessions[2])?.status == .ok)
        harness.advance(by: 30)
        var count = 0
        for _ in 0..<100 {
            count += drain(harness, sessions[1])
            harness.advance(byMilliseconds: 100)
        }
        #expect((190...200).contains(count))
    }

    @Test func `another client is not affected by the exchange`() throws {
        let harness = try harness(2) { $0.inputs = inputs(10) }
        let sessions = (0..<2).map { harness.makeSession(on: $0) }
        _ = drain(harness, sessions[0])
        harness.advance(byMilliseconds: 50)
        let other = HTTPPeer(address: "192.0.2.2", port: 1)
        for session in sessions {
            for _ in 0..<5 { #expect(send(harness, session, from: other)?.status == .ok) }
        }
    }

    @Test func `idle loops sleep when a client has stopped`() throws {
        let harness = try harness(3) { $0.inputs = inputs(9) }
        let session = harness.makeSession(on: 0)
        _ = drain(harness, session)
        harness.advance(byMilliseconds: 50)
        #expect(harness.host.access.rates.clientCount == 1)
        harness.advance(by: 25)
        #expect(harness.host.access.rates.clientCount == 0)
        for shard in harness.shards { #expect(shard.rateTimer == nil) }
    }

    @Test func `a shard that is created later takes part`() throws {
        let harness = try harness(2) { $0.inputs = inputs(10) }
        harness.shards.removeLast()
        let session = harness.makeSession(on: 0)
        #expect(drain(harness, session) == 5)
        harness.advance(byMilliseconds: 25)
        #expect(drain(harness, session) == 5)
        harness.shards.append(harness.host.makeShard(on: harness.loops[1]))
        let other = harness.makeSession(on: 1)
        #expect(send(harness, other)?.status == .tooManyRequests)
        harness.advance(byMilliseconds: 1500)
        #expect(send(harness, other)?.status == .ok)
    }

    @Test func `a reload keeps the buckets, with the same rates and with others`() throws {
        var access = HostAccess()
        access.rates.inputs = inputs(100)
        let harness = try LoopHarness(2, access: access)
        let session = harness.makeSession(on: 0)
        _ = drain(harness, session)
        harness.advance(byMilliseconds: 50)
        _ = drain(harness, session)
        harness.host.replaceAccess(access)
        harness.run()
        #expect(send(harness, session)?.status == .tooManyRequests)
        access.rates.inputs = inputs(1000)
        access.rates.streams = RateLimit("streams", quota: 5, window: .seconds(1))
        harness.host.replaceAccess(access)
        harness.run()
        // Less than one of the former tokens was left.
        #expect(drain(harness, session) < 10)
        harness.advance(byMilliseconds: 100)
        #expect((8...11).contains(drain(harness, session)))
        access.rates.inputs = nil
        harness.host.replaceAccess(access)
        harness.run()
        for _ in 0..<200 { #expect(send(harness, session)?.status == .ok) }
    }

    @Test func `new sessions, which are placed on all loops, have one rate`() throws {
        let harness = try harness(4) { $0.creations = RateLimit("sessions", quota: 20, window: .seconds(10)) }
        func create(on loop: Int) -> HTTPStatus? {
            harness.send(
                HTTPRequest(
                    method: .post, target: "/v1/sessions", fields: [.contentType: "application/json"],
                    body: Array(#"{"machine":"scripted"}"#.utf8), peer: peer), on: loop)?.status
        }
        var created = 0
        for step in 0..<400 {
            if create(on: step % 4) == .created { created += 1 }
            harness.advance(byMilliseconds: 50)
        }
        // 20 s.
        #expect((54...60).contains(created))
    }
}
