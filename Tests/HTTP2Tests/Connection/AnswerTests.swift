import HTTP2
import HTTPModel
import HTTPServerTesting
import Testing

@Suite struct AnswerTests {
    @Test func `processing the input a few frames at a time does not change the result`() {
        for limit in 1...7 {
            let client = HTTP2TestClient()
            let server = InMemoryServer(client)
            let streams = (0..<20).map { client.request("POST", "/\($0)", body: Array("body \($0)".utf8)) }
            var bytes = client.takeOutput()
            var steps = 0
            while !bytes.isEmpty {
                let taken = bytes.withUnsafeBytes {
                    server.connection.receive($0, now: server.now, frameLimit: limit)
                }
                #expect(taken > 0)
                bytes.removeFirst(taken)
                let before = server.requests.count
                server.respondToAll()
                #expect(server.requests.count - before <= limit)
                steps += 1
            }
            #expect(steps >= 40 / limit)
            server.exchange()
            for (index, stream) in streams.enumerated() {
                #expect(client.answers[stream]?.text == "body \(index)")
            }
        }
    }

    @Test func `a connection that has ended ignores all input`() {
        let server = InMemoryServer(HTTP2TestClient())
        let nonsense = Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        for _ in 0..<2 {
            let taken = nonsense.withUnsafeBytes { server.connection.receive($0, now: server.now, frameLimit: 1) }
            #expect(taken == nonsense.count)
        }
        #expect(server.connection.ending != nil)
    }

    @Test func `a response has its status, fields and content`() throws {
        let client = HTTP2TestClient()
        let server = InMemoryServer(client)
        let stream = client.request("POST", "/a?b", scheme: "https", fields: [("x-a", "1")], body: Array("hi".utf8))
        server.exchange()
        let request = try #require(server.requests.first)
        #expect(request.method == .post)
        #expect(request.target == "/a?b")
        #expect(request.authority == "localhost")
        #expect(request.scheme == "https")
        #expect(request.fields == ["x-a": "1"])
        #expect(request.body == Array("hi".utf8))
        let answer = try #require(client.answers[stream])
        #expect(answer.status == 200)
        #expect(answer.fields == ["x-path": "here", "content-length": "2", "date": "now"])
        #expect(answer.text == "hi")
        #expect(answer.isWhole && answer.isClosed && answer.resetCode == nil)
    }

    @Test func `connection-specific fields of HTTP 1 are removed`() {
        let client = HTTP2TestClient()
        let server = InMemoryServer(client)
        server.answer = { _ in
            HTTPResponse(
                status: .ok,
                fields: [
                    "connection": "close", "keep-alive": "1", "transfer-encoding": "chunked", "upgrade": "h2c",
                    "proxy-connection": "x", "content-length": "77", "date": "then", "x-kept": "1",
                ], body: .bytes([1]))
        }
        let stream = client.request()
        server.exchange()
        #expect(client.answers[stream]?.fields == ["x-kept": "1", "content-length": "1", "date": "now"])
    }

    @Test func `a response without content ends with its head`() {
        let client = HTTP2TestClient()
        let server = InMemoryServer(client)
        let stopped = SilentBody()
        let answers: [(String, HTTPResponse, String?)] = [
            ("GET", HTTPResponse(status: .noContent), nil),
            ("GET", HTTPResponse(status: .ok), "0"),
            ("GET", HTTPResponse(status: .ok, body: .bytes([])), "0"),
            ("GET", HTTPResponse(status: .notModified, fields: ["content-length": "9"]), "9"),
            ("HEAD", HTTPResponse(status: .ok, body: .bytes([1, 2, 3])), "3"),
            ("HEAD", HTTPResponse(status: .ok, fields: ["content-length": "9"]), "9"),
            ("HEAD", HTTPResponse(status: .ok, fields: ["content-type": "text/event-stream"]), nil),
            ("HEAD", HTTPResponse(status: .ok), "0"),
            ("HEAD", HTTPResponse(status: .ok, body: .stream(stopped)), nil),
        ]
        for (method, response, length) in answers {
            server.answer = { _ in response }
            let stream = client.request(method)
            server.exchange()
            #expect(client.answers[stream]?.body.isEmpty == true)
            #expect(client.answers[stream]?.isWhole == true)
            #expect(client.answers[stream]?.fields.value(.contentLength) == length)
        }
        #expect(stopped.isStopped)
    }

    @Test func `a client that expects 100 gets it before the response`() {
        let client = RawClient()
        client.send(.headers(1, RawClient.post + [("expect", "100-continue")], endsStream: false))
        let interim = client.frames(Frame.Kind.headers, on: 1)
        #expect(interim.count == 1)
        #expect(interim.first?.flags == Frame.endHeaders)
        client.send(.data(1, Array("hi".utf8)))
        #expect(client.frames(Frame.Kind.headers, on: 1).count == 2)
        #expect(client.requests.first?.body == Array("hi".utf8))
    }

    @Test func `a body over the limit gets an immediate response and the rest is not read`() {
        var limits = HTTP2Limits()
        limits.bodyBytes = 10
        for fields in [[], [("content-length", "20")]] {
            let client = RawClient(limits)
            client.send(
                .headers(1, RawClient.post + fields, endsStream: false),
                .data(1, Array(repeating: 0x61, count: 11), endsStream: false))
            #expect(client.refusals == [.bodyTooLarge])
            #expect(client.requests.isEmpty)
            #expect(client.frames(Frame.Kind.data, on: 1).last?.flags == Frame.endStream)
            #expect(client.frames(Frame.Kind.reset, on: 1).map(\.code) == [HTTP2ErrorCode.noError.rawValue])
            #expect(client.connection.ending == nil)
        }
    }

    @Test func `a client that cancels its request stops the body and notifies the owner`() {
        let client = RawClient()
        let body = ScriptedBody()
        client.answer = { _ in HTTPResponse(status: .ok, body: .stream(body)) }
        client.send(.headers(1, RawClient.get))
        client.send(.reset(1))
        #expect(body.isStopped)
        guard case .reset(let stream, .cancel)? = client.events.last else {
            Issue.record("expected a reset, got \(client.events)")
            return
        }
        #expect(stream.rawValue == 1)
        body.append("nobody listens")
        client.step()
        #expect(client.connection.streamCount == 0)
    }

    @Test func `a request that is reset before it is processed does not reach the responder`() {
        let client = RawClient()
        client.send(.headers(1, RawClient.get), .reset(1), .headers(3, RawClient.get))
        #expect(client.requests.count == 1)
        #expect(client.frames(Frame.Kind.headers).map(\.stream) == [3])
        #expect(!client.events.contains { if case .reset = $0 { true } else { false } })
    }

    @Test func `a stream awaits its response until there is one, and not while its body is sent`() {
        let (client, id) = (RawClient(), HTTP2StreamID(rawValue: 1))
        client.answer = { _ in nil }
        client.send(.headers(1, RawClient.post, endsStream: false))
        #expect(!client.connection.awaitsResponse(id))
        client.send(.data(1, [1]))
        #expect(client.connection.awaitsResponse(id))
        let body = ScriptedBody()
        client.connection.respond(to: id, with: HTTPResponse(status: .ok, body: .stream(body)), date: [])
        client.step()
        #expect(client.connection.streamCount == 1 && !client.connection.awaitsResponse(id))
        body.finish()
        client.step()
        #expect(client.connection.streamCount == 0 && !client.connection.awaitsResponse(id))
    }

    @Test func `a response to a closed stream is dropped and its body stopped`() throws {
        let client = RawClient()
        client.answer = { _ in nil }
        client.send(.headers(1, RawClient.get))
        client.send(.reset(1))
        let body = SilentBody()
        client.connection.respond(
            to: HTTP2StreamID(rawValue: 1), with: HTTPResponse(status: .ok, body: .stream(body)), date: [])
        #expect(body.isStopped)
        #expect(body.readCount == 0)
    }

    @Test func `closing the connection stops every body`() {
        let client = RawClient()
        let bodies = [SilentBody(), SilentBody()]
        var next = bodies.makeIterator()
        client.answer = { _ in next.next().map { HTTPResponse(status: .ok, body: .stream($0)) } }
        client.send(.headers(1, RawClient.get), .headers(3, RawClient.get))
        client.connection.close()
        #expect(bodies.map(\.isStopped) == [true, true])
    }

    @Test func `splitting the bytes anywhere does not change the result`() {
        let bytes =
            HTTP2Preface.bytes + Frame.settings().bytes
            + Frame.headers(1, RawClient.post + [("x-a", "1")], endsStream: false, endsHeaders: false).bytes
            + Frame.continuation(1, Frame.encode([("x-b", "2")]), endsHeaders: true).bytes
            + Frame.data(1, Array("body".utf8)).bytes + Frame.headers(3, RawClient.get + [("X", "1")]).bytes
        for size in [1, 2, 3, 7, 24, 25, 50] {
            let client = RawClient(greets: false)
            var rest = bytes[...]
            while !rest.isEmpty {
                client.send(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(client.requests.map(\.body) == [Array("body".utf8)])
            #expect(client.requests.first?.fields == ["x-a": "1", "x-b": "2"])
            #expect(client.errors == [.fieldName], "in pieces of \(size)")
            #expect(client.connection.ending == nil)
        }
    }

    @Test func `bytes that are not HTTP 2 end the connection`() {
        let client = RawClient(greets: false)
        client.send(Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
        #expect(client.connection.ending == .preface)
        #expect(client.connection.isFinished)
    }

    @Test func `a protocol violation ends the connection with the error code of the violation`() {
        let client = RawClient()
        client.send(.data(0, [1]))
        #expect(client.connection.ending == .protocolViolation(.protocolError))
        #expect(client.connection.isFinished)
        let large = RawClient()
        large.send(Frame(kind: Frame.Kind.data, stream: 1, payload: Array(repeating: 0, count: 16385)))
        #expect(large.connection.ending == .protocolViolation(.frameSizeError))
        let broken = RawClient()
        broken.send(.block(1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]))
        #expect(broken.connection.ending == .protocolViolation(.compressionError))
    }
}
