import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Synchronization
import TLS
import Testing

@Suite struct ShutdownTests {
    private let hello = HTTPRequestText.get("/hello")
    /// Less than the hour of the timeouts that could delay a shutdown, and more than a busy machine does.
    private static let soon = Duration.seconds(1800)

    @Test func `streams get their last event and requests their response`() async throws {
        let stream = HTTPTestStream("data: 1\n\n")
        let promises = DeferredResponses()
        let server = try HTTPTestServer(
            configure: { configuration in
                // An address that no other test uses, so that no other test gets its port afterwards.
                configuration.listeners = [HTTPListener(.address(host: "127.87.65.44", port: 0), role: .public)]
                configuration.loopCount = 1
                configuration.drainTimeout = .seconds(3600)
                // Longer than a client's system delays an acknowledgement; otherwise the next look comes seconds later.
                configuration.lingerTimeout = .milliseconds(200)
            },
            drain: { _ in
                stream.append("event: end\ndata: draining\n\n")
                stream.finish()
            },
            respond: { request, _ in
                request.target == "/stream"
                    ? .response(HTTPResponse(status: .ok, body: .stream(stream))) : .deferred(promises.make())
            })
        let listener = server.listeners[0]
        let follower = try server.connect(to: listener)
        try follower.send(HTTPRequestText.get("/stream"))
        _ = try follower.receiveHead()
        #expect(try follower.receiveEvents(1).count == 1)
        let asker = try server.connect(to: listener)
        try asker.send(HTTPRequestText.get("/later"))
        #expect(await eventually { await server.onLoop { _ in promises.count } == 1 })
        let idle = try server.connect(to: listener)
        #expect(await eventually { server.connectionCount == 3 })

        server.beginShutdown()
        #expect(try follower.receiveEvents(1) == [ServerSentEvent(event: "end", data: "draining")])
        #expect(try idle.receiveToEnd().isEmpty)
        await server.onLoop { _ in promises.fulfil("done") }
        let answer = try asker.receiveResponse()
        #expect(answer.text == "done")
        #expect(answer.fields.value(.connection) == "close")
        #expect(try asker.receiveToEnd().isEmpty)
        await server.shutdown()
        #expect(throws: HTTPTestError.self) { try server.connect(to: listener) }
    }

    /// Notes whether it was released on its loop.
    private final class Tenant: HTTPResponder {
        private let loop: any EventLoop
        private let releases: Lock<[Bool]>

        init(_ loop: any EventLoop, _ releases: Lock<[Bool]>) {
            self.loop = loop
            self.releases = releases
        }

        deinit { releases.withLock { $0.append(loop.isCurrent) } }

        func respond(to request: HTTPRequest) -> HTTPAnswer { .response(HTTPResponse(status: .noContent)) }
    }

    @Test func `a responder is released on its loop`() async throws {
        let releases = Lock<[Bool]>([])
        var configuration = HTTPServerConfiguration(port: 0)
        configuration.loopCount = 2
        configuration.drainTimeout = .zero
        let server = HTTPServer(configuration: configuration) { Tenant($0, releases) }
        let client = try HTTPTestClient(port: try server.start().port)
        try client.send(HTTPRequestText.get("/"))
        #expect(try client.receiveResponse().status == 204)
        await server.shutdown()
        #expect(releases.withLock { $0 } == [true, true])
    }

    @Test func `a partially received request is still answered`() async throws {
        let draining = Atomic(0)
        let server = try HTTPTestServer(
            configure: { $0.drainTimeout = .seconds(3600) },
            drain: { _ in draining.wrappingAdd(1, ordering: .relaxed) },
            respond: { _, _ in .response(HTTPResponse(status: .ok)) })
        let client = try server.connect()
        try client.send(hello.prefix(12).description)
        #expect(await eventually { server.connectionCount == 1 })
        // The byte must have been read: a connection without input is closed immediately.
        for index in [0, 1, 0, 1] { await server.onLoop(index) { _ in } }
        server.beginShutdown()
        #expect(await eventually { draining.load(ordering: .relaxed) == 2 })
        try client.send(hello.dropFirst(12).description)
        let answer = try client.receiveResponse()
        #expect(answer.status == 200)
        #expect(answer.fields.value(.connection) == "close")
        await server.shutdown()
    }

    @Test func `connections that do not end in time are cut off`() async throws {
        let stream = HTTPTestStream()
        let server = try HTTPTestServer(configure: { $0.drainTimeout = .milliseconds(50) }) { _, _ in
            .response(HTTPResponse(status: .ok, body: .stream(stream)))
        }
        let client = try server.connect()
        try client.send(hello)
        _ = try client.receiveHead()
        let duration = await durationOfShutdown(server)
        #expect(duration >= .milliseconds(50))
        #expect(duration < ShutdownTests.soon)
        #expect(stream.isStopped)
        #expect(try client.receiveToEnd().isEmpty)
    }

    /// Client behavior that prevents a connection from ending by itself.
    enum Obstacle: CaseIterable {
        case halfHead, halfBody, silence, halfHandshake, handshakeThenSilence, closedWindow, readsNothing,
            readsNothingOverTLS

        func meet(_ server: HTTPTestServer) throws -> HTTPTestClient {
            let target = "/large"
            switch self {
            case .halfHead: return try sending("GET / HTTP/1.1\r\nHost:", server.connect())
            case .halfBody:
                return try sending("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nab", server.connect())
            case .silence: return try server.connect()
            case .halfHandshake:
                let client = try HTTPTestClient(port: server.securePort)
                try client.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
                return client
            case .handshakeThenSilence: return try server.connectSecurely()
            case .readsNothing: return try sending(HTTPRequestText.get(target), server.connect(receiveBuffer: 4096))
            case .readsNothingOverTLS:
                let client = try server.connectSecurely(TLSTestOptions(protocols: ["http/1.1"]))
                return try sending(HTTPRequestText.get(target), client)
            case .closedWindow:
                let session = HTTP2TestClient(window: 0, opensWindows: false)
                let connection = try HTTP2TestConnection(over: server.connect(), session: session)
                let stream = session.request("GET", target)
                try connection.wait { $0.answers[stream]?.status == 200 }
                return connection.socket
            }
        }

        private func sending(_ text: String, _ client: HTTPTestClient) throws -> HTTPTestClient {
            try client.send(text)
            return client
        }
    }

    @Test(arguments: Obstacle.allCases)
    func `the server stops in time, whatever its clients do`(_ obstacle: Obstacle) async throws {
        let source = try TLSContextSource(TLSConfiguration(identities: [try .selfSigned()]))
        let content = [UInt8](repeating: 0x61, count: 8 << 20)
        let server = try HTTPTestServer(
            configure: { configuration in
                // All other timeouts are long, so that no connection ends by itself, however slow the machine is.
                configuration.tls = HTTPServerTLS(source: source, port: 0)
                configuration.tls?.handshakeTimeout = .seconds(3600)
                configuration.answerTimeout = .seconds(3600)
                configuration.writeTimeout = .seconds(3600)
                configuration.lingerTimeout = .seconds(3600)
                configuration.drainTimeout = .milliseconds(100)
            }, respond: { _, _ in .response(HTTPResponse(status: .ok, body: .bytes(content))) })
        let client = try obstacle.meet(server)
        #expect(await eventually { server.connectionCount == 1 })
        let duration = await durationOfShutdown(server)
        #expect(duration >= .milliseconds(100))
        #expect(duration < ShutdownTests.soon)
        // The connection leaves nothing behind.
        while !client.hasEnded { _ = try client.receiveAnything() }
    }

    @Test func `a stalled handshake does not delay a shutdown`() async throws {
        let source = try TLSContextSource(TLSConfiguration(identities: [try .selfSigned()]))
        let server = try HTTPTestServer(
            configure: { configuration in
                configuration.tls = HTTPServerTLS(source: source, port: 0)
                configuration.tls?.handshakeTimeout = .seconds(3600)
                // Longer than a client's system delays an acknowledgement; otherwise the next look comes seconds later.
                configuration.lingerTimeout = .milliseconds(200)
                configuration.drainTimeout = .seconds(3600)
            }, respond: { _, _ in .response(HTTPResponse(status: .ok)) })
        let clients = try [Obstacle.halfHandshake, .handshakeThenSilence].map { try $0.meet(server) }
        #expect(await eventually { server.connectionCount == 2 })
        #expect(await durationOfShutdown(server) < ShutdownTests.soon)
        for client in clients { #expect(try client.receiveToEnd().isEmpty) }
    }

    @Test func `a responder that does not return does not prevent the server from stopping`() async throws {
        let gate = Gate()
        let hasReturned = Atomic(false)
        let server = try HTTPTestServer(
            configure: { $0.drainTimeout = .milliseconds(20) },
            respond: { _, _ in
                gate.block()
                hasReturned.store(true, ordering: .sequentiallyConsistent)
                return .response(HTTPResponse(status: .ok))
            })
        let client = try server.connect()
        try client.send(hello)
        gate.awaitBlocked()
        let duration = await durationOfShutdown(server)
        #expect(duration > .seconds(1))
        let hasWaited = hasReturned.load(ordering: .sequentiallyConsistent)
        #expect(!hasWaited)
        gate.open()
        while !client.hasEnded { _ = try client.receiveAnything() }
    }

    @Test func `a server without connections stops immediately, however often it is shut down`() async throws {
        let server = try HTTPTestServer(configure: { $0.drainTimeout = .seconds(3600) }) { _, _ in
            .response(HTTPResponse(status: .ok))
        }
        async let first = durationOfShutdown(server)
        async let second = durationOfShutdown(server)
        let durations = await [first, second, durationOfShutdown(server)]
        #expect(durations.allSatisfy { $0 < ShutdownTests.soon })
    }

    @Test func `connections that were not accepted yet are answered`() async throws {
        let (first, second) = (Gate(), Gate())
        let server = try HTTPTestServer(
            configure: { configuration in
                configuration.loopCount = 1
                configuration.drainTimeout = .seconds(3600)
                // Longer than a client's system delays an acknowledgement; otherwise the next look comes seconds later.
                configuration.lingerTimeout = .milliseconds(200)
            },
            respond: { request, loop in
                if request.target == "/held" {
                    loop.execute { second.block() }
                    first.block()
                }
                return .response(HTTPResponse(status: .ok, body: .bytes(Array("served".utf8))))
            })
        let busy = try server.connect()
        try busy.send(HTTPRequestText.get("/held"))
        first.awaitBlocked()
        // The drain begins immediately after the loop is blocked again, so nothing is accepted in between.
        server.beginShutdown()
        #expect(server.connectionCount == 1)
        first.open()
        second.awaitBlocked()
        let clients = try (0..<5).map { _ in try server.connect() }
        let silent = try server.connect()
        for client in clients { try client.send(hello) }
        second.open()
        for client in clients {
            let answer = try client.receiveResponse()
            #expect(answer.text == "served")
            #expect(answer.fields.value(.connection) == "close")
            #expect(try client.receiveToEnd().isEmpty)
            #expect(!client.wasReset)
        }
        #expect(try silent.receiveToEnd().isEmpty)
        await server.shutdown()
    }

    /// Returns the time until the server reports its end. Excludes the time that this task then waits for a thread,
    /// because tests that block on sockets compete for threads.
    private func durationOfShutdown(_ server: HTTPTestServer) async -> Duration {
        let start = ContinuousClock.now
        let end = await withCheckedContinuation { continuation in
            server.beginShutdown { continuation.resume(returning: ContinuousClock.now) }
        }
        return end - start
    }
}

enum HTTPRequestText {
    static func get(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n" }
}
