import HTTPModel
import HTTPServer
import HTTPServerTesting
import Synchronization
import Testing

/// Requests for loop 1 on a connection that loop 0 owns, because its first request was for that loop.
@Suite struct BorrowedConnectionTests {
    private let stream = HTTPTestStream()
    private let promises = DeferredResponses()
    private let gate = Gate()

    /// Creates a server whose loops either have a thread each, so that one continues while the other is blocked, or
    /// share one thread while they are mostly idle.
    private func server(
        sharing: Bool = false, _ configure: (inout HTTPServerConfiguration) -> Void = { _ in }
    ) async throws -> HTTPTestServer {
        let (stream, promises, gate) = (stream, promises, gate)
        let server = try HTTPTestServer(
            configure: { configuration in
                // Longer than a client's system delays an acknowledgement; otherwise the next look comes seconds later.
                configuration.lingerTimeout = .milliseconds(200)
                configuration.sharesThreads = sharing
                configure(&configuration)
            },
            placement: { request in request.target.dropFirst().first?.wholeNumberValue },
            respond: { request, loop in
                switch request.target.dropFirst(3) {
                case "stream":
                    return .response(
                        HTTPResponse(status: .ok, fields: [.contentType: "text/event-stream"], body: .stream(stream)))
                case "later": return .deferred(promises.make())
                case "large":
                    return .response(HTTPResponse(status: .ok, body: .bytes(Array(repeating: 7, count: 4 << 20))))
                case "held": gate.block()
                default: break
                }
                return .response(HTTPResponse(status: .ok, body: .bytes(Array("\(loop.index)".utf8))))
            })
        guard sharing else { return server }
        let first = await server.onLoop(0) { $0 }
        let isMet = try await eventually {
            // Loops share a thread only after a period without events.
            try await Task.sleep(for: .milliseconds(15))
            return await server.onLoop(1) { _ in first.isCurrent }
        }
        #expect(isMet)
        return server
    }

    private func settledClient(_ server: HTTPTestServer, receiveBuffer: Int = 0) throws -> HTTPTestClient {
        let client = try server.connect(receiveBuffer: receiveBuffer)
        try client.send(get("/0"))
        #expect(try client.receiveResponse().text == "0")
        return client
    }

    private func get(_ target: String) -> String { HTTPRequestText.get(target) }

    @Test func `the next request waits for the response of the other loop`() async throws {
        let server = try await server()
        let client = try settledClient(server)
        try client.send(get("/1/held"))
        gate.awaitBlocked()
        try client.send(get("/0") + get("/1"))
        // Loop 0 has seen that more has arrived, and does not touch the connection.
        for _ in 0..<2 { await server.onLoop(0) { _ in } }
        gate.open()
        #expect(try (0..<3).map { _ in try client.receiveResponse().text } == ["1", "0", "1"])
        await server.shutdown()
    }

    @Test func `a connection that is reset while it is lent is closed`() async throws {
        let server = try await server()
        let client = try settledClient(server)
        try client.send(get("/1/held"))
        gate.awaitBlocked()
        client.reset()
        for _ in 0..<2 { await server.onLoop(0) { _ in } }
        gate.open()
        #expect(await eventually { server.connectionCount == 0 })
        await server.shutdown()
    }

    @Test
    func `a request that another loop answers while the server shuts down is answered, and the connection closed`()
        async throws
    {
        let server = try await server { $0.drainTimeout = .seconds(3600) }
        let client = try settledClient(server)
        try client.send(get("/1/held"))
        gate.awaitBlocked()
        server.beginShutdown()
        for _ in 0..<2 { await server.onLoop(0) { _ in } }
        gate.open()
        #expect(try client.receiveResponse().text == "1")
        #expect(try client.receiveToEnd().isEmpty)
        await server.shutdown()
    }

    @Test(arguments: [false, true])
    func `a response of another loop that the socket does not accept at once arrives whole`(sharing: Bool) async throws
    {
        let server = try await server(sharing: sharing)
        let client = try settledClient(server, receiveBuffer: 4096)
        for _ in 0..<3 {
            try client.send(get("/1/large"))
            let body = try client.receiveResponse().body
            #expect(body.count == 4 << 20)
            #expect(body.allSatisfy { $0 == 7 })
        }
        try client.send(get("/0"))
        #expect(try client.receiveResponse().text == "0")
        await server.shutdown()
    }

    @Test(arguments: [false, true])
    func `a response that another loop promises reaches the client`(sharing: Bool) async throws {
        let server = try await server(sharing: sharing)
        let client = try settledClient(server)
        try client.send(get("/1/later"))
        #expect(await eventually { await server.onLoop(1) { _ in promises.count } == 1 })
        await server.onLoop(1) { _ in promises.fulfil("kept") }
        #expect(try client.receiveResponse().text == "kept")
        try client.send(get("/0"))
        #expect(try client.receiveResponse().text == "0")
        await server.shutdown()
    }

    @Test(arguments: [false, true])
    func `a stream of another loop is sent from there`(sharing: Bool) async throws {
        let server = try await server(sharing: sharing)
        let client = try settledClient(server)
        try client.send(get("/1/stream"))
        _ = try client.receiveHead()
        await server.onLoop(1) { _ in stream.append("data: here\n\n") }
        #expect(try client.receiveEvents(1).map(\.data) == ["here"])
        client.close()
        #expect(await eventually { await server.onLoop(1) { _ in stream.isStopped } })
        await server.shutdown()
    }

    @Test(arguments: [false, true])
    func `the response to HEAD for a stream of another loop has no content`(sharing: Bool) async throws {
        let server = try await server(sharing: sharing)
        let client = try settledClient(server)
        try client.send("HEAD /1/stream HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveResponse(toHead: true).status == 200)
        #expect(await server.onLoop(1) { _ in stream.isStopped && !stream.hasStarted })
        try client.send(get("/1"))
        #expect(try client.receiveResponse().text == "1")
        await server.shutdown()
    }

    @Test(arguments: [false, true])
    func `a connection whose last request another loop answers is closed`(sharing: Bool) async throws {
        let server = try await server(sharing: sharing)
        let client = try settledClient(server)
        try client.send("GET /1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(try client.receiveResponse().text == "1")
        #expect(try client.receiveToEnd().isEmpty)
        #expect(await eventually { server.connectionCount == 0 })
        await server.shutdown()
    }

    @Test func `a connection that is idle after it was lent is closed in time`() async throws {
        let server = try await server { $0.idleTimeout = .milliseconds(30) }
        let client = try server.connect()
        // In one piece, because a busy test could exceed the idle timeout between two requests.
        try client.send(get("/0") + get("/1"))
        #expect(try (0..<2).map { _ in try client.receiveResponse().text } == ["0", "1"])
        #expect(try client.receiveToEnd().isEmpty)
        await server.shutdown()
    }

    @Test(arguments: [false, true])
    func `requests of one connection are answered in order, each on its loop`(sharing: Bool) async throws {
        let server = try await server(sharing: sharing)
        let client = try settledClient(server)
        let loops = (0..<200).map { $0 % 3 == 0 ? "0" : "1" }
        try client.send(loops.map { get("/\($0)") }.joined())
        #expect(try loops.map { _ in try client.receiveResponse().text } == loops)
        await server.shutdown()
    }
}
