import HTTPModel
import HTTPServer
import HTTPServerTesting
import Synchronization
import Testing

@Suite struct ShutdownTests {
    private let hello = HTTPRequestText.get("/hello")

    @Test func `streams get their last event and requests their answer`() async throws {
        let stream = HTTPTestStream("data: 1\n\n")
        let promises = Promises()
        let server = try HTTPTestServer(
            configure: { configuration in
                configuration.loopCount = 1
                configuration.drainTimeout = .seconds(60)
                configuration.lingerTimeout = .milliseconds(20)
            },
            drain: { _ in
                stream.append("event: end\ndata: draining\n\n")
                stream.finish()
            },
            respond: { request, _ in
                request.target == "/stream"
                    ? .response(HTTPResponse(status: .ok, body: .stream(stream))) : .deferred(promises.make())
            })
        let follower = try server.connect()
        try follower.send(HTTPRequestText.get("/stream"))
        _ = try follower.receiveHead()
        #expect(try follower.receiveEvents(1).count == 1)
        let asker = try server.connect()
        try asker.send(HTTPRequestText.get("/later"))
        try await eventually { await server.onLoop { _ in promises.count } == 1 }
        let idle = try server.connect()
        try await eventually { server.connectionCount == 3 }

        server.beginShutdown()
        #expect(try follower.receiveEvents(1) == [ServerSentEvent(event: "end", data: "draining")])
        #expect(try idle.receiveToEnd().isEmpty)
        await server.onLoop { _ in promises.fulfil("done") }
        let answer = try asker.receiveResponse()
        #expect(answer.text == "done")
        #expect(answer.fields.value(.connection) == "close")
        #expect(try asker.receiveToEnd().isEmpty)
        await server.shutdown()
        #expect(throws: HTTPTestError.self) { try server.connect() }
    }

    @Test func `a request that is half there is still answered`() async throws {
        let draining = Atomic(0)
        let server = try HTTPTestServer(
            drain: { _ in draining.wrappingAdd(1, ordering: .relaxed) },
            respond: { _, _ in .response(HTTPResponse(status: .ok)) })
        let client = try server.connect()
        try client.send(hello.prefix(12).description)
        try await eventually { server.connectionCount == 1 }
        // The byte must have been read: a connection of which nothing has come is closed.
        for index in [0, 1, 0, 1] { await server.onLoop(index) { _ in } }
        server.beginShutdown()
        try await eventually { draining.load(ordering: .relaxed) == 2 }
        try client.send(hello.dropFirst(12).description)
        let answer = try client.receiveResponse()
        #expect(answer.status == 200)
        #expect(answer.fields.value(.connection) == "close")
        await server.shutdown()
    }

    @Test func `what does not end in time is cut off`() async throws {
        let stream = HTTPTestStream()
        let server = try HTTPTestServer(configure: { $0.drainTimeout = .milliseconds(50) }) { _, _ in
            .response(HTTPResponse(status: .ok, body: .stream(stream)))
        }
        let client = try server.connect()
        try client.send(hello)
        _ = try client.receiveHead()
        let start = ContinuousClock.now
        await server.shutdown()
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(stream.isStopped)
        #expect(try client.receiveToEnd().isEmpty)
    }

    @Test func `a server without connections is down at once, however often it is asked`() async throws {
        let server = try HTTPTestServer { _, _ in .response(HTTPResponse(status: .ok)) }
        let start = ContinuousClock.now
        async let first: Void = server.shutdown()
        async let second: Void = server.shutdown()
        _ = await (first, second)
        await server.shutdown()
        #expect(ContinuousClock.now - start < .seconds(30))
    }
}

enum HTTPRequestText {
    static func get(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n" }
}
