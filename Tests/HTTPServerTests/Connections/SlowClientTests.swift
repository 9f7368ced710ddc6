import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

/// Clients that take their time. Time is the test's, so that a busy machine does not make a client slower than it is.
@Suite struct SlowClientTests {
    private func server(_ configure: (inout HTTPServerConfiguration) -> Void) throws -> HTTPVirtualServer {
        try HTTPVirtualServer(configure: configure) { _, _ in .response(HTTPResponse(status: .ok)) }
    }

    @Test(arguments: ["G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: h\r\nX"])
    func `a head that takes too long is told so`(_ start: String) throws {
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
    func `a body that takes too long is told so`(_ rest: String) throws {
        let server = try server { $0.bodyTimeout = .milliseconds(40) }
        let client = try server.connect()
        try client.send("POST / HTTP/1.1\r\nHost: h\r\n\(rest)")
        server.advance(by: .milliseconds(41))
        #expect(try client.receiveResponse().status == 408)
    }

    @Test func `a second request that takes too long is told so`() throws {
        let server = try server { $0.headTimeout = .milliseconds(40) }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HT")
        #expect(try client.receiveResponse().status == 200)
        server.advance(by: .milliseconds(40))
        #expect(try client.receiveResponse().status == 408)
    }

    @Test func `a body may take longer if it comes fast enough`() throws {
        let server = try server { configuration in
            configuration.bodyTimeout = .milliseconds(1)
            configuration.bodyRate = 1
        }
        let client = try server.connect()
        try client.send(
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1001\r\n\r\n\(String(repeating: "b", count: 1000))")
        // A thousand bytes at a byte a second are good for a thousand seconds.
        server.advance(by: .seconds(1000))
        #expect(throws: HTTPTestError.self) { try client.receiveResponse() }
        try client.send("b")
        #expect(try client.receiveResponse().status == 200)
    }

    @Test func `a connection that asks for nothing is closed without a word`() throws {
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

    @Test func `a reader that takes nothing is cut off`() async throws {
        let stream = HTTPTestStream(endless: 65)
        let server = try HTTPTestServer(
            configure: { configuration in
                configuration.loopCount = 1
                configuration.writeTimeout = .milliseconds(60)
            },
            respond: { _, _ in .response(HTTPResponse(status: .ok, body: .stream(stream))) })
        let client = try server.connect(receiveBuffer: 4096)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        try await eventually { await server.onLoop { _ in stream.isStopped } }
        #expect(server.connectionCount == 0)
        await server.shutdown()
    }
}

/// Waits on a condition of another thread, and fails once it has waited long enough.
func eventually(
    within limit: Duration = .seconds(120), _ condition: () async throws -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let end = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < end else {
            Issue.record("what was waited for did not happen", sourceLocation: sourceLocation)
            return
        }
        await Task.yield()
    }
}
