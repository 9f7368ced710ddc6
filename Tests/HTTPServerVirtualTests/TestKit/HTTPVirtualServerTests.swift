import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

@Suite struct HTTPVirtualServerTests {
    private let ok: HTTPTestServer.Respond = { request, loop in
        .response(HTTPResponse(status: .ok, body: .bytes(Array("\(request.peer.address) \(loop.index)".utf8))))
    }

    @Test func `a wait fails immediately when the server has nothing left to do`() throws {
        let server = try HTTPVirtualServer(respond: ok)
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\n")
        #expect(throws: HTTPTestError.self) { try client.receiveResponse() }
        try client.send("Host: h\r\n\r\n")
        #expect(try client.receiveResponse().text == "192.0.2.1 0")
    }

    @Test func `time passes only on request, and all timers that are due fire in order`() throws {
        let server = try HTTPVirtualServer { _, loop in
            let promise = DeferredResponse()
            _ = loop.schedule(after: .seconds(3600)) {
                let text = "\(loop.now.nanoseconds)"
                promise.fulfil(HTTPResponse(status: .ok, body: .bytes(Array(text.utf8))))
            }
            return .deferred(promise)
        }
        let start = server.now
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        server.advance(by: .seconds(3599))
        #expect(throws: HTTPTestError.self) { try client.receiveHead() }
        server.advance(by: .seconds(30))
        let due = (start + .seconds(3600)).nanoseconds
        #expect(try client.receiveResponse().text == "\(due)")
        #expect(server.now == start + .seconds(3629))
    }

    @Test func `requests are answered on the loop of their placement`() throws {
        let server = try HTTPVirtualServer(
            configure: { $0.loopCount = 3 }, placement: { $0.target.dropFirst().first?.wholeNumberValue }, respond: ok)
        let clients = try (0..<3).map { loop in
            try server.connect(from: HTTPPeer(address: "198.51.100.7", port: 1), on: loop)
        }
        for client in clients {
            for index in [0, 1, 2, 1, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2] {
                try client.send("GET /\(index) HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.receiveResponse().text == "198.51.100.7 \(index)")
            }
        }
        #expect(server.connectionCount == 3)
    }

    @Test func `a client distinguishes a close from a reset`() throws {
        let server = try HTTPVirtualServer(configure: { $0.writeTimeout = .seconds(5) }) { _, _ in
            .response(HTTPResponse(status: .ok, body: .stream(HTTPTestStream(endless: 65))))
        }
        let idle = try server.connect()
        server.advance(by: .seconds(20))
        #expect(try idle.receiveToEnd().isEmpty)
        #expect(!idle.wasReset)
        let slow = try server.connect(receiveBuffer: 4096)
        try slow.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        server.advance(by: .seconds(20))
        #expect(server.connectionCount == 0)
        _ = try slow.receiveToEnd()
    }

    @Test(arguments: [false, true])
    func `the server detects that a client has closed or reset its connection`(_ byReset: Bool) throws {
        let stream = HTTPTestStream("x")
        let server = try HTTPVirtualServer { _, _ in .response(HTTPResponse(status: .ok, body: .stream(stream))) }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try client.receiveHead()
        if byReset { client.reset() } else { client.close() }
        server.run()
        #expect(stream.isStopped)
        #expect(server.connectionCount == 0)
    }

    @Test func `a drain closes idle connections and completes responses`() throws {
        let stream = HTTPTestStream("x")
        let server = try HTTPVirtualServer(drain: { _ in stream.finish() }) { request, _ in
            .response(HTTPResponse(status: .ok, body: request.target == "/" ? .stream(stream) : .empty))
        }
        let (idle, busy) = (try server.connect(), try server.connect())
        try idle.send("GET /once HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try idle.receiveResponse().status == 200)
        try busy.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try busy.receiveHead()
        server.drain()
        #expect(try idle.receiveToEnd().isEmpty)
        #expect(String(decoding: try busy.receiveToEnd(), as: UTF8.self) == "1\r\nx\r\n0\r\n\r\n")
        server.advance(by: .seconds(3))
        #expect(server.connectionCount == 0)
    }

    @Test func `per-client limits apply to the clients that proxies name`() throws {
        let server = try HTTPVirtualServer(
            configure: { configuration in
                configuration.connectionsPerClient = 1
                configuration.proxies = [AddressRange("10.0.0.0/8")].compactMap { $0 }
            }, respond: ok)
        let one = try server.connect(from: HTTPPeer(address: "203.0.113.1", port: 1))
        let two = try server.connect(from: HTTPPeer(address: "203.0.113.1", port: 2))
        #expect(try two.receiveResponse().status == 429)
        let proxied = try server.connect(from: HTTPPeer(address: "10.1.1.1", port: 3))
        try proxied.send("PROXY TCP4 203.0.113.9 10.1.1.2 5 80\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try proxied.receiveResponse().text == "203.0.113.9 0")
        try one.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try one.receiveResponse().status == 200)
    }
}
