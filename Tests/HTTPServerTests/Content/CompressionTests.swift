import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

/// Compression as clients see it, with every version of HTTP.
@Suite(.serialized) struct CompressionTests {
    private static let text = Array(String(repeating: "the same line again\n", count: 1000).utf8)

    private var streaming: HTTPServerCompression {
        var compression = HTTPServerCompression()
        compression.streams = .brotli
        return compression
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `responses of either loop use the requested coding`(_ wire: HTTPTestWire) async throws {
        for index in 0..<2 {
            let server = try HTTPTestWire.server(placement: { _ in index }) { _, _ in
                let fields: HTTPFields = [.contentType: "text/plain", .eTag: "\"7\""]
                return .response(HTTPResponse(status: .ok, fields: fields, body: .bytes(CompressionTests.text)))
            }
            let client = try wire.contentClient(of: server)
            for coding in ContentCoding.allCases {
                let accepted = [("accept-encoding", "\(coding.token.string), zstd;q=0.5")]
                let answer = try client.ask("GET", "/", accepted)
                #expect(answer.fields.value(.contentEncoding) == coding.token.string)
                #expect(answer.fields.value(.contentLength) == String(answer.body.count))
                #expect(try ContentDecoder.decode(answer.body, coding) == CompressionTests.text)
                let head = try client.ask("HEAD", "/", accepted)
                #expect(head.body.isEmpty && head.lastingFields == answer.lastingFields)
            }
            #expect(try client.ask().body == CompressionTests.text)
            client.close()
            await server.shutdown()
        }
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `large responses are compressed while they are sent`(_ wire: HTTPTestWire) async throws {
        let large = Array((0..<200_000).map { "line \($0)\n" }.joined().utf8)
        let server = try HTTPTestWire.server { _, _ in
            let fields: HTTPFields = [.contentType: "text/plain", .eTag: "\"7\""]
            return .response(HTTPResponse(status: .ok, fields: fields, body: .bytes(large)))
        }
        let client = try wire.contentClient(of: server)
        for coding in ContentCoding.allCases {
            let accepted = [("accept-encoding", coding.token.string)]
            let answer = try client.ask("GET", "/", accepted)
            #expect(answer.fields.value(.contentEncoding) == coding.token.string)
            #expect(answer.fields.value(.eTag) == "\"7-\(coding.token.string)\"")
            #expect(!answer.fields.contains(.contentLength) && answer.body.count < large.count / 3)
            #expect(try ContentDecoder.decode(answer.body, coding) == large)
            #expect(try client.ask("HEAD", "/", accepted).lastingFields == answer.lastingFields)
        }
        client.close()
        await server.shutdown()
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `each event of a compressed stream can be decoded when it arrives`(_ wire: HTTPTestWire) async throws {
        for (index, coding) in ContentCoding.allCases.enumerated() {
            let stream = HTTPTestStream()
            let server = try HTTPTestWire.server(compression: streaming, placement: { _ in index }) { _, _ in
                .response(
                    HTTPResponse(status: .ok, fields: [.contentType: "text/event-stream"], body: .stream(stream)))
            }
            let client = try wire.contentClient(of: server)
            let head = try client.follow("/events", [("accept-encoding", coding.token.string)])
            #expect(head.value(.contentEncoding) == coding.token.string)
            #expect(head.value(.vary) == "accept-encoding")
            let decoder = ContentDecoder(coding)
            for number in 1...8 {
                let event = number == 7 ? ": keep-alive\n\n" : "id: \(number)\ndata: event \(number)\n\n"
                await server.onLoop(index) { _ in stream.append(event) }
                var decoded: [UInt8] = []
                while decoded.count < event.utf8.count { try decoder.decode(client.content(), into: &decoded) }
                #expect(String(decoding: decoded, as: UTF8.self) == event)
            }
            client.close()
            await server.shutdown()
        }
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `a compressed stream that ends is complete`(_ wire: HTTPTestWire) async throws {
        let server = try HTTPTestWire.server(compression: streaming) { _, _ in
            let stream = HTTPTestStream("data: all\n\n")
            stream.finish()
            return .response(
                HTTPResponse(status: .ok, fields: [.contentType: "text/event-stream"], body: .stream(stream)))
        }
        let client = try wire.contentClient(of: server)
        let answer = try client.ask("GET", "/", [("accept-encoding", "gzip")])
        #expect(try ContentDecoder.decode(answer.body, .gzip) == Array("data: all\n\n".utf8))
        client.close()
        await server.shutdown()
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `content from memory supports tags and ranges`(_ wire: HTTPTestWire) async throws {
        let page = StaticContent(CompressionTests.text, contentType: "text/html")
        let server = try HTTPTestWire.server { request, _ in
            .response(page.response(to: request))
        }
        let client = try wire.contentClient(of: server)
        let accepted = ("accept-encoding", "gzip, deflate, br")
        let whole = try client.ask("GET", "/", [accepted])
        let tag = try #require(whole.fields.value(.eTag))
        #expect(try ContentDecoder.decode(whole.body, .brotli) == CompressionTests.text)
        let head = try client.ask("HEAD", "/", [accepted])
        #expect(head.body.isEmpty && head.lastingFields == whole.lastingFields)
        let same = try client.ask("GET", "/", [accepted, ("if-none-match", tag)])
        #expect(same.status == 304 && same.body.isEmpty && same.fields.value(.eTag) == tag)
        #expect(same.fields.contains(.date) && !same.fields.contains(.contentLength))
        var joined = try client.ask("GET", "/", [accepted, ("range", "bytes=0-9")]).body
        joined += try client.ask("GET", "/", [accepted, ("range", "bytes=10-"), ("if-range", tag)]).body
        #expect(joined == whole.body)
        let beyond = try client.ask("GET", "/", [accepted, ("range", "bytes=99999-")])
        #expect(beyond.status == 416 && beyond.fields.value(.contentRange) == "bytes */\(whole.body.count)")
        #expect(try client.ask("OPTIONS", "/").fields.value(.allow) == "GET, HEAD, OPTIONS")
        client.close()
        await server.shutdown()
    }
}
