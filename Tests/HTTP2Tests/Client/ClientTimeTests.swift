import HTTP2
import HTTPModel
import HTTPServerTesting
import Testing

/// Deadlines of a client's connection, in virtual time.
@Suite struct ClientTimeTests {
    private let limits: HTTP2ClientLimits

    init() {
        var limits = HTTP2ClientLimits()
        limits.connection.handshakeTimeout = .seconds(3)
        limits.connection.headTimeout = .seconds(4)
        limits.connection.idleTimeout = .seconds(60)
        limits.pingInterval = .seconds(10)
        limits.pingTimeout = .seconds(2)
        self.limits = limits
    }

    private static let instant = Duration.milliseconds(1)

    private func expectEnding(_ ending: HTTP2Ending, of server: RawServer, after duration: Duration) {
        server.pass(duration - ClientTimeTests.instant)
        #expect(server.client.ending == nil)
        server.pass(ClientTimeTests.instant)
        #expect(server.client.ending == ending)
        #expect(server.frames(Frame.Kind.goAway).last?.code == ending.code.rawValue)
        #expect(server.client.isFinished && server.client.deadline == nil)
    }

    @Test func `a server that does not send its settings is left`() {
        let server = RawServer(limits, greets: false)
        let id = server.request()
        expectEnding(.handshakeTimeout, of: server, after: .seconds(3))
        #expect(server.failure(id) == .connectionEnded)
    }

    @Test func `a head that does not end is left`() {
        let server = RawServer(limits)
        server.request()
        server.send(.headers(1, RawServer.ok, endsHeaders: false))
        expectEnding(.headTimeout, of: server, after: .seconds(4))
    }

    @Test func `a server that is silent during a request gets a ping, and is left if it does not respond`() {
        let server = RawServer(limits)
        let id = server.request()
        server.pass(.seconds(10) - ClientTimeTests.instant)
        #expect(server.frames(Frame.Kind.ping).isEmpty)
        server.pass(ClientTimeTests.instant)
        #expect(server.frames(Frame.Kind.ping).count == 1)
        // Any byte shows that the server is alive.
        server.pass(.seconds(2) - ClientTimeTests.instant)
        server.send(.windowUpdate(0, by: 1))
        server.pass(.seconds(10))
        #expect(server.frames(Frame.Kind.ping).count == 2)
        #expect(server.client.ending == nil)
        expectEnding(.unresponsive, of: server, after: .seconds(2))
        #expect(server.failure(id) == .connectionEnded)
    }

    @Test func `a connection without requests gets no ping, and is drained when it has been idle`() {
        let server = RawServer(limits)
        server.request()
        server.send(.headers(1, RawServer.ok))
        server.pass(.seconds(60) - ClientTimeTests.instant)
        #expect(server.client.acceptsRequests)
        server.pass(ClientTimeTests.instant)
        #expect(server.frames(Frame.Kind.goAway).map(\.code) == [0])
        #expect(server.frames(Frame.Kind.ping).isEmpty)
        #expect(!server.client.acceptsRequests && server.client.isFinished && server.client.ending == nil)
    }

    @Test func `a ping of a request that was cancelled does not count against the next one`() {
        let server = RawServer(limits)
        let id = server.request()
        server.pass(.seconds(10))
        #expect(server.frames(Frame.Kind.ping).count == 1)
        server.client.cancel(id)
        server.step()
        server.pass(.seconds(30))
        server.request()
        server.pass(.seconds(1))
        #expect(server.client.ending == nil)
        #expect(server.frames(Frame.Kind.ping).count == 2)
    }

    @Test func `pings can be left out, and a request lasts as long as it likes`() {
        var limits = limits
        limits.pingInterval = nil
        let server = RawServer(limits)
        server.request()
        server.pass(.seconds(100_000))
        #expect(server.client.ending == nil && server.client.deadline == nil)
        #expect(server.frames(Frame.Kind.ping).isEmpty)
    }

    @Test func `a server of ours keeps a connection with a silent stream`() {
        let pair = ClientPair(limits)
        pair.answer = { _ in HTTPResponse(status: .ok, body: .stream(SilentBody())) }
        let id = pair.send(ClientPair.request())
        pair.exchange()
        for _ in 0..<10_000 {
            pair.now = pair.now + .seconds(1)
            pair.client.timePassed(now: pair.now)
            pair.server.timePassed(now: pair.now)
            pair.exchange()
        }
        #expect(pair.client.ending == nil && pair.server.ending == nil)
        #expect(pair.collector.failures.isEmpty && !pair.collector.isComplete(id))
    }

    @Test func `every client ending has a description`() {
        #expect(HTTP2Ending.unresponsive.description.contains("ping"))
        let failures: [HTTP2RequestFailure] = [
            .unprocessed, .reset(.cancel), .malformed(.status), .headTooLarge, .interimResponses,
            .protocolViolation(.flowControlError), .connectionEnded,
        ]
        #expect(failures.allSatisfy { $0.description.hasPrefix("expected ") })
        #expect(failures.filter(\.isSafeToRetry) == [.unprocessed])
    }
}
