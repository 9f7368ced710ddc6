import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

/// Slow clients. Time is virtual, so that a busy machine does not slow them down further.
@Suite struct SlowClientTests {
    private func server(_ configure: (inout HTTPServerConfiguration) -> Void) throws -> HTTPVirtualServer {
        try HTTPVirtualServer(configure: configure) { _, _ in .response(HTTPResponse(status: .ok)) }
    }

    @Test(arguments: ["G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: h\r\nX"])
    func `a head that takes too long gets an error response`(_ start: String) throws {
        let server = try server { $0.headTimeout = .milliseconds(40) }
        let client = try server.connect()
        try client.send(start)
        server.advance(by: .milliseconds(40))
        let response = try client.receiveResponse()
        #expect(response.status == 408)
        #expect(response.problemKind == "request-timeout")
        #expect(response.fields.value(.connection) == "close")
    }

    @Test(arguments: ["Content-Length: 9\r\n\r\nab", "Transfer-Encoding: chunked\r\n\r\n9\r\nab"])
    func `a body that takes too long gets an error response`(_ rest: String) throws {
        let server = try server { $0.bodyTimeout = .milliseconds(40) }
        let client = try server.connect()
        try client.send("POST / HTTP/1.1\r\nHost: h\r\n\(rest)")
        server.advance(by: .milliseconds(41))
        #expect(try client.receiveResponse().status == 408)
    }

    @Test func `a second request that takes too long gets an error response`() throws {
        let server = try server { $0.headTimeout = .milliseconds(40) }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HT")
        #expect(try client.receiveResponse().status == 200)
        server.advance(by: .milliseconds(40))
        #expect(try client.receiveResponse().status == 408)
    }

    @Test func `a body that arrives fast enough may take longer than the timeout`() throws {
        let server = try server { configuration in
            configuration.bodyTimeout = .milliseconds(1)
            configuration.bodyRate = 1
        }
        let client = try server.connect()
        try client.send(
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1001\r\n\r\n\(String(repeating: "b", count: 1000))")
        // At the minimum rate of a byte per second, a thousand bytes extend the timeout by a thousand seconds.
        server.advance(by: .seconds(1000))
        #expect(throws: HTTPTestError.self) { try client.receiveResponse() }
        try client.send("b")
        #expect(try client.receiveResponse().status == 200)
    }

    @Test func `a connection without a request is closed silently`() throws {
        let server = try server { configuration in
            configuration.headTimeout = .milliseconds(30)
            configuration.idleTimeout = .milliseconds(30)
        }
        let silent = try server.connect()
        server.advance(by: .milliseconds(30))
        #expect(try silent.receiveToEnd().isEmpty)
        let idle = try server.connect()
        try idle.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try idle.receiveResponse().status == 200)
        server.advance(by: .milliseconds(30))
        #expect(try idle.receiveToEnd().isEmpty)
        #expect(!idle.wasReset)
    }

    @Test func `a reader that stops reading is disconnected`() async throws {
        let stream = HTTPTestStream(endless: 65)
        let server = try HTTPTestServer(
            configure: { configuration in
                configuration.loopCount = 1
                configuration.writeTimeout = .milliseconds(60)
            },
            respond: { _, _ in .response(HTTPResponse(status: .ok, body: .stream(stream))) })
        let client = try server.connect(receiveBuffer: 4096)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(await eventually { await server.onLoop { _ in stream.isStopped } })
        #expect(server.connectionCount == 0)
        await server.shutdown()
    }
}
