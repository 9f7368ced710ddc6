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

    @Test(arguments: [1, 2, 16, 64])
    func `a burst gets exactly the rate, on one loop and on all of them`(loops: Int) throws {
        let harness = try harness(loops) { $0.inputs = inputs(20) }
        let sessions = (0..<loops).map { harness.makeSession(on: $0) }
        #expect(drain(harness, sessions[loops / 2]) == 20)
        // Without a status: the refusal of an insistent client waits.
        for session in sessions { #expect([nil, .tooManyRequests].contains(send(harness, session)?.status)) }
        harness.advance(by: 10)
        var permitted = 0
        for _ in 0..<40 {
            for session in sessions where send(harness, session)?.status == .ok { permitted += 1 }
        }
        #expect(permitted == 20)
    }

    @Test(arguments: [2, 16])
    func `a client that tries on all loops gets exactly the rate`(loops: Int) throws {
        let harness = try harness(loops) { $0.inputs = inputs(20) }
        let sessions = (0..<loops).map { harness.makeSession(on: $0) }
        var count = 0
        for _ in 0..<600 {
            for session in sessions.shuffled() { count += drain(harness, session) }
            harness.advance(byMilliseconds: 100)
        }
        // A burst, and a minute without its last 100 ms.
        #expect((138...140).contains(count))
    }

    @Test func `what remains and the wait are those of all loops`() throws {
        let harness = try harness(4) { $0.inputs = inputs(10) }
        let sessions = (0..<4).map { harness.makeSession(on: $0) }
        for step in 0..<10 {
            let response = send(harness, sessions[step % 4])
            #expect(response?.fields.value(.rateLimit) == "\"inputs\";r=\(9 - step);t=\(step + 1)")
        }
        let refused = send(harness, sessions[3])
        #expect(refused?.fields.value(.retryAfter) == "1")
        #expect(refused?.fields.value(.rateLimit) == "\"inputs\";r=0;t=10")
    }

    @Test func `another client is not affected`() throws {
        let harness = try harness(2) { $0.inputs = inputs(10) }
        let sessions = (0..<2).map { harness.makeSession(on: $0) }
        #expect(drain(harness, sessions[0]) == 10)
        let other = HTTPPeer(address: "192.0.2.2", port: 1)
        for session in sessions {
            for _ in 0..<5 { #expect(send(harness, session, from: other)?.status == .ok) }
        }
    }

    @Test func `a shard that is created later takes part`() throws {
        let harness = try harness(2) { $0.inputs = inputs(10) }
        harness.shards.removeLast()
        let session = harness.makeSession(on: 0)
        #expect(drain(harness, session) == 10)
        harness.shards.append(harness.host.makeShard(on: harness.loops[1]))
        let other = harness.makeSession(on: 1)
        #expect(send(harness, other)?.status == .tooManyRequests)
        harness.advance(byMilliseconds: 1000)
        #expect(send(harness, other)?.status == .ok)
    }

    @Test func `a reload keeps the buckets, with the same rates and with others`() throws {
        var access = HostAccess()
        access.rates.inputs = inputs(100)
        let harness = try LoopHarness(2, access: access)
        let session = harness.makeSession(on: 0)
        #expect(drain(harness, session) == 100)
        harness.host.replaceAccess(access)
        harness.run()
        #expect(send(harness, session)?.status == .tooManyRequests)
        access.rates.inputs = inputs(1000)
        access.rates.streams = RateLimit("streams", quota: 5, window: .seconds(1))
        harness.host.replaceAccess(access)
        harness.run()
        #expect(drain(harness, session) == 0)
        harness.advance(byMilliseconds: 100)
        #expect(drain(harness, session) == 10)
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
        // A burst, and 20 s without the last 50 ms.
        #expect((58...60).contains(created))
    }
}
