import HTTP2Testing
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
}
