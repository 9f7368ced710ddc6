import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

/// All timeouts of clients, to the millisecond, over every transport.
@Suite struct DeadlineTests {
    private static let instant = Duration.milliseconds(1)

    private func server(_ configure: (inout HTTPServerConfiguration) -> Void = { _ in }) throws -> HTTPVirtualServer {
        var prepared = HTTPServerConfiguration()
        try HTTPTestWire.configure(&prepared)
        prepared.tls?.handshakeTimeout = .seconds(7)
        prepared.headTimeout = .seconds(10)
        prepared.bodyTimeout = .seconds(20)
        prepared.bodyRate = 1000
        prepared.writeTimeout = .seconds(45)
        prepared.idleTimeout = .seconds(60)
        prepared.lingerTimeout = .seconds(2)
        configure(&prepared)
        return try HTTPVirtualServer(configure: { $0 = prepared }) { request, _ in
            let body: HTTPResponseBody =
                request.target == HTTP2TestFlood.endlessPath
                ? .stream(HTTPTestStream(endless: 65)) : .bytes(Array("ok".utf8))
            return .response(HTTPResponse(status: .ok, body: body))
        }
    }

    /// Returns a client that has negotiated its protocol but has sent no request.
    private func client(_ wire: HTTPTestWire, _ server: HTTPVirtualServer) throws -> HTTPTestClient {
        let client = try wire.open(server)
        if wire.isSecure { try client.beginTLS(TLSTestOptions(protocols: [wire.isMultiplexed ? "h2" : "http/1.1"])) }
        return client
    }

    /// Expects the connection to stay open until just before a deadline, and to be closed at it.
    private func expectEnd(of server: HTTPVirtualServer, after duration: Duration, _ what: String = "") {
        server.advance(by: duration - DeadlineTests.instant)
        #expect(server.connectionCount == 1, "\(what)")
        server.advance(by: DeadlineTests.instant)
        #expect(server.connectionCount == 0, "\(what)")
    }

    private static let greeting = HTTP2TestFlood(name: "") { _ in [] }.greeting

    private static let post = [(":method", "POST"), (":scheme", "http"), (":path", "/"), (":authority", "h")]

    private static func get(_ path: String = "/") -> [(String, String)] {
        [(":method", "GET"), (":scheme", "http"), (":path", path), (":authority", "h")]
    }

    // Handshakes

    @Test(arguments: [[], [0x16], [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]] as [[UInt8]])
    func `a handshake has a timeout`(_ start: [UInt8]) throws {
        let server = try server()
        let client = try server.connectToSecurePort()
        try client.send(start)
        server.run()
        expectEnd(of: server, after: .seconds(7))
    }

    @Test func `a handshake that continues byte by byte is not given more time`() throws {
        let server = try server()
        let client = try server.connectToSecurePort()
        client.fault = HTTPTestFault(pieces: 1, incidents: [:])
        for byte in [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00] as [UInt8] {
            #expect(server.connectionCount <= 1)
            try client.send([byte])
            server.advance(by: .milliseconds(999))
        }
        #expect(server.connectionCount == 1)
        server.advance(by: .milliseconds(7))
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: [HTTPTestWire.http2, .http2OverTLS])
    func `the preface and the settings of HTTP 2 have a timeout`(_ wire: HTTPTestWire) throws {
        for count in [0, 1, 23, 24, 30] {
            let server = try server()
            let client = try client(wire, server)
            try client.send(Array(DeadlineTests.greeting.prefix(count)))
            server.run()
            server.advance(by: .milliseconds(9999))
            #expect(server.connectionCount == 1)
            // A client that has sent something is notified, and has a moment to read the reason.
            server.advance(by: .milliseconds(1) + .seconds(2))
            #expect(server.connectionCount == 0, "\(count) bytes")
        }
    }

    // Heads

    @Test(arguments: [HTTPTestWire.http1, .http1OverTLS])
    func `a connection without a request is closed silently`(_ wire: HTTPTestWire) throws {
        let server = try server()
        let client = try client(wire, server)
        server.run()
        expectEnd(of: server, after: .seconds(10))
        #expect(try client.receiveToEnd().isEmpty)
        #expect(!client.wasReset)
    }

    @Test(arguments: [HTTPTestWire.http1, .http1OverTLS])
    func `the timeout of a head starts at its first byte, however slowly it arrives`(_ wire: HTTPTestWire) throws {
        for isSecond in [false, true] {
            let server = try server()
            let client = try client(wire, server)
            if isSecond {
                try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.receiveResponse().status == 200)
            }
            server.advance(by: .seconds(5))
            for byte in "GET / HTT".utf8 {
                try client.send([byte])
                server.advance(by: .seconds(1))
            }
            try client.receiveAvailable()
            #expect(client.pending.isEmpty)
            server.advance(by: .seconds(1))
            let response = try client.receiveResponse()
            #expect(response.status == 408)
            #expect(response.problemKind == "request-timeout")
            expectEnd(of: server, after: .seconds(2))
        }
    }

    @Test(arguments: [HTTPTestWire.http2, .http2OverTLS])
    func `a header block has a timeout, however slowly it arrives`(_ wire: HTTPTestWire) throws {
        let server = try server()
        let client = try client(wire, server)
        let block = HTTP2TestFrame.block(1, [0x82], endsHeaders: false)
        try client.send(DeadlineTests.greeting + block.bytes)
        for _ in 0..<5 {
            server.advance(by: .milliseconds(1999))
            try client.send(HTTP2TestFrame.continuation(1, [0x00]).bytes.dropLast(1) + [])
            try client.send([0x82])
        }
        server.advance(by: .milliseconds(5))
        try client.receiveAvailable()
        #expect(HTTP2TestFrame.reading(client.pending).last?.kind == HTTP2TestFrame.Kind.goAway)
        expectEnd(of: server, after: .seconds(2))
    }

    // Bodies

    @Test(arguments: [HTTPTestWire.http1, .http1OverTLS])
    func `a body has a timeout that is extended by received content`(_ wire: HTTPTestWire) throws {
        for count in [0, 1, 5000] {
            let server = try server()
            let client = try client(wire, server)
            try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9000\r\n\r\n")
            try client.send(Array(repeating: 1, count: count))
            server.advance(by: .seconds(20) + .milliseconds(count) - .milliseconds(1))
            try client.receiveAvailable()
            #expect(client.pending.isEmpty)
            server.advance(by: .milliseconds(1))
            #expect(try client.receiveResponse().status == 408)
            expectEnd(of: server, after: .seconds(2))
        }
    }

    @Test(arguments: [HTTPTestWire.http2, .http2OverTLS])
    func `the body of a stream has a timeout that is extended by received content`(_ wire: HTTPTestWire) throws {
        for count in [0, 1, 5000] {
            let server = try server()
            let socket = try HTTP2TestConnection(over: client(wire, server)).socket
            // A second stream that starts later has its own timeout.
            try socket.send(HTTP2TestFrame.headers(1, DeadlineTests.post, endsStream: false).bytes)
            server.advance(by: .seconds(2))
            try socket.send(HTTP2TestFrame.headers(3, DeadlineTests.post, endsStream: false).bytes)
            try socket.send(HTTP2TestFrame.data(1, Array(repeating: 1, count: count), endsStream: false).bytes)
            server.advance(by: .seconds(18) + .milliseconds(count) - .milliseconds(1))
            #expect(try !isRefused(1, socket))
            server.advance(by: .milliseconds(1))
            #expect(try isRefused(1, socket), "\(count) bytes")
            server.advance(by: max(.zero, .seconds(2) - .milliseconds(count) - .milliseconds(1)))
            #expect(try isRefused(3, socket) == (count == 5000))
            server.advance(by: .milliseconds(1))
            #expect(try isRefused(3, socket))
        }
    }

    /// Returns whether a stream got a problem and the rest of its request is discarded.
    private func isRefused(_ stream: Int32, _ socket: HTTPTestClient) throws -> Bool {
        try socket.receiveAvailable()
        let kinds = HTTP2TestFrame.reading(socket.pending).filter { $0.stream == stream }.map(\.kind)
        return kinds.contains(HTTP2TestFrame.Kind.headers) && kinds.contains(HTTP2TestFrame.Kind.reset)
    }

    // Responses

    @Test(arguments: [HTTPTestWire.http1, .http1OverTLS])
    func `a reader that stops reading is disconnected`(_ wire: HTTPTestWire) throws {
        let server = try server()
        let client = try wire.open(server, receiveBuffer: 4096)
        if wire.isSecure { try client.beginTLS(TLSTestOptions(protocols: ["http/1.1"])) }
        try client.send("GET \(HTTP2TestFlood.endlessPath) HTTP/1.1\r\nHost: h\r\n\r\n")
        server.run()
        expectEnd(of: server, after: .seconds(45))
    }

    @Test(arguments: [HTTPTestWire.http1, .http1OverTLS])
    func `a reader that continues to read gets a new timeout`(_ wire: HTTPTestWire) throws {
        let server = try server()
        let client = try wire.open(server, receiveBuffer: 4096)
        if wire.isSecure { try client.beginTLS(TLSTestOptions(protocols: ["http/1.1"])) }
        try client.send("GET \(HTTP2TestFlood.endlessPath) HTTP/1.1\r\nHost: h\r\n\r\n")
        for _ in 0..<5 {
            server.advance(by: .seconds(44))
            #expect(server.connectionCount == 1)
            try client.receiveAvailable()
            server.run()
        }
        expectEnd(of: server, after: .seconds(45))
    }

    @Test(arguments: [HTTPTestWire.http2, .http2OverTLS])
    func `an HTTP 2 reader that stops reading the socket is disconnected`(_ wire: HTTPTestWire) throws {
        let server = try server()
        let client = try wire.open(server, receiveBuffer: 4096)
        if wire.isSecure { try client.beginTLS(TLSTestOptions(protocols: ["h2"])) }
        let open = [HTTP2TestFrame.windowUpdate(0, by: 1 << 30), .settings([(4, 1 << 30)])]
        let ask = HTTP2TestFrame.headers(1, DeadlineTests.get(HTTP2TestFlood.endlessPath))
        try client.send(DeadlineTests.greeting + (open + [ask]).flatMap(\.bytes))
        server.run()
        expectEnd(of: server, after: .seconds(45))
    }

    @Test(arguments: [HTTPTestWire.http2, .http2OverTLS])
    func `a stream whose window stays closed is reset shortly after the timeout`(_ wire: HTTPTestWire) throws {
        let server = try server()
        let client = try client(wire, server)
        let shut = HTTP2TestFlood(name: "", settings: [(4, 0)]) { _ in [] }.greeting
        try client.send(shut + HTTP2TestFrame.headers(1, DeadlineTests.get()).bytes)
        server.advance(by: .seconds(45))
        try client.receiveAvailable()
        #expect(!HTTP2TestFrame.reading(client.pending).contains { $0.kind == HTTP2TestFrame.Kind.reset })
        server.advance(by: .seconds(10))
        try client.receiveAvailable()
        #expect(HTTP2TestFrame.reading(client.pending).contains { $0.kind == HTTP2TestFrame.Kind.reset })
    }

    // Idleness

    @Test(arguments: [HTTPTestWire.http1, .http1OverTLS])
    func `a connection without a request is closed after the idle timeout`(_ wire: HTTPTestWire) throws {
        let server = try server()
        let client = try wire.connect(to: server)
        for _ in 0..<3 {
            #expect(try client.get("/").status == 200)
            server.advance(by: .milliseconds(59_999))
            #expect(server.connectionCount == 1)
        }
        #expect(try client.get("/").status == 200)
        expectEnd(of: server, after: .seconds(60))
        #expect(try client.socket.receiveToEnd().isEmpty)
        #expect(!client.socket.wasReset)
    }

    @Test(arguments: [HTTPTestWire.http2, .http2OverTLS])
    func `an idle HTTP 2 connection gets two GOAWAY frames and is closed`(_ wire: HTTPTestWire) throws {
        let server = try server()
        let client = try client(wire, server)
        try client.send(DeadlineTests.greeting + HTTP2TestFrame.headers(1, DeadlineTests.get()).bytes)
        server.advance(by: .milliseconds(59_999))
        try client.receiveAvailable()
        #expect(!HTTP2TestFrame.reading(client.pending).contains { $0.kind == HTTP2TestFrame.Kind.goAway })
        server.advance(by: .milliseconds(1) + .seconds(1))
        try client.receiveAvailable()
        let goAways = HTTP2TestFrame.reading(client.pending).filter { $0.kind == HTTP2TestFrame.Kind.goAway }
        #expect(goAways.map(\.code) == [0, 0])
        expectEnd(of: server, after: .seconds(2))
    }

    // The end

    @Test(arguments: [HTTPTestWire.http1, .http1OverTLS])
    func `a peer has a moment to read the last response`(_ wire: HTTPTestWire) throws {
        let server = try server()
        let client = try client(wire, server)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        server.run()
        expectEnd(of: server, after: .seconds(2))
        #expect(try client.receiveResponse().status == 200)
        #expect(!client.wasReset)
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `a client that continues to send after the end is disconnected`(_ wire: HTTPTestWire) throws {
        let server = try server()
        let client = try client(wire, server)
        try client.send(
            wire.isMultiplexed ? DeadlineTests.greeting + HTTP2TestFrame.reset(9).bytes : Array("nonsense\r\n\r\n".utf8)
        )
        for _ in 0..<40 where !client.hasEnded {
            server.advance(by: .milliseconds(50))
            do { try client.send(Array(repeating: 0, count: 1000)) } catch is HTTPTestError { break }
        }
        server.advance(by: DeadlineTests.instant)
        #expect(server.connectionCount == 0)
    }
}
