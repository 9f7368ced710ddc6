import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Testing

/// The work that one connection can cause in a round, however much it sends.
@Suite struct StepTests {
    private static let requests = 50_000
    /// The number of bytes that are sent before each run of the server.
    private static let burst = 48 << 10

    private let answered = Lock(0)

    private func server() throws -> HTTPVirtualServer {
        var prepared = HTTPServerConfiguration()
        try HTTPTestWire.configure(&prepared)
        return try HTTPVirtualServer(configure: { $0 = prepared }) { [answered] request, _ in
            if request.path != "/beside" { answered.withLock { $0 += 1 } }
            return .response(HTTPResponse(status: .noContent))
        }
    }

    /// Returns a request: over HTTP/2 with an empty body and trailers, otherwise for a pipeline.
    private func request(_ index: Int, _ wire: HTTPTestWire) -> [UInt8] {
        guard wire.isMultiplexed else { return Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8) }
        let id = Int32(2 * index + 1)
        let head = [(":method", "POST"), (":scheme", wire.scheme), (":path", "/"), (":authority", "h")]
        return HTTP2TestFrame.headers(id, head, endsStream: false).bytes
            + HTTP2TestFrame.headers(id, [("x-end", "1")]).bytes
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `each round answers a few of fifty thousand requests, and other clients do not wait`(
        _ wire: HTTPTestWire
    ) throws {
        let server = try server()
        let beside = try HTTPTestWire.http1.connect(to: server)
        #expect(try beside.get("/beside").status == 204)
        let client = try wire.open(server)
        if wire.isSecure { try client.beginTLS(TLSTestOptions(protocols: [wire.isMultiplexed ? "h2" : "http/1.1"])) }
        if wire.isMultiplexed { try client.send(HTTP2TestFlood(name: "") { _ in [] }.greeting) }
        server.run()
        var (sent, before, most, longest) = (0, 0, 0, 0)
        while before < StepTests.requests {
            var burst: [UInt8] = []
            while burst.count < StepTests.burst, sent < StepTests.requests {
                burst += request(sent, wire)
                sent += 1
            }
            try client.send(burst)
            try beside.socket.send("GET /beside HTTP/1.1\r\nHost: h\r\n\r\n")
            let start = server.rounds
            while answered.withLock({ $0 }) < sent || beside.socket.pending.isEmpty {
                try #require(server.runRound(), "the server is idle after responding to \(before) of \(sent) requests")
                let now = answered.withLock { $0 }
                most = max(most, now - before)
                before = now
                try client.discard()
                try beside.socket.receiveAvailable()
                if beside.socket.pending.isEmpty { longest = max(longest, server.rounds - start) }
            }
            _ = try beside.socket.receiveResponse()
        }
        // One step for new bytes, and one for the remaining bytes.
        #expect(most <= 2 * (wire.isMultiplexed ? 128 : 32))
        #expect(longest <= 1)
        #expect(!client.hasEnded)
    }

    @Test(arguments: [HTTPTestWire.http2, .http2OverTLS])
    func `requests that were held back are answered once the client reads responses`(_ wire: HTTPTestWire) throws {
        let server = try server()
        let client = try wire.open(server, receiveBuffer: 4096)
        if wire.isSecure { try client.beginTLS(TLSTestOptions(protocols: ["h2"])) }
        try client.send(HTTP2TestFlood(name: "") { _ in [] }.greeting)
        // The client reads nothing, so the server stops before it has answered all requests.
        try client.send((0..<900).flatMap { request($0, wire) })
        server.run()
        let held = answered.withLock { $0 }
        #expect(held < 900)
        for _ in 0..<1000 where answered.withLock({ $0 }) < 900 {
            try client.discard()
            server.run()
        }
        #expect(answered.withLock { $0 } == 900)
        #expect(!client.hasEnded)
    }

    @Test func `a client that half-closes after its requests gets all responses`() throws {
        let server = try server()
        let client = try HTTPTestWire.http2.open(server)
        let greeting = HTTP2TestFlood(name: "") { _ in [] }.greeting
        try client.send(greeting + (0..<900).flatMap { request($0, .http2) })
        client.finishSending()
        let answers = HTTP2TestFrame.reading(try client.receiveToEnd())
        #expect(answers.count { $0.kind == HTTP2TestFrame.Kind.headers } == 900)
        #expect(!client.wasReset)
        #expect(server.connectionCount == 0)
    }

    /// The paths of the requests, in the order in which they were answered.
    private let order = Lock<[String]>([])

    /// Returns a server whose responses take a millisecond each, and whose last loop responds to all requests.
    private func slowServer(loops: Int = 1) throws -> HTTPVirtualServer {
        var prepared = HTTPServerConfiguration()
        try HTTPTestWire.configure(&prepared)
        prepared.loopCount = loops
        return try HTTPVirtualServer(
            configure: { $0 = prepared }, placement: { _ in loops - 1 }, timePerRequest: .milliseconds(1)
        ) { [order] request, _ in
            order.withLock { $0.append(String(request.path)) }
            return .response(HTTPResponse(status: .noContent))
        }
    }

    /// Returns a client that can send requests.
    private func client(_ wire: HTTPTestWire, of server: HTTPVirtualServer) throws -> HTTPTestClient {
        let client = try wire.open(server)
        if wire.isSecure { try client.beginTLS(TLSTestOptions(protocols: [wire.isMultiplexed ? "h2" : "http/1.1"])) }
        if wire.isMultiplexed { try client.send(HTTP2TestFlood(name: "") { _ in [] }.greeting) }
        server.run()
        return client
    }

    /// Returns requests, which are the client's first ones.
    private func requests(_ range: Range<Int>, for path: String, _ wire: HTTPTestWire) -> [UInt8] {
        guard wire.isMultiplexed else {
            return range.flatMap { _ in Array("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n".utf8) }
        }
        let head = [(":method", "GET"), (":scheme", wire.scheme), (":path", path), (":authority", "h")]
        return range.flatMap { HTTP2TestFrame.headers(Int32(2 * $0 + 1), head, endsStream: true).bytes }
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `another client's request is answered after a few long ones`(_ wire: HTTPTestWire) throws {
        let server = try slowServer()
        let (beside, flooding) = (try client(.http1, of: server), try client(wire, of: server))
        try flooding.send(requests(0..<200, for: "/flood", wire))
        for _ in 0..<20 {
            let before = order.withLock { $0.count }
            try beside.send("GET /beside HTTP/1.1\r\nHost: h\r\n\r\n")
            while beside.pending.isEmpty {
                try #require(server.runRound())
                try beside.receiveAvailable()
                try flooding.discard()
            }
            _ = try beside.receiveResponse()
            let answered = order.withLock { $0[before...] }
            // Those before it, and those after it in the same round.
            #expect(answered.count <= 6)
            #expect(answered.count { $0 == "/beside" } == 1)
        }
        #expect(order.withLock { $0.count } < 200)
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `two clients with many requests are answered in turn`(_ wire: HTTPTestWire) throws {
        let server = try slowServer()
        let (one, other) = (try client(wire, of: server), try client(wire, of: server))
        try one.send(requests(0..<200, for: "/one", wire))
        try other.send(requests(0..<200, for: "/other", wire))
        while order.withLock({ $0.count }) < 400 {
            try #require(server.runRound())
            try one.discard()
            try other.discard()
        }
        var (lead, most) = (0, 0)
        for path in order.withLock({ $0 }) {
            lead += path == "/one" ? 1 : -1
            most = max(most, abs(lead))
        }
        #expect(most <= 6)
    }

    @Test func `a request for another loop is answered after a few long ones of another client`() throws {
        let server = try slowServer(loops: 2)
        let (beside, flooding) = (try client(.http2, of: server), try client(.http2, of: server))
        try flooding.send(requests(0..<200, for: "/flood", .http2))
        while order.withLock({ $0.isEmpty }) { try #require(server.runRound()) }
        for index in 0..<20 {
            let before = order.withLock { $0.count }
            try beside.send(requests(index..<(index + 1), for: "/beside", .http2))
            while order.withLock({ !$0[before...].contains("/beside") }) {
                try #require(server.runRound())
                try flooding.discard()
            }
            #expect(order.withLock { $0.count } - before <= 6)
        }
        #expect(order.withLock { $0.count } < 200)
    }
}
