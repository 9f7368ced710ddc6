import HTTP2
import HTTPModel
import HTTPServerTesting
import Testing

/// Flow control of a client's connection (RFC 9113 §5.2): windows open as responses are read.
@Suite struct ClientFlowTests {
    private func windows(stream: Int, connection: Int) -> HTTP2ClientLimits {
        var limits = HTTP2ClientLimits()
        (limits.connection.streamWindow, limits.connection.connectionWindow) = (stream, connection)
        return limits
    }

    @Test func `a response that nobody reads stops the server at the window of its stream`() throws {
        let pair = ClientPair(windows(stream: 1000, connection: 1 << 20))
        let body = EndlessBody(count: 10_000)
        pair.answer = { _ in HTTPResponse(status: .ok, body: .stream(body)) }
        pair.collector.reads = false
        let id = pair.send(ClientPair.request())
        pair.exchange()
        #expect(body.remaining == 9000)
        let reader = try #require(pair.collector.readers[id.rawValue])
        // Less than half of the window is not worth an update.
        reader.read(atMost: 400)
        pair.exchange()
        #expect(body.remaining == 9000)
        let notices = pair.outputNotices
        reader.read(atMost: 100)
        #expect(pair.outputNotices == notices + 1)
        pair.exchange()
        #expect(body.remaining == 8500)
        reader.reads = true
        pair.exchange()
        #expect(reader.isFinished && reader.bytes.count == 10_000)
    }

    @Test func `all responses share the window of the connection, which is released when they are read or dropped`() {
        // The window of a connection cannot be smaller than 65,535 bytes at its beginning.
        let pair = ClientPair(windows(stream: 40_000, connection: 65_535))
        var bodies: [EndlessBody] = []
        pair.answer = { _ in
            let body = EndlessBody(count: 40_000)
            bodies.append(body)
            return HTTPResponse(status: .ok, body: .stream(body))
        }
        pair.collector.reads = false
        let ids = (0..<4).map { _ in pair.send(ClientPair.request()) }
        pair.exchange()
        func sent() -> Int { bodies.map { 40_000 - $0.remaining }.reduce(0, +) }
        #expect(sent() == 65_535)
        // Two are read, one is cancelled, and one is stopped.
        pair.collector.readers[ids[0].rawValue]?.reads = true
        pair.exchange()
        pair.client.cancel(ids[1])
        pair.exchange()
        pair.collector.readers[ids[2].rawValue]?.body.stop()
        pair.exchange()
        pair.collector.readers[ids[3].rawValue]?.reads = true
        pair.exchange()
        #expect(pair.collector.isComplete(ids[0]) && pair.collector.isComplete(ids[3]))
        #expect(!pair.collector.isComplete(ids[1]) && !pair.collector.isComplete(ids[2]))
        #expect(pair.collector.failures.isEmpty)
        #expect(pair.client.requestCount == 0)
        // Everything is available again.
        pair.collector.reads = true
        let last = (0..<10).map { _ in pair.send(ClientPair.request()) }
        pair.exchange()
        #expect(last.allSatisfy(pair.collector.isComplete))
    }

    @Test(arguments: ["stopped", "forgotten", "cancelled before its event"])
    func `a complete response that nobody reads releases the window`(_ end: String) {
        let pair = ClientPair(windows(stream: 30_000, connection: 65_535))
        final class Body: HTTPBodyStream {
            func start(_ consumer: any HTTPBodyConsumer) {}
            func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
                buffer += Array(repeating: 1, count: 1000)
                return .finished
            }
            // With trailers, a response is a stream in any case.
            let trailers: HTTPFields = ["x-a": "1"]
            func stop() {}
        }
        pair.answer = { _ in HTTPResponse(status: .ok, body: .stream(Body())) }
        var request = ClientPair.request()
        request.fields = ["te": "trailers"]
        pair.collector.reads = false
        for _ in 0..<200 {
            let id = pair.send(request)
            if end == "cancelled before its event" {
                var bytes: [UInt8] = []
                for _ in 0..<3 {
                    pair.client.write(into: &bytes, limit: 1 << 20)
                    bytes.withUnsafeBytes { pair.server.receive($0, now: pair.now) }
                    while case .request(let id, let request)? = pair.server.nextEvent() {
                        pair.answer(request).map { pair.server.respond(to: id, with: $0, date: []) }
                    }
                    bytes = []
                    pair.server.write(into: &bytes, limit: 1 << 20)
                    bytes.withUnsafeBytes { pair.client.receive($0, now: pair.now) }
                    bytes = []
                }
                #expect(pair.client.hasEvents)
                pair.client.cancel(id)
            }
            pair.exchange()
            if end == "stopped" { pair.collector.readers[id.rawValue]?.body.stop() }
            if end == "forgotten" { pair.collector.forgetResponse(id) }
        }
        pair.collector.reads = true
        let id = pair.send(request)
        pair.exchange()
        #expect(pair.collector.isComplete(id))
    }

    @Test func `content of a request is read only while the server's windows are open`() {
        var limits = HTTP2Limits()
        limits.streamWindow = 100
        let pair = ClientPair(server: limits)
        pair.perform(.serverWrites, atMost: .max)
        pair.perform(.clientReads, atMost: .max)
        let body = EndlessBody(count: 100_000)
        pair.send(ClientPair.request(.post), content: body)
        pair.perform(.clientWrites, atMost: .max)
        #expect(body.remaining == 99_900)
        pair.exchange()
        #expect(pair.requests.map(\.body.count) == [100_000])
    }

    @Test(arguments: [1, 2, 7, 100]) func `tiny windows in both directions only take longer`(_ window: Int) {
        var limits = windows(stream: window, connection: 65_535)
        limits.connection.worklessFrames = 1 << 20
        var serverLimits = HTTP2Limits()
        serverLimits.streamWindow = window
        serverLimits.worklessFrames = 1 << 20
        let pair = ClientPair(limits, server: serverLimits)
        let ids = (0..<3).map { pair.send(ClientPair.request(.post, body: Array(repeating: UInt8($0), count: 1000))) }
        pair.exchange()
        for (index, id) in ids.enumerated() {
            #expect(pair.collector.content(id) == Array(repeating: UInt8(index), count: 1000))
        }
    }

    @Test func `content that exceeds a window ends the stream, or the connection`() {
        let server = RawServer(windows(stream: 100, connection: 65_535))
        let id = server.request()
        server.collector.reads = false
        server.send(.headers(1, RawServer.ok, endsStream: false))
        server.send(.data(1, Array(repeating: 1, count: 101), endsStream: false))
        #expect(server.failure(id) == .protocolViolation(.flowControlError))
        #expect(server.frames(Frame.Kind.reset, on: 1).map(\.code) == [HTTP2ErrorCode.flowControlError.rawValue])
        #expect(server.client.ending == nil)

        let other = RawServer(windows(stream: 1 << 20, connection: 65_535))
        other.collector.reads = false
        let lost = other.request()
        other.send(.headers(1, RawServer.ok, endsStream: false))
        for _ in 0..<4 { other.send(.data(1, Array(repeating: 1, count: 16_384), endsStream: false)) }
        #expect(other.client.ending == .protocolViolation(.flowControlError))
        #expect(other.failure(lost) == .connectionEnded)
    }

    @Test func `padding counts towards the windows, which it does not use up`() {
        let server = RawServer(windows(stream: 1000, connection: 65_535))
        let id = server.request()
        server.send(.headers(1, RawServer.ok, endsStream: false))
        for _ in 0..<500 {
            let padded = [200] + [0x61] + Array(repeating: UInt8(0), count: 200)
            server.send(Frame(kind: Frame.Kind.data, flags: Frame.padded, stream: 1, payload: padded))
        }
        server.send(.data(1, []))
        #expect(server.client.ending == nil)
        #expect(server.collector.content(id).count == 500)
        #expect(server.collector.isComplete(id))
    }
}
