import HTTP2
import HTTPModel
import HTTPServerTesting
import Testing

/// Requests and responses between a client's connection and the server's.
@Suite struct ClientRequestTests {
    private let pair = ClientPair()

    @Test func `a request arrives as it was sent, and its response as well`() throws {
        var request = ClientPair.request(.post, "/v1/sessions/a/inputs/b?c=d", body: Array("content".utf8))
        request.fields = [
            "accept": "*/*", "connection": "close", "te": "gzip", "expect": "100-continue", "host": "node-2",
            "keep-alive": "1", "content-length": "99", "x-a": "1", "x-a": "2",
        ]
        pair.answer = { _ in
            HTTPResponse(status: .created, fields: ["location": "/1"], body: .bytes(Array("created".utf8)))
        }
        let id = pair.send(request)
        pair.exchange()
        let received = try #require(pair.requests.first)
        #expect(received.method == .post && received.target == request.target)
        #expect(received.authority == "node-2" && received.scheme == "https")
        #expect(received.fields == ["accept": "*/*", "x-a": "1", "x-a": "2", "content-length": "7"])
        #expect(received.body == request.body)
        let response = try #require(pair.collector.responses[id.rawValue])
        #expect(response.status == .created)
        #expect(response.fields == ["location": "/1", "content-length": "7"])
        // It was complete, so its content is not a stream.
        #expect(response.body.bytes == Array("created".utf8))
        #expect(pair.client.requestCount == 0)
    }

    @Test func `a response without content has none, and HEAD describes what GET would have`() {
        pair.answer = { request in
            request.method == .head
                ? HTTPResponse(status: .ok, fields: ["content-length": "10"])
                : HTTPResponse(status: HTTPStatus(request.target == "/204" ? 204 : 304))
        }
        let ids = [
            pair.send(ClientPair.request(.head)), pair.send(ClientPair.request(.get, "/204")),
            pair.send(ClientPair.request(.get, "/304")),
        ]
        pair.exchange()
        #expect(ids.map { pair.collector.responses[$0.rawValue]?.status.code } == [200, 204, 304])
        for id in ids {
            if case .empty? = pair.collector.responses[id.rawValue]?.body {
            } else {
                Issue.record("expected no content")
            }
        }
        #expect(pair.collector.responses[ids[0].rawValue]?.fields == ["content-length": "10"])
        #expect(pair.collector.failures.isEmpty)
    }

    @Test func `events of a stream arrive one by one, then the end and the trailers`() throws {
        final class Body: HTTPBodyStream {
            private weak var consumer: (any HTTPBodyConsumer)?
            var pending: [UInt8] = []
            var hasFinished = false { didSet { consumer?.bodyIsReady() } }
            func start(_ consumer: any HTTPBodyConsumer) { self.consumer = consumer }
            func add(_ text: String) {
                pending += Array(text.utf8)
                consumer?.bodyIsReady()
            }
            func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
                buffer += pending
                pending = []
                return hasFinished ? .finished : .waiting
            }
            let trailers: HTTPFields = ["x-sum": "1"]
            func stop() {}
        }
        let body = Body()
        pair.answer = { _ in
            HTTPResponse(status: .ok, fields: ["content-type": "text/event-stream"], body: .stream(body))
        }
        var request = ClientPair.request()
        request.fields = ["te": "trailers"]
        let id = pair.send(request)
        pair.exchange()
        let reader = try #require(pair.collector.readers[id.rawValue])
        #expect(reader.body.contentLength == nil)
        for event in ["a", "b", "c"] {
            body.add(event)
            pair.exchange()
            #expect(pair.collector.text(id).hasSuffix(event))
            #expect(!reader.isFinished)
        }
        body.hasFinished = true
        pair.exchange()
        #expect(reader.isFinished)
        #expect(reader.body.trailers == ["x-sum": "1"])
        #expect(pair.client.requestCount == 0)
    }

    @Test func `content of a request is sent as it is produced, with its length if that is known`() {
        let body = ScriptedBody()
        let id = pair.send(ClientPair.request(.put), content: body)
        pair.exchange()
        #expect(body.isStarted)
        body.append("one ")
        pair.exchange()
        #expect(pair.requests.isEmpty)
        body.append("two")
        body.finish()
        pair.exchange()
        #expect(pair.requests.map(\.body) == [Array("one two".utf8)])
        #expect(pair.requests.first?.fields.isEmpty == true)
        #expect(pair.collector.text(id) == "one two")
        #expect(!body.isStopped)
    }

    @Test func `a response before the end of the request stops the rest of it`() {
        var limits = HTTP2Limits()
        limits.bodyBytes = 10
        let pair = ClientPair(server: limits)
        let body = ScriptedBody()
        let id = pair.send(ClientPair.request(.post), content: body)
        body.append("more than ten bytes")
        pair.exchange()
        #expect(pair.collector.responses[id.rawValue]?.status == .contentTooLarge)
        #expect(pair.collector.failures.isEmpty)
        #expect(body.isStopped)
        #expect(pair.client.requestCount == 0 && pair.server.streamCount == 0)
    }

    @Test func `the rest of a request is cancelled if the server does not do that after its response`() throws {
        let server = RawServer()
        let body = SilentBody()
        let id = try server.client.send(ClientPair.request(.post), content: body)
        server.step()
        server.send(.headers(1, RawServer.ok))
        #expect(server.collector.isComplete(id))
        #expect(server.frames(Frame.Kind.reset, on: 1).map(\.code) == [0])
        #expect(body.isStopped && server.client.requestCount == 0)
    }

    @Test func `a thousand requests and large bodies in both directions complete`() {
        let pair = ClientPair()
        let ids = (0..<1000).map { index in
            pair.send(ClientPair.request(.post, "/\(index)", body: Array(repeating: UInt8(index & 0xFF), count: 3000)))
        }
        pair.exchange()
        for (index, id) in ids.enumerated() {
            #expect(pair.collector.content(id) == Array(repeating: UInt8(index & 0xFF), count: 3000))
        }
        let large = pair.send(ClientPair.request(.post, body: Array(repeating: 7, count: 1 << 20)))
        pair.exchange()
        #expect(pair.collector.content(large).count == 1 << 20)
        #expect(pair.client.ending == nil && pair.server.ending == nil)
    }

    @Test func `a head that the server does not accept is not sent`() {
        var limits = HTTP2Limits()
        limits.headBytes = 1000
        let pair = ClientPair(server: limits)
        pair.exchange()
        var request = ClientPair.request()
        request.fields["x-large"] = HTTPFieldValue(String(repeating: "a", count: 1000)) ?? ""
        #expect(throws: HTTP2SendError.headTooLarge) { try pair.client.send(request) }
        let id = pair.send(ClientPair.request())
        pair.exchange()
        #expect(pair.collector.isComplete(id))
    }
}
