import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

/// Fields behind content, over both versions.
@Suite struct TrailersTests {
    @Test(arguments: ContentWire.allCases)
    func `trailers of a request reach the responder apart from the fields`(_ wire: ContentWire) async throws {
        let server = try ContentWire.server { request, _ in
            let text = "\(request.trailers.value("x-sum") ?? "-") \(request.fields.value("x-sum") ?? "-")"
            return .response(HTTPResponse(status: .ok, body: .bytes(Array("\(text) \(request.authority)".utf8))))
        }
        let client = try wire.connect(server)
        for _ in 0..<2 {
            let trailers = [("x-sum", "7"), ("host", "evil"), ("content-length", "1")]
            #expect(try client.ask("POST", "/", body: Array("ab".utf8), trailers: trailers).text == "7 - localhost")
            #expect(try client.ask("POST", "/", body: Array("ab".utf8)).text == "- - localhost")
        }
        await server.shutdown()
    }
}
