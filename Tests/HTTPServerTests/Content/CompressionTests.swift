import HTTPCompression
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

/// Compression as clients meet it, whichever version they speak.
@Suite struct CompressionTests {
    private static let text = Array(String(repeating: "the same line again\n", count: 1000).utf8)

    private func get(
        _ client: any HTTPTestWireClient, _ path: String, method: String = "GET", _ fields: [(String, String)]
    ) throws -> HTTPTestWireAnswer {
        try client.exchange(method, path, host: "localhost", fields: fields, body: nil)
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `answers come in the coding that is asked for, from either loop`(_ wire: HTTPTestWire) async throws {
        for index in 0..<2 {
            let server = try Transport.server(
                configure: { $0.compression = HTTPServerCompression() }, placement: { _ in index }
            ) { _, _ in
                let fields: HTTPFields = [.contentType: "text/plain", .eTag: "\"7\""]
                return .response(HTTPResponse(status: .ok, fields: fields, body: .bytes(CompressionTests.text)))
            }
            let client = try wire.connect(to: server)
            for coding in ContentCoding.allCases {
                let accepted = [("accept-encoding", "\(coding.token.string), zstd;q=0.5")]
                let answer = try get(client, "/", accepted)
                #expect(answer.fields.value(.contentEncoding) == coding.token.string)
                #expect(answer.fields.value(.contentLength) == String(answer.body.count))
                #expect(try ContentDecoder.decode(answer.body, coding) == CompressionTests.text)
                let head = try get(client, "/", method: "HEAD", accepted)
                #expect(head.body.isEmpty && head.fields.withoutDate == answer.fields.withoutDate)
            }
            #expect(try get(client, "/", []).body == CompressionTests.text)
            await server.shutdown()
        }
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `each event of a compressed stream can be read when it is sent`(_ wire: HTTPTestWire) async throws {
        for (index, coding) in ContentCoding.allCases.enumerated() {
            let stream = HTTPTestStream()
            let server = try Transport.server(
                configure: { configuration in
                    configuration.compression = HTTPServerCompression()
                    configuration.compression?.streams = .brotli
                }, placement: { _ in index }
            ) { _, _ in
                .response(
                    HTTPResponse(status: .ok, fields: [.contentType: "text/event-stream"], body: .stream(stream)))
            }
            let client = try wire.connect(to: server)
            let head = try client.follow("/events", fields: [("accept-encoding", coding.token.string)])
            #expect(head.value(.contentEncoding) == coding.token.string)
            #expect(head.value(.vary) == "accept-encoding")
            let decoder = ContentDecoder(coding)
            for number in 1...20 {
                let event = number == 7 ? ": keep-alive\n\n" : "id: \(number)\ndata: event \(number)\n\n"
                await server.onLoop(index) { _ in stream.append(event) }
                var decoded: [UInt8] = []
                while decoded.count < event.utf8.count { try decoder.decode(client.content(), into: &decoded) }
                #expect(String(decoding: decoded, as: UTF8.self) == event)
            }
            await server.shutdown()
        }
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `a compressed stream that ends is a whole content`(_ wire: HTTPTestWire) async throws {
        let server = try Transport.server(configure: { configuration in
            configuration.compression = HTTPServerCompression()
            configuration.compression?.streams = .gzip
        }) { _, _ in
            let stream = HTTPTestStream("data: all\n\n")
            stream.finish()
            return .response(
                HTTPResponse(status: .ok, fields: [.contentType: "text/event-stream"], body: .stream(stream)))
        }
        let answer = try get(try wire.connect(to: server), "/", [("accept-encoding", "gzip")])
        #expect(try ContentDecoder.decode(answer.body, .gzip) == Array("data: all\n\n".utf8))
        await server.shutdown()
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `content from memory is found again by its tag and taken up in parts`(_ wire: HTTPTestWire) async throws {
        let page = StaticContent(CompressionTests.text, contentType: "text/html")
        let server = try Transport.server(configure: { $0.compression = HTTPServerCompression() }) { request, _ in
            .response(page.response(to: request))
        }
        let client = try wire.connect(to: server)
        let accepted = ("accept-encoding", "gzip, deflate, br")
        let whole = try get(client, "/", [accepted])
        let tag = try #require(whole.fields.value(.eTag))
        #expect(try ContentDecoder.decode(whole.body, .brotli) == CompressionTests.text)
        let head = try get(client, "/", method: "HEAD", [accepted])
        #expect(head.body.isEmpty && head.fields.withoutDate == whole.fields.withoutDate)
        let same = try get(client, "/", [accepted, ("if-none-match", tag)])
        #expect(same.status == 304 && same.body.isEmpty && same.fields.value(.eTag) == tag)
        #expect(same.fields.contains(.date) && !same.fields.contains(.contentLength))
        var joined = try get(client, "/", [accepted, ("range", "bytes=0-9")]).body
        joined += try get(client, "/", [accepted, ("range", "bytes=10-"), ("if-range", tag)]).body
        #expect(joined == whole.body)
        let beyond = try get(client, "/", [accepted, ("range", "bytes=99999-")])
        #expect(beyond.status == 416 && beyond.fields.value(.contentRange) == "bytes */\(whole.body.count)")
        #expect(try get(client, "/", method: "OPTIONS", []).fields.value(.allow) == "GET, HEAD, OPTIONS")
        await server.shutdown()
    }
}

extension HTTPFields {
    /// What does not change with the second.
    fileprivate var withoutDate: HTTPFields {
        var fields = self
        fields[.date] = nil
        return fields
    }
}
