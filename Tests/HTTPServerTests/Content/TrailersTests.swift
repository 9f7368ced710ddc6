import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

/// Trailer fields, over both versions of HTTP.
@Suite(.serialized) struct TrailersTests {
    @Test(arguments: HTTPTestWire.allCases)
    func `the responder gets the trailers separately from the fields`(_ wire: HTTPTestWire) async throws {
        let server = try HTTPTestWire.server { request, _ in
            let text = "\(request.trailers.value("x-sum") ?? "-") \(request.fields.value("x-sum") ?? "-")"
            return .response(HTTPResponse(status: .ok, body: .bytes(Array("\(text) \(request.authority)".utf8))))
        }
        let client = try wire.contentClient(of: server)
        for _ in 0..<2 {
            let trailers = [("x-sum", "7"), ("host", "evil"), ("content-length", "1")]
            #expect(try client.ask("POST", "/", body: Array("ab".utf8), trailers: trailers).text == "7 - localhost")
            #expect(try client.ask("POST", "/", body: Array("ab".utf8)).text == "- - localhost")
        }
        client.close()
        await server.shutdown()
    }

    /// A body with trailers, which produces one part for each text.
    private final class TrailedBody: HTTPBodyStream {
        private var parts: [String]
        let trailers: HTTPFields = ["x-sum": "7", "content-length": "1", "host": "evil", "x-last": "8"]

        init(_ parts: [String]) { self.parts = parts }

        func start(_ consumer: any HTTPBodyConsumer) {}

        func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
            guard !parts.isEmpty else { return .finished }
            buffer.append(contentsOf: parts.removeFirst().utf8)
            return parts.isEmpty ? .finished : .more
        }

        func stop() {}
    }

    private func server(_ parts: [String], on loop: Int = 0) throws -> HTTPTestServer {
        var compression = HTTPServerCompression()
        compression.streams = .gzip
        return try HTTPTestWire.server(compression: compression, placement: { _ in loop }) { _, _ in
            .response(
                HTTPResponse(
                    status: .ok, fields: [.contentType: "text/plain"], body: .stream(TrailedBody(parts))))
        }
    }

    /// One of the parts is larger than any frame.
    @Test(arguments: [["all"], ["a", "ll"], [], ["a", "ll", ""], [String(repeating: "large ", count: 20_000)]])
    func `trailers of an HTTP/2 response end its stream, for clients that accept them`(_ parts: [String]) async throws {
        for loop in 0..<2 {
            let server = try server(parts, on: loop)
            let client = try HTTPTestWire.http2.contentClient(of: server)
            for _ in 0..<2 {
                let answer = try client.ask("GET", "/", [("te", "trailers")])
                #expect(answer.text == parts.joined() && answer.trailers == ["x-sum": "7", "x-last": "8"])
                let plain = try client.ask("GET", "/")
                #expect(plain.text == parts.joined() && plain.trailers.isEmpty)
                let compressed = try client.ask("GET", "/", [("te", "trailers"), ("accept-encoding", "gzip")])
                #expect(compressed.fields.value(.contentEncoding) == "gzip" && compressed.trailers.count == 2)
            }
            client.close()
            await server.shutdown()
        }
    }

    @Test(arguments: [("trailers", true), ("gzip;q=0.5 , Trailers", true), ("gzip", false), ("", false)])
    func `trailers of a chunked response follow the last chunk, for clients that accept them`(
        _ accepted: String, _ areSent: Bool
    ) async throws {
        for loop in 0..<2 {
            let server = try server(["a", "ll"], on: loop)
            let client = try server.connect()
            for _ in 0..<2 {
                try client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: TE\r\nTE: \(accepted)\r\n\r\n")
                #expect(try client.receiveHead().fields.value(.transferEncoding) == "chunked")
                let end = areSent ? "0\r\nx-sum: 7\r\nx-last: 8\r\n\r\n" : "0\r\n\r\n"
                try client.receive(until: { $0.count >= 12 + end.utf8.count }, what: "the content")
                let text = String(decoding: try client.receiveSome(what: "the content"), as: UTF8.self)
                #expect(text == "1\r\na\r\n2\r\nll\r\n" + end)
            }
            client.close()
            await server.shutdown()
        }
    }

    @Test func `HTTP/1.0 responses have no trailers`() async throws {
        let server = try server(["all"])
        let client = try server.connect()
        try client.send("GET / HTTP/1.0\r\nTE: trailers\r\n\r\n")
        _ = try client.receiveHead()
        #expect(try client.receiveToEnd() == Array("all".utf8))
        client.close()
        await server.shutdown()
    }
}
