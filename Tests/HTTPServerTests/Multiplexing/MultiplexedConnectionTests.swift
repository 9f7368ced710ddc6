import HTTP1
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Testing

@Suite struct MultiplexedConnectionTests {
    /// Responds with the properties of the request.
    private static let echo: HTTPTestServer.Respond = { request, loop in
        let text =
            "\(request.method.rawValue) \(request.scheme) \(request.authority) \(request.target) \(loop.index) "
            + String(decoding: request.body, as: UTF8.self)
        return .response(HTTPResponse(status: .ok, body: .bytes(Array(text.utf8))))
    }

    @Test(arguments: Transport.allCases)
    func `HTTP 2 requests reach the same responder as HTTP 1 requests`(_ transport: Transport) async throws {
        let server = try Transport.server(respond: MultiplexedConnectionTests.echo)
        let connection = try transport.connect(server)
        let scheme = transport == .tls ? "https" : "http"
        let get = try connection.exchange("GET", "/a?b")
        #expect(get.status == 200)
        #expect(get.text.hasPrefix("GET \(scheme) localhost /a?b "))
        #expect(get.fields.value(.date)?.hasSuffix(" GMT") == true)
        let post = try connection.exchange("POST", "/", body: Array("content".utf8))
        #expect(post.text.hasSuffix(" content"))
        #expect(try connection.exchange("HEAD", "/").body.isEmpty)
        #expect(server.connectionCount == 1)
        await server.shutdown()
    }

    @Test func `one port serves both versions, selected by the preface or with ALPN`() async throws {
        let server = try Transport.server(respond: MultiplexedConnectionTests.echo)
        let old = try server.connect()
        try old.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try old.receiveResponse().text.hasPrefix("GET http h /1"))
        #expect(try Transport.cleartext.connect(server).exchange().status == 200)
        for protocols in [["http/1.1"], []] {
            let secure = try server.connectSecurely(TLSTestOptions(protocols: protocols))
            try secure.send("GET /2 HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try secure.receiveResponse().text.hasPrefix("GET https h /2"))
        }
        let modern = try server.connectSecurely(TLSTestOptions(protocols: ["h2", "http/1.1"]))
        #expect(modern.applicationProtocol == "h2")
        #expect(try HTTP2TestConnection(over: modern).exchange().status == 200)
        await server.shutdown()
    }

    @Test(arguments: [[], ["http/1.1"]])
    func `over TLS, a preface without its ALPN protocol is rejected`(_ protocols: [String]) async throws {
        let server = try Transport.server(respond: MultiplexedConnectionTests.echo)
        let client = try server.connectSecurely(TLSTestOptions(protocols: protocols))
        let session = HTTP2TestClient()
        _ = session.request()
        try client.send(session.takeOutput())
        let answer = try client.receiveResponse()
        #expect(answer.status == 505)
        #expect(answer.fields.value(.connection) == "close")
        client.finishSending()
        #expect(try client.receiveToEnd().isEmpty)
        await server.shutdown()
    }

    @Test func `a preface that arrives byte by byte is recognized`() async throws {
        let server = try Transport.server(respond: MultiplexedConnectionTests.echo)
        let session = HTTP2TestClient()
        let socket = try server.connect()
        let stream = session.request()
        for byte in session.takeOutput() { try socket.send([byte]) }
        let connection = try HTTP2TestConnection(over: socket, session: session)
        try connection.wait { $0.answers[stream]?.isWhole == true }
        await server.shutdown()
    }

    @Test func `HTTP 2 in cleartext can be disabled`() async throws {
        let server = try Transport.server(
            configure: { $0.servesHTTP2 = false }, respond: MultiplexedConnectionTests.echo)
        let client = try server.connect()
        try client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        #expect(try client.receiveResponse().status == 505)
        await server.shutdown()
    }

    @Test(arguments: Transport.allCases)
    func `each request is answered on the loop of its session, whichever loop the connection is on`(
        _ transport: Transport
    ) async throws {
        let server = try Transport.server(
            placement: { $0.target == "/1" ? 1 : 0 }, respond: MultiplexedConnectionTests.echo)
        for _ in 0..<4 {
            let connection = try transport.connect(server)
            let streams = (0..<40).map { ($0 % 2, connection.session.request("GET", "/\($0 % 2)")) }
            try connection.wait { session in streams.allSatisfy { session.answers[$0.1]?.isWhole == true } }
            for (index, stream) in streams {
                #expect(connection.session.answers[stream]?.text.hasSuffix("/\(index) \(index) ") == true)
            }
        }
        await server.shutdown()
    }

    @Test(arguments: Transport.allCases)
    func `a deferred response is fulfilled while other requests are answered`(_ transport: Transport) async throws {
        let promises = DeferredResponses()
        let server = try Transport.server(configure: { $0.loopCount = 1 }) { request, _ in
            request.target == "/later" ? .deferred(promises.make()) : .response(HTTPResponse(status: .noContent))
        }
        let connection = try transport.connect(server)
        let later = connection.session.request("GET", "/later")
        #expect(try connection.exchange().status == 204)
        #expect(connection.session.answers[later]?.status == nil)
        await server.onLoop { _ in promises.fulfil("kept") }
        try connection.wait { $0.answers[later]?.isWhole == true }
        #expect(connection.session.answers[later]?.text == "kept")
        await server.shutdown()
    }

    @Test(arguments: Transport.allCases)
    func `large content arrives complete in both directions`(_ transport: Transport) async throws {
        let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 4) }
        let server = try Transport.server(configure: { $0.limits.bodyBytes = 8 << 20 }) { request, _ in
            .response(HTTPResponse(status: .ok, body: .bytes(request.body.isEmpty ? large : request.body)))
        }
        let connection = try transport.connect(server)
        #expect(try connection.exchange().body == large)
        #expect(try connection.exchange("POST", "/", body: large).body == large)
        await server.shutdown()
    }

    @Test(arguments: Transport.allCases)
    func `events of every loop are sent when they are produced`(_ transport: Transport) async throws {
        let streams = Streams()
        let server = try Transport.server(placement: { $0.target == "/1" ? 1 : 0 }) { request, loop in
            let body = HTTPTestStream()
            streams.add(body, on: loop)
            return .response(HTTPResponse(status: .ok, body: .stream(body)))
        }
        let connection = try transport.connect(server)
        let ids = ["/0", "/1", "/0", "/1"].map { connection.session.request("GET", $0) }
        try connection.wait { session in ids.allSatisfy { session.answers[$0]?.status == 200 } }
        for round in 1...5 {
            for index in 0..<2 { await server.onLoop(index) { streams.append("\(round);", on: $0) } }
            let expected = (1...round).map { "\($0);" }.joined()
            try connection.wait("round \(round)") { session in
                ids.allSatisfy { session.answers[$0]?.text == expected }
            }
        }
        // A cancelled stream is stopped on its loop, and the others continue.
        connection.session.cancel(ids[1])
        connection.session.cancel(ids[0])
        try connection.send()
        for index in 0..<2 {
            #expect(await eventually { await server.onLoop(index) { streams.stoppedCount(on: $0) } == 1 })
            await server.onLoop(index) { streams.append("last", on: $0) }
        }
        try connection.wait("the last event") { session in
            ids[2...].allSatisfy { session.answers[$0]?.text.hasSuffix("last") == true }
        }
        await server.shutdown()
    }

    @Test(arguments: Transport.allCases)
    func `streams are stopped when their client disconnects`(_ transport: Transport) async throws {
        let streams = Streams()
        let server = try Transport.server(placement: { $0.target == "/1" ? 1 : 0 }) { _, loop in
            let body = HTTPTestStream()
            streams.add(body, on: loop)
            return .response(
                HTTPResponse(status: .ok, fields: [.contentType: "text/event-stream"], body: .stream(body)))
        }
        let connection = try transport.connect(server)
        let ids = ["/0", "/1"].map { connection.session.request("GET", $0) }
        try connection.wait { session in ids.allSatisfy { session.answers[$0]?.status == 200 } }
        connection.socket.close()
        for index in 0..<2 {
            #expect(await eventually { await server.onLoop(index) { streams.stoppedCount(on: $0) } == 1 })
        }
        await server.shutdown()
    }

    @Test(arguments: Transport.allCases)
    func `limits and allowed hosts apply to HTTP 2 requests`(_ transport: Transport) async throws {
        let server = try Transport.server(
            configure: {
                $0.limits.bodyBytes = 10
                $0.allowedHosts = ["localhost"]
            }, respond: MultiplexedConnectionTests.echo)
        let connection = try transport.connect(server)
        #expect(try connection.exchange("POST", "/", body: Array(repeating: 1, count: 11)).status == 413)
        #expect(try connection.exchange("GET", "/", authority: "other:1").status == 421)
        #expect(try connection.exchange("GET", "/" + String(repeating: "a", count: 9000)).status == 414)
        #expect(try connection.exchange("GET", "/x").status == 200)
        await server.shutdown()
    }

    @Test(arguments: Transport.allCases)
    func `a shutdown sends GOAWAY, ends the streams and closes the connection`(_ transport: Transport) async throws {
        let streams = Streams()
        let server = try Transport.server(
            configure: { $0.drainTimeout = .seconds(3600) },
            drain: { loop in
                streams.append("draining", on: loop)
                streams.finish(on: loop)
            }
        ) { _, loop in
            let body = HTTPTestStream()
            streams.add(body, on: loop)
            return .response(HTTPResponse(status: .ok, body: .stream(body)))
        }
        let connection = try transport.connect(server)
        let stream = connection.session.request()
        try connection.wait { $0.answers[stream]?.status == 200 }
        let idle = try transport.connect(server)
        #expect(try idle.exchange("HEAD").status == 200)
        server.beginShutdown()
        try connection.waitForEnd()
        #expect(connection.session.answers[stream]?.text == "draining")
        #expect(connection.session.answers[stream]?.isWhole == true)
        #expect(connection.session.goAways.first?.code == 0)
        #expect(connection.session.goAways.first?.lastStream == Int32.max)
        try idle.waitForEnd()
        #expect(idle.session.goAways.last?.code == 0)
        await server.shutdown()
        #expect(!connection.socket.wasReset)
    }

    @Test(arguments: Transport.allCases)
    func `a flood ends its own connection only`(_ transport: Transport) async throws {
        let server = try Transport.server(respond: MultiplexedConnectionTests.echo)
        let bystander = try transport.connect(server)
        #expect(try bystander.exchange().status == 200)
        let flood = try transport.connect(server)
        // A ping, which has seventeen bytes.
        let ping: [UInt8] = [0, 0, 8, 6, 0, 0, 0, 0, 0] + Array(repeating: 0, count: 8)
        let pings = Array(repeating: ping, count: 5000).flatMap { $0 }
        // The server may close the connection before it has received all bytes.
        do { for _ in 0..<10 { try flood.socket.send(pings) } } catch is HTTPTestError {}
        try flood.waitForEnd()
        #expect(try bystander.exchange().status == 200)
        flood.socket.close()
        #expect(await eventually { server.connectionCount == 1 })
        await server.shutdown()
    }
}

/// The bodies on the loops of a server.
private final class Streams: Sendable {
    private let bodies = Lock<[Int: [HTTPTestStream]]>([:])

    func add(_ body: HTTPTestStream, on loop: any EventLoop) {
        bodies.withLock { $0[loop.index, default: []].append(body) }
    }

    private func all(on loop: any EventLoop) -> [HTTPTestStream] {
        bodies.withLock { $0[loop.index] ?? [] }
    }

    func append(_ text: String, on loop: any EventLoop) {
        for body in all(on: loop) { body.append(text) }
    }

    func finish(on loop: any EventLoop) {
        for body in all(on: loop) { body.finish() }
    }

    func stoppedCount(on loop: any EventLoop) -> Int { all(on: loop).count(where: \.isStopped) }
}
