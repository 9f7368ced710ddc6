import HTTP1
import HTTPModel
import Testing

@Suite struct HTTP1ResponseEncoderTests {
    private final class UnusedStream: HTTPBodyStream {
        let contentLength: Int?

        init(contentLength: Int? = nil) { self.contentLength = contentLength }

        func start(_ consumer: any HTTPBodyConsumer) {}
        func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress { .finished }
        func stop() {}
    }

    private func encode(
        _ response: HTTPResponse, _ exchange: HTTP1Exchange = HTTP1Exchange(keepsAlive: true)
    ) -> (text: String, framing: HTTP1BodyFraming, keepsAlive: Bool) {
        var buffer = Array("before|".utf8)
        let (framing, keepsAlive) = HTTP1ResponseEncoder.encode(
            response, for: exchange, dateLine: Array("date: D\r\n".utf8), into: &buffer)
        return (String(decoding: buffer.dropFirst(7), as: UTF8.self), framing, keepsAlive)
    }

    @Test func `a body of known length is sent with content-length`() {
        let encoded = encode(HTTPResponse(status: .ok, fields: ["x-a": "1"], body: .bytes(Array("hello".utf8))))
        #expect(encoded.text == "HTTP/1.1 200 OK\r\nx-a: 1\r\ncontent-length: 5\r\ndate: D\r\n\r\nhello")
        #expect(encoded.framing == .whole)
        #expect(encoded.keepsAlive)
    }

    @Test(arguments: [0, 9, 10, 65_535, Int.max])
    func `a length is written in decimal digits`(length: Int) {
        let encoded = encode(HTTPResponse(status: .ok, body: .stream(UnusedStream(contentLength: length))))
        #expect(encoded.text == "HTTP/1.1 200 OK\r\ncontent-length: \(length)\r\ndate: D\r\n\r\n")
    }

    @Test func `fields without a value, and long ones, are written whole`() throws {
        let long = String(repeating: "v", count: 5000)
        let fields: HTTPFields = ["a": "", "b": try #require(HTTPFieldValue(long)), "c": "1"]
        let encoded = encode(HTTPResponse(status: .ok, fields: fields))
        #expect(encoded.text.hasPrefix("HTTP/1.1 200 OK\r\na: \r\nb: \(long)\r\nc: 1\r\ncontent-length"))
    }

    @Test func `a response without a body has a content-length of 0`() {
        let encoded = encode(HTTPResponse(status: .notFound))
        #expect(encoded.text == "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\ndate: D\r\n\r\n")
    }

    @Test(arguments: [HTTPStatus.noContent, .notModified])
    func `a status without content has neither a body nor a length`(_ status: HTTPStatus) {
        let encoded = encode(HTTPResponse(status: status, body: .bytes([1, 2, 3])))
        #expect(encoded.text.hasSuffix("\r\ndate: D\r\n\r\n"))
        #expect(!encoded.text.contains("content-length"))
        #expect(encoded.framing == .none)
    }

    @Test func `a stream is sent in chunks`() {
        let encoded = encode(HTTPResponse(status: .ok, body: .stream(UnusedStream())))
        #expect(encoded.text == "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ndate: D\r\n\r\n")
        #expect(encoded.framing == .chunked)
    }

    @Test(arguments: [false, true])
    func `a stream of known length is sent with content-length`(isVersion10: Bool) {
        let encoded = encode(
            HTTPResponse(status: .ok, body: .stream(UnusedStream(contentLength: 70))),
            HTTP1Exchange(isVersion10: isVersion10, keepsAlive: true))
        #expect(encoded.text.hasPrefix("HTTP/1.1 200 OK\r\ncontent-length: 70\r\ndate: D\r\n"))
        #expect(!encoded.text.contains("chunked"))
        #expect(encoded.framing == .separate)
        #expect(encoded.keepsAlive)
    }

    @Test func `a stream to an HTTP 1.0 client ends with the connection`() {
        let exchange = HTTP1Exchange(isVersion10: true, keepsAlive: true)
        let encoded = encode(HTTPResponse(status: .ok, body: .stream(UnusedStream())), exchange)
        #expect(encoded.text == "HTTP/1.1 200 OK\r\ndate: D\r\nconnection: close\r\n\r\n")
        #expect(encoded.framing == .untilClose)
        #expect(!encoded.keepsAlive)
    }

    @Test func `an HTTP 1.0 client is notified that the connection stays open`() {
        let encoded = encode(HTTPResponse(status: .ok), HTTP1Exchange(isVersion10: true, keepsAlive: true))
        #expect(encoded.text.contains("\r\nconnection: keep-alive\r\n"))
    }

    @Test func `the end of a connection is announced in the response`() {
        let encoded = encode(HTTPResponse(status: .ok), HTTP1Exchange(keepsAlive: false))
        #expect(encoded.text.contains("\r\nconnection: close\r\n"))
    }

    @Test func `content over the limit is not copied into the buffer of the head`() {
        let response = HTTPResponse(status: .ok, body: .bytes(Array("hello".utf8)))
        for (limit, text, framing) in [(5, "hello", HTTP1BodyFraming.whole), (4, "", .separate)] {
            var buffer: [UInt8] = []
            let (result, keepsAlive) = HTTP1ResponseEncoder.encode(
                response, for: HTTP1Exchange(keepsAlive: true), dateLine: [], contentLimit: limit, into: &buffer)
            #expect(String(decoding: buffer, as: UTF8.self) == "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n" + text)
            #expect(result == framing && keepsAlive)
        }
    }

    @Test func `a response to HEAD has the same head as a response to GET`() {
        let head = HTTP1Exchange(isHead: true, keepsAlive: true)
        let whole = encode(HTTPResponse(status: .ok, body: .bytes(Array("hello".utf8))), head)
        #expect(whole.text == "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ndate: D\r\n\r\n")
        #expect(whole.framing == .none)
        let stream = encode(HTTPResponse(status: .ok, body: .stream(UnusedStream())), head)
        #expect(stream.text.contains("transfer-encoding: chunked"))
        #expect(stream.framing == .none)
        let described = encode(HTTPResponse(status: .ok, fields: [.contentLength: "9"]), head)
        #expect(described.text == "HTTP/1.1 200 OK\r\ncontent-length: 9\r\ndate: D\r\n\r\n")
        let typed = encode(HTTPResponse(status: .ok, fields: [.contentType: "text/event-stream"]), head)
        #expect(typed.text == "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ndate: D\r\n\r\n")
        #expect(encode(HTTPResponse(status: .ok), head).text.contains("content-length: 0"))
    }

    @Test func `framing fields of the responder are ignored`() {
        let fields: HTTPFields = [
            .contentLength: "99", .transferEncoding: "gzip", .connection: "upgrade", .date: "never", .keepAlive: "9",
        ]
        let encoded = encode(HTTPResponse(status: .ok, fields: fields, body: .bytes([65])))
        #expect(encoded.text == "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ndate: D\r\n\r\nA")
    }

    @Test func `an unregistered status has an empty reason phrase`() {
        #expect(encode(HTTPResponse(status: HTTPStatus(299))).text.hasPrefix("HTTP/1.1 299 \r\n"))
    }

    @Test func `an interim 100 response is a status line only`() {
        var buffer: [UInt8] = []
        HTTP1ResponseEncoder.encodeContinue(into: &buffer)
        #expect(buffer == Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
}
