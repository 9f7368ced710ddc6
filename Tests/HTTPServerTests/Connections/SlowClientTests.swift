import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

@Suite struct SlowClientTests {
    private func server(_ configure: (inout HTTPServerConfiguration) -> Void) throws -> HTTPTestServer {
        try HTTPTestServer(configure: configure) { _, _ in .response(HTTPResponse(status: .ok)) }
    }

    @Test(arguments: ["G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: h\r\nX"])
    func `a head that takes too long is told so`(_ start: String) async throws {
        let server = try server { $0.headTimeout = .milliseconds(40) }
        let client = try server.connect()
        try client.send(start)
        let response = try client.receiveResponse()
        #expect(response.status == 408)
        #expect(response.problemKind == "request-timeout")
        #expect(response.fields.value(.connection) == "close")
        await server.shutdown()
    }

    @Test(arguments: ["Content-Length: 9\r\n\r\nab", "Transfer-Encoding: chunked\r\n\r\n9\r\nab"])
    func `a body that takes too long is told so`(_ rest: String) async throws {
        let server = try server { $0.bodyTimeout = .milliseconds(40) }
        let client = try server.connect()
        try client.send("POST / HTTP/1.1\r\nHost: h\r\n\(rest)")
        #expect(try client.receiveResponse().status == 408)
        await server.shutdown()
    }

    @Test func `a second request that takes too long is told so`() async throws {
        let server = try server { $0.headTimeout = .milliseconds(40) }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HT")
        #expect(try client.receiveResponse().status == 200)
        #expect(try client.receiveResponse().status == 408)
        await server.shutdown()
    }

    @Test func `a body may take longer if it comes fast enough`() async throws {
        let server = try server { configuration in
            configuration.bodyTimeout = .milliseconds(1)
            configuration.bodyRate = 1
        }
        let client = try server.connect()
        try client.send(
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1001\r\n\r\n\(String(repeating: "b", count: 1000))")
        // A thousand bytes at a byte a second are good for a thousand seconds; the server does not answer in this one.
        client.patience = .milliseconds(60)
        #expect(throws: HTTPTestError.self) { try client.receiveResponse() }
        try client.send("b")
        client.patience = .seconds(60)
        #expect(try client.receiveResponse().status == 200)
        await server.shutdown()
    }

    @Test func `a connection that asks for nothing is closed without a word`() async throws {
        let server = try server { configuration in
            configuration.headTimeout = .milliseconds(30)
            configuration.idleTimeout = .milliseconds(30)
        }
        let silent = try server.connect()
        #expect(try silent.receiveToEnd().isEmpty)
        let idle = try server.connect()
        try idle.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try idle.receiveResponse().status == 200)
        #expect(try idle.receiveToEnd().isEmpty)
        #expect(!idle.wasReset)
        await server.shutdown()
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
