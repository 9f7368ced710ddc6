import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

@Suite struct StreamingTests {
    private func server(_ stream: HTTPTestStream) throws -> HTTPTestServer {
        try HTTPTestServer(configure: { $0.loopCount = 1 }) { request, _ in
            request.target == "/plain"
                ? .response(HTTPResponse(status: .ok, body: .bytes(Array("plain".utf8))))
                : .response(
                    HTTPResponse(status: .ok, fields: [.contentType: "text/event-stream"], body: .stream(stream)))
        }
    }

    @Test func `the head of a stream is sent before its first content`() async throws {
        let stream = HTTPTestStream()
        let server = try server(stream)
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        let head = try client.receiveHead()
        #expect(head.fields.value(.transferEncoding) == "chunked")
        #expect(head.fields.value(.contentType) == "text/event-stream")
        #expect(await server.onLoop { _ in stream.hasStarted && stream.bytesRead == 0 })
        await server.shutdown()
    }

    @Test func `events are sent when they are produced and the connection continues afterwards`() async throws {
        let stream = HTTPTestStream("data: 1\n\n")
        let server = try server(stream)
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET /plain HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try client.receiveHead()
        #expect(try client.receiveEvents(1).map(\.data) == ["1"])
        for number in 2..<20 {
            await server.onLoop { _ in stream.append("data: \(number)\n\n") }
            #expect(try client.receiveEvents(1).map(\.data) == ["\(number)"])
        }
        await server.onLoop { _ in
            stream.append("data: last\n\n")
            stream.finish()
        }
        #expect(try client.receiveEvents(2).map(\.data) == ["last"])
        #expect(try client.receiveResponse().text == "plain")
        #expect(await server.onLoop { _ in !stream.isStopped })
        await server.shutdown()
    }

    @Test func `content that is produced in one round is sent together`() async throws {
        let stream = HTTPTestStream()
        let server = try server(stream)
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try client.receiveHead()
        let before = await server.onLoop { _ in
            let reads = stream.reads
            for number in 0..<100 { stream.append("data: \(number)\n\n") }
            return reads
        }
        #expect(try client.receiveEvents(100).count == 100)
        #expect(await server.onLoop { _ in stream.reads } == before + 1)
        await server.shutdown()
    }

    @Test func `a reader that does not read uses a bounded amount of memory`() async throws {
        let stream = HTTPTestStream(endless: 65)
        let server = try server(stream)
        let slow = try server.connect(receiveBuffer: 4096)
        try slow.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(await eventually { await server.onLoop { _ in stream.bytesRead } > 0 })
        var last = -1
        let isMet = try await eventually {
            let other = try server.connect()
            try other.send("GET /plain HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try other.receiveResponse().text == "plain")
            let now = await server.onLoop { _ in stream.bytesRead }
            defer { last = now }
            return now == last
        }
        #expect(isMet)
        #expect(last < 1 << 20)
        // When the client reads, it gets more.
        try slow.receive(until: { $0.count > last + 100_000 })
        #expect(await server.onLoop { _ in stream.bytesRead } > last)
        await server.shutdown()
    }

    @Test(arguments: [false, true])
    func `a stream is stopped when its client disconnects`(_ byReset: Bool) async throws {
        let stream = HTTPTestStream("data: 1\n\n")
        let server = try server(stream)
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try client.receiveHead()
        if byReset { client.reset() } else { client.finishSending() }
        #expect(await eventually { await server.onLoop { _ in stream.isStopped } })
        #expect(server.connectionCount == 0)
        await server.shutdown()
    }

    @Test func `a HEAD request does not start the stream`() async throws {
        let stream = HTTPTestStream("data: 1\n\n")
        let server = try server(stream)
        let client = try server.connect()
        try client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\nGET /plain HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveResponse(toHead: true).status == 200)
        #expect(try client.receiveResponse().text == "plain")
        #expect(await server.onLoop { _ in stream.isStopped && !stream.hasStarted })
        await server.shutdown()
    }

    @Test func `an HTTP 1.0 client gets a stream without chunks that ends with the connection`() async throws {
        let stream = HTTPTestStream("data: 1\n\n")
        let server = try server(stream)
        let client = try server.connect()
        try client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let head = try client.receiveHead()
        #expect(head.fields.value(.transferEncoding) == nil)
        #expect(head.fields.value(.connection) == "close")
        try client.receive(until: { $0 == Array("data: 1\n\n".utf8) })
        await server.onLoop { _ in stream.finish() }
        #expect(try client.receiveToEnd() == Array("data: 1\n\n".utf8))
        await server.shutdown()
    }

    @Test func `a deferred response is sent when it is available`() async throws {
        let promises = DeferredResponses()
        let server = try HTTPTestServer(configure: { $0.loopCount = 1 }) { request, _ in
            request.target == "/later"
                ? .deferred(promises.make())
                : .response(HTTPResponse(status: .ok, body: .bytes(Array("now".utf8))))
        }
        let client = try server.connect()
        try client.send("GET /later HTTP/1.1\r\nHost: h\r\n\r\nGET /now HTTP/1.1\r\nHost: h\r\n\r\n")
        client.finishSending()
        #expect(await eventually { await server.onLoop { _ in promises.count } == 1 })
        await server.onLoop { _ in promises.fulfil("later") }
        #expect(try client.receiveResponse().text == "later")
        #expect(try client.receiveResponse().text == "now")
        await server.shutdown()
    }

    @Test func `a deferred response to a closed connection stops its stream`() async throws {
        let promises = DeferredResponses()
        let stream = HTTPTestStream()
        let server = try HTTPTestServer(configure: { $0.loopCount = 1 }) { _, _ in .deferred(promises.make()) }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(await eventually { await server.onLoop { _ in promises.count } == 1 })
        client.reset()
        #expect(await eventually { server.connectionCount == 0 })
        await server.onLoop { _ in promises.fulfil(HTTPResponse(status: .ok, body: .stream(stream))) }
        #expect(await server.onLoop { _ in stream.isStopped })
        await server.shutdown()
    }
}

/// Deferred responses that a test fulfils, all at the same time. Accessed only on the server's single loop.
final class DeferredResponses: @unchecked Sendable {
    private var promises: [DeferredResponse] = []

    var count: Int { promises.count }

    func make() -> DeferredResponse {
        promises.append(DeferredResponse())
        return promises[promises.count - 1]
    }

    func fulfil(_ text: String) {
        fulfil(HTTPResponse(status: .ok, body: .bytes(Array(text.utf8))))
    }

    func fulfil(_ response: sending HTTPResponse) {
        for promise in promises { promise.fulfil(response) }
    }
}
