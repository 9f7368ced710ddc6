import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Testing

/// Clients that close their sending side after a request.
@Suite struct HalfCloseTests {
    private let streams = Lock<[HTTPTestStream]>([])
    private static let large = Array(repeating: UInt8(ascii: "l"), count: 300_000)

    private func server() throws -> HTTPVirtualServer {
        var prepared = HTTPServerConfiguration()
        try HTTPTestWire.configure(&prepared)
        return try HTTPVirtualServer(configure: { $0 = prepared }) { [streams] request, loop in
            func stream(_ fields: HTTPFields, _ start: String) -> HTTPAnswer {
                let stream = HTTPTestStream(start)
                streams.withLock { $0.append(stream) }
                return .response(HTTPResponse(status: .ok, fields: fields, body: .stream(stream)))
            }
            switch request.path {
            case "/large": return .response(HTTPResponse(status: .ok, body: .bytes(HalfCloseTests.large)))
            case "/made":
                let answer = stream([:], String(repeating: "m", count: 200_000))
                streams.withLock { $0.last?.finish() }
                return answer
            case "/part":
                let answer = stream([:], "part")
                for number in 1...3 {
                    _ = loop.schedule(after: .milliseconds(4999) * number) {
                        streams.withLock { $0[0] }.append("more")
                    }
                }
                return answer
            case "/events": return stream([.contentType: "text/event-stream; charset=utf-8"], "data: 1\n\n")
            case "/later":
                let promise = DeferredResponse()
                _ = loop.schedule(after: .seconds(20)) {
                    promise.fulfil(HTTPResponse(status: .ok, body: .bytes(Array("kept".utf8))))
                }
                return .deferred(promise)
            default: return .response(HTTPResponse(status: .ok, body: .bytes(Array("ok".utf8))))
            }
        }
    }

    /// The way in which a client ends its sending side.
    enum End: CaseIterable {
        case socket, tls, both
    }

    private func finish(_ client: HTTPTestClient, _ end: End) throws {
        if end != .socket { try client.finishSendingTLS() }
        if end != .tls { client.finishSending() }
    }

    static let ends: [(HTTPTestWire, End)] =
        [(.http1, .socket), (.http2, .socket)]
        + End.allCases.flatMap { [(.http1OverTLS, $0), (.http2OverTLS, $0)] }

    /// Sends a request and ends the client's side, immediately or after the server has read the request.
    private func ask(
        _ path: String, _ wire: HTTPTestWire, _ end: End, _ server: HTTPVirtualServer, isLate: Bool = false
    ) throws -> HTTPTestClient {
        let client = try wire.open(server)
        if wire.isSecure { try client.beginTLS(TLSTestOptions(protocols: [wire.isMultiplexed ? "h2" : "http/1.1"])) }
        if wire.isMultiplexed {
            // The windows hold the whole response, because nothing opens them later.
            let greeting = HTTP2TestFlood(name: "", settings: [(4, 1 << 24)]) { _ in [] }.greeting
            let head = [(":method", "GET"), (":scheme", wire.scheme), (":path", path), (":authority", "h")]
            let frames = [HTTP2TestFrame.windowUpdate(0, by: 1 << 24), .headers(1, head)]
            try client.send(greeting + frames.flatMap(\.bytes))
        } else {
            try client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
        }
        if isLate { server.run() }
        try finish(client, end)
        return client
    }

    /// Returns the content that a client received until its connection ended.
    private func content(_ client: HTTPTestClient, _ wire: HTTPTestWire) throws -> [UInt8] {
        guard wire.isMultiplexed else { return try client.receiveResponse().body }
        return HTTP2TestFrame.reading(try client.receiveToEnd()).filter { $0.kind == HTTP2TestFrame.Kind.data }
            .flatMap(\.payload)
    }

    @Test(arguments: ends, [false, true])
    func `a response is complete whatever body it has`(_ how: (wire: HTTPTestWire, end: End), isLate: Bool) throws {
        for (path, expected) in [
            ("/", Array("ok".utf8)), ("/large", HalfCloseTests.large),
            ("/made", Array(repeating: UInt8(ascii: "m"), count: 200_000)),
        ] {
            let server = try server()
            let client = try ask(path, how.wire, how.end, server, isLate: isLate)
            #expect(try content(client, how.wire) == expected, "\(path)")
            #expect(try client.receiveToEnd().isEmpty)
            #expect(!client.wasReset)
            #expect(client.hasEndedTLS == how.wire.isSecure)
            client.close()
            server.run()
            #expect(server.connectionCount == 0)
        }
    }

    @Test(arguments: ends)
    func `a deferred response is delivered`(_ how: (wire: HTTPTestWire, end: End)) throws {
        let server = try server()
        let client = try ask("/later", how.wire, how.end, server)
        server.run()
        let rounds = server.rounds
        server.run()
        // The connection does not run while it waits.
        #expect(server.rounds - rounds <= 1)
        server.advance(by: .seconds(20))
        #expect(try content(client, how.wire) == Array("kept".utf8))
    }

    @Test(arguments: ends, [false, true])
    func `an event stream ends`(_ how: (wire: HTTPTestWire, end: End), isLate: Bool) throws {
        // After an event stream has begun, the server does not read TLS input unless the socket itself was closed.
        if isLate, how.end == .tls, !how.wire.isMultiplexed { return }
        let server = try server()
        let client = try ask("/events", how.wire, how.end, server, isLate: isLate)
        server.run()
        #expect(streams.withLock { $0.map(\.isStopped) } == [true])
        _ = try client.receiveToEnd()
        client.close()
        server.run()
        #expect(server.connectionCount == 0)
    }

    @Test func `requests before an event stream are answered`() throws {
        let server = try server()
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET /events HTTP/1.1\r\nHost: h\r\n\r\n")
        client.finishSending()
        #expect(try client.receiveResponse().text == "ok")
        #expect(try client.receiveHead().status == 200)
        #expect(String(decoding: try client.receiveToEnd(), as: UTF8.self) == "0\r\n\r\n")
    }

    @Test(arguments: ends)
    func `a stalled body ends the connection after a timeout, and progress restarts the timeout`(
        _ how: (wire: HTTPTestWire, end: End)
    ) throws {
        let server = try server()
        let client = try ask("/part", how.wire, how.end, server)
        server.run()
        server.advance(by: .milliseconds(4999) * 3)
        #expect(streams.withLock { $0[0].bytesRead } == "part".count + 3 * "more".count)
        // The client may be gone, so it has half of the usual timeout.
        server.advance(by: .milliseconds(4999))
        #expect(server.connectionCount == 1)
        server.advance(by: .milliseconds(1))
        #expect(server.connectionCount == 0)
        #expect(streams.withLock { $0[0].isStopped })
        _ = client
    }

    @Test(arguments: [HTTPTestWire.http1, .http1OverTLS, .http2, .http2OverTLS])
    func `a client that does not read its response is disconnected, and uses no processor time until then`(
        _ wire: HTTPTestWire
    ) throws {
        let server = try server()
        let client = try wire.open(server, receiveBuffer: 4096)
        if wire.isSecure { try client.beginTLS(TLSTestOptions(protocols: [wire.isMultiplexed ? "h2" : "http/1.1"])) }
        if wire.isMultiplexed {
            let greeting = HTTP2TestFlood(name: "", settings: [(4, 1 << 24)]) { _ in [] }.greeting
            let head = [(":method", "GET"), (":scheme", wire.scheme), (":path", "/large"), (":authority", "h")]
            let frames = [HTTP2TestFrame.windowUpdate(0, by: 1 << 24), .headers(1, head)]
            try client.send(greeting + frames.flatMap(\.bytes))
        } else {
            try client.send("GET /large HTTP/1.1\r\nHost: h\r\n\r\n")
        }
        client.finishSending()
        server.run()
        let rounds = server.rounds
        server.advance(by: .seconds(44))
        #expect(server.connectionCount == 1)
        #expect(server.rounds - rounds < 200)
        server.advance(by: .seconds(2))
        #expect(server.connectionCount == 0)
    }
}
