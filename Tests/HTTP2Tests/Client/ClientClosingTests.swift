import HTTP2
import HTTPModel
import HTTPServerTesting
import Testing

/// The ends of requests and connections: cancellation, refusal, `GOAWAY` and lost sockets.
@Suite struct ClientClosingTests {
    private static let maxStreams: UInt16 = 3

    // Cancellation.

    @Test func `a cancelled request is reset, its body stops, and no event names it`() {
        let pair = ClientPair()
        let content = SilentBody()
        let answer = ScriptedBody()
        pair.answer = { _ in HTTPResponse(status: .ok, body: .stream(answer)) }
        let upload = pair.send(ClientPair.request(.post), content: content)
        let download = pair.send(ClientPair.request())
        pair.exchange()
        answer.append("event")
        pair.exchange()
        #expect(pair.collector.text(download) == "event")
        pair.client.cancel(upload)
        pair.client.cancel(download)
        #expect(content.isStopped)
        pair.exchange()
        #expect(answer.isStopped)
        #expect(pair.serverResets == [.cancel])
        #expect(pair.collector.failures.isEmpty && pair.collector.responses[upload.rawValue] == nil)
        #expect(pair.client.requestCount == 0 && pair.server.streamCount == 0)
        // Ignored.
        pair.client.cancel(upload)
        pair.client.cancel(HTTP2StreamID(rawValue: 99))
        #expect(!pair.client.hasOutput)
    }

    @Test func `a request can be cancelled before it was sent, while it waits, and before its event`() {
        let server = RawServer(settings: [(ClientClosingTests.maxStreams, 1)])
        let bodies = [SilentBody(), SilentBody()]
        server.reads = false
        let ids = bodies.map { body in
            (try? server.client.send(ClientPair.request(.post), content: body)) ?? HTTP2StreamID(rawValue: 0)
        }
        #expect(server.client.requestCount == 2)
        for id in ids.reversed() { server.client.cancel(id) }
        #expect(bodies.allSatisfy { $0.isStopped })
        server.reads = true
        server.step()
        #expect(server.frames(Frame.Kind.headers).isEmpty && server.frames(Frame.Kind.reset).isEmpty)
        #expect(server.client.requestCount == 0)
        // The next stream skips their identifiers.
        #expect(server.request().rawValue == 5)
        let bytes = Frame.headers(5, RawServer.ok).bytes
        bytes.withUnsafeBytes { server.client.receive($0, now: server.now) }
        #expect(server.client.hasEvents)
        server.client.cancel(HTTP2StreamID(rawValue: 5))
        server.step()
        #expect(server.collector.responses.isEmpty && server.collector.failures.isEmpty)
    }

    @Test func `frames in flight to a cancelled request are ignored, and release the window`() {
        let server = RawServer()
        let id = server.request()
        server.client.cancel(id)
        server.send(.headers(1, RawServer.ok, endsStream: false))
        for _ in 0..<200 { server.send(.data(1, Array(repeating: 1, count: 10_000), endsStream: false)) }
        server.send(.data(1, []), .reset(1))
        #expect(server.client.ending == nil)
        #expect(server.collector.responses.isEmpty && server.collector.failures.isEmpty)
        let next = server.request()
        server.send(.headers(3, RawServer.ok))
        #expect(server.collector.isComplete(next))
    }

    @Test(arguments: [
        (HTTP2ErrorCode.refusedStream, false, HTTP2RequestFailure.unprocessed),
        (.refusedStream, true, .reset(.refusedStream)), (.cancel, false, .reset(.cancel)),
        (.internalError, true, .reset(.internalError)), (.noError, false, .reset(.noError)),
    ])
    func `a reset fails the request, which may be sent again only if it was refused before its response`(
        _ code: HTTP2ErrorCode, _ hasHead: Bool, _ failure: HTTP2RequestFailure
    ) {
        let server = RawServer()
        let id = server.request()
        if hasHead { server.send(.headers(1, RawServer.ok, endsStream: false), .data(1, [1], endsStream: false)) }
        server.send(.reset(1, code: code.rawValue))
        #expect(server.failure(id) == failure)
        #expect(failure.isSafeToRetry == (failure == .unprocessed))
        #expect(server.collector.readers[1]?.isFinished != true)
        #expect(server.client.requestCount == 0 && server.client.acceptsRequests)
    }

    // The number of streams.

    @Test func `requests over the server's limit wait in order, and only so many`() {
        var limits = HTTP2ClientLimits()
        limits.waitingRequests = 2
        let server = RawServer(limits, settings: [(ClientClosingTests.maxStreams, 2)])
        let ids = (0..<4).map { _ in server.request() }
        #expect(throws: HTTP2SendError.full) { try server.client.send(ClientPair.request()) }
        #expect(server.frames(Frame.Kind.headers).map(\.stream) == [1, 3])
        server.send(.headers(3, RawServer.ok))
        #expect(server.frames(Frame.Kind.headers).map(\.stream) == [1, 3, 5])
        server.send(Frame.settings([(ClientClosingTests.maxStreams, UInt32(10))]))
        #expect(server.frames(Frame.Kind.headers).map(\.stream) == [1, 3, 5, 7])
        // A lower limit does not affect open streams.
        server.send(Frame.settings([(ClientClosingTests.maxStreams, UInt32(0))]))
        let waiting = server.request()
        server.send(.headers(1, RawServer.ok), .headers(5, RawServer.ok), .headers(7, RawServer.ok))
        #expect(ids.allSatisfy(server.collector.isComplete))
        #expect(server.frames(Frame.Kind.headers).count == 4)
        server.client.close()
        server.step()
        #expect(server.failure(waiting) == .unprocessed)
    }

    @Test func `requests that are queued do not count as frames that the server has caused`() throws {
        var limits = HTTP2ClientLimits()
        limits.connection.queuedFrames = 10
        let server = RawServer(limits)
        server.reads = false
        for _ in 0..<100 { _ = try server.client.send(ClientPair.request()) }
        server.send(.ping())
        #expect(server.client.ending == nil)
    }

    @Test func `a refused stream fails as unprocessed`() {
        var limits = HTTP2Limits()
        limits.concurrentStreams = 1
        let pair = ClientPair(server: limits)
        pair.answer = { _ in nil }
        // Before the server's settings arrive, the client does not know its limit.
        let ids = (0..<3).map { _ in pair.send(ClientPair.request()) }
        pair.exchange()
        #expect(ids.map { pair.collector.failures[$0.rawValue] } == [nil, .unprocessed, .unprocessed])
        #expect(pair.requests.count == 1)
    }

    @Test func `the bytes of requests that were not sent are limited`() {
        var limits = HTTP2ClientLimits()
        limits.unsentBytes = 3000
        let pair = ClientPair(limits)
        pair.answer = { _ in nil }
        for _ in 0..<10 {
            pair.send(ClientPair.request(.post, body: Array(repeating: 1, count: 2000)))
            #expect(throws: HTTP2SendError.full) {
                try pair.client.send(ClientPair.request(.post, body: Array(repeating: 1, count: 2000)))
            }
            pair.exchange()
        }
        #expect(pair.requests.count == 10)
        let id = pair.send(ClientPair.request(.post, body: Array(repeating: 1, count: 2000)))
        pair.client.cancel(id)
        pair.send(ClientPair.request(.post, body: Array(repeating: 1, count: 2000)))
    }

    // The end of a connection.

    @Test func `after GOAWAY the accepted requests are completed, and the others fail as unprocessed`() {
        let server = RawServer(settings: [(ClientClosingTests.maxStreams, 3)])
        let ids = (0..<4).map { _ in server.request() }
        server.send(RawServer.goAway(Int32.max))
        #expect(server.collector.goAways == [.noError])
        #expect(server.failure(ids[3]) == .unprocessed)
        #expect(!server.client.acceptsRequests)
        #expect(throws: HTTP2SendError.closing) { try server.client.send(ClientPair.request()) }
        server.send(RawServer.goAway(3))
        #expect(ids.map(server.failure) == [nil, nil, .unprocessed, .unprocessed])
        server.send(.headers(3, RawServer.ok), .headers(1, RawServer.ok))
        #expect(server.collector.isComplete(ids[0]) && server.collector.isComplete(ids[1]))
        #expect(server.client.isFinished)
    }

    @Test func `a request that was not written before GOAWAY is unprocessed`() {
        let server = RawServer()
        server.reads = false
        let id = server.request(.post, body: [1])
        server.send(RawServer.goAway(0))
        server.reads = true
        server.step()
        #expect(server.failure(id) == .unprocessed)
        #expect(server.frames(Frame.Kind.headers).isEmpty)
        #expect(server.client.isFinished)
    }

    @Test func `a server that drains completes what it has accepted`() {
        let pair = ClientPair()
        let body = ScriptedBody()
        pair.answer = { _ in HTTPResponse(status: .ok, body: .stream(body)) }
        let id = pair.send(ClientPair.request())
        pair.exchange()
        pair.server.drain(now: pair.now)
        pair.exchange()
        #expect(pair.collector.goAways == [.noError, .noError])
        #expect(!pair.client.isFinished && !pair.client.acceptsRequests)
        body.append("last")
        body.finish()
        pair.exchange()
        #expect(pair.collector.text(id) == "last" && pair.collector.isComplete(id))
        #expect(pair.client.isFinished && pair.server.isFinished)
    }

    @Test func `a client that drains completes what it has sent`() {
        var limits = HTTP2Limits()
        limits.concurrentStreams = 1
        let pair = ClientPair(server: limits)
        pair.exchange()
        let body = ScriptedBody()
        pair.answer = { _ in HTTPResponse(status: .ok, body: .stream(body)) }
        let ids = [pair.send(ClientPair.request()), pair.send(ClientPair.request())]
        pair.exchange()
        pair.client.drain()
        pair.client.drain()
        pair.exchange()
        #expect(pair.collector.failures == [ids[1].rawValue: .unprocessed])
        #expect(throws: HTTP2SendError.closing) { try pair.client.send(ClientPair.request()) }
        body.append("last")
        body.finish()
        pair.exchange()
        #expect(pair.collector.text(ids[0]) == "last")
        #expect(pair.client.isFinished && pair.server.isFinished)
        #expect(pair.client.ending == nil)
    }

    @Test func `when the socket is closed, only requests that were never written may be sent again`() {
        let server = RawServer(settings: [(ClientClosingTests.maxStreams, 2)])
        let bodies = (0..<3).map { _ in SilentBody() }
        let complete = server.request()
        server.collector.reads = false
        server.send(.headers(1, RawServer.ok, endsStream: false), .data(1, [1, 2]))
        let ids = bodies.map { body in
            let id = (try? server.client.send(ClientPair.request(.post), content: body)) ?? complete
            if body === bodies[0] { server.step() }
            return id
        }
        server.client.close()
        server.client.close()
        server.collector.handleEvents(of: server.client)
        #expect(ids.map(server.failure) == [.connectionEnded, .unprocessed, .unprocessed])
        #expect(bodies.allSatisfy { $0.isStopped })
        #expect(server.client.requestCount == 0 && server.client.deadline == nil)
        // What is complete can still be read.
        server.collector.readers[1]?.read()
        #expect(server.collector.content(complete) == [1, 2] && server.collector.isComplete(complete))
        #expect(throws: HTTP2SendError.closing) { try server.client.send(ClientPair.request()) }
    }

    @Test func `a request whose head was just written may have been processed`() {
        let client = HTTP2ClientConnection(limits: HTTP2ClientLimits(), now: MonotonicTime(nanoseconds: 1))
        let collector = ResponseCollector()
        let ids = (0..<3).compactMap { _ in try? client.send(ClientPair.request()) }
        // A write ends with its first frame that reaches the limit.
        var output: [UInt8] = []
        while Frame.reading(Array(output.dropFirst(24))).last?.kind != Frame.Kind.headers {
            client.write(into: &output, limit: output.count + 1)
        }
        client.close()
        collector.handleEvents(of: client)
        #expect(ids.map { collector.failures[$0.rawValue] } == [.connectionEnded, .unprocessed, .unprocessed])
    }

    @Test func `a request that was not sent can be cancelled twice`() {
        let pair = ClientPair()
        let id = pair.send(ClientPair.request())
        pair.client.cancel(id)
        pair.client.cancel(id)
        let next = pair.send(ClientPair.request())
        pair.exchange()
        #expect(pair.collector.isComplete(next) && pair.server.ending == nil)
    }

    @Test func `a body that outlives its connection does not read, and may be stopped`() throws {
        var server: RawServer? = RawServer()
        server?.request()
        server?.collector.reads = false
        server?.send(.headers(1, RawServer.ok, endsStream: false), .data(1, [1, 2], endsStream: false))
        let reader = try #require(server?.collector.readers[1])
        server?.client.close()
        server = nil
        reader.read()
        #expect(reader.bytes.isEmpty && !reader.isFinished)
        reader.body.stop()
    }
}
