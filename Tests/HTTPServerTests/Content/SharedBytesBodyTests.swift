import HTTPModel
import HTTPServerTesting
import Testing

@testable import HTTPServer

/// Content that is too large to be written at once.
@Suite(.serialized) struct SharedBytesBodyTests {
    private static let large = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 7) }

    private func server() throws -> HTTPTestServer {
        try HTTPTestWire.server { request, _ in
            if request.target == "/shared" {
                return .response(HTTPResponse(status: .ok, body: .stream(SharedBytesBody(SharedBytesBodyTests.large))))
            }
            let content = request.target == "/large" ? SharedBytesBodyTests.large : Array("small".utf8)
            return .response(HTTPResponse(status: .ok, body: .bytes(content)))
        }
    }

    @Test func `its parts are the whole, and the last says so`() {
        let content = Array(0..<UInt8(100))
        let body = SharedBytesBody(content)
        var read: [UInt8] = []
        for count in [30, 60, 90] {
            guard case .more = body.read(into: &read, limit: 30) else { break }
            #expect(read.count == count)
        }
        guard case .finished = body.read(into: &read, limit: 30) else {
            Issue.record("the last part was not the last")
            return
        }
        #expect(read == content)
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `it arrives whole, with its length, and the connection goes on`(_ wire: HTTPTestWire) async throws {
        let server = try server()
        let client = try wire.contentClient(of: server)
        for target in ["/large", "/shared", "/large", "/shared"] {
            let answer = try client.ask("GET", target)
            #expect(answer.body == Self.large)
            #expect(answer.fields.value(.contentLength) == String(Self.large.count))
            #expect(try client.ask("HEAD", target).lastingFields == answer.lastingFields)
            #expect(try client.ask("GET", "/small").text == "small")
        }
        client.close()
        await server.shutdown()
    }

    @Test func `answers that are asked for in one go keep their order`() async throws {
        let server = try server()
        let client = try server.connect(receiveBuffer: 4096)
        let targets = ["/large", "/small", "/large", "/small"]
        try client.send(targets.map { "GET \($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined())
        for target in targets {
            #expect(try client.receiveResponse().body == (target == "/large" ? Self.large : Array("small".utf8)))
        }
        client.close()
        await server.shutdown()
    }

    @Test func `it is sent from the socket's loop, whichever loop has answered`() async throws {
        let server = try HTTPTestWire.server(placement: { $0.target == "/large" ? 1 : 0 }) { request, loop in
            let content = request.target == "/large" ? SharedBytesBodyTests.large : Array("loop \(loop.index)".utf8)
            return .response(HTTPResponse(status: .ok, body: .bytes(content)))
        }
        let client = try HTTPTestWire.http1.contentClient(of: server)
        for _ in 0..<6 {
            #expect(try client.ask("GET", "/small").text == "loop 0")
            #expect(try client.ask("GET", "/large").body == Self.large)
            #expect(try client.ask("HEAD", "/large").fields.value(.contentLength) == String(Self.large.count))
        }
        client.close()
        await server.shutdown()
    }

    @Test(arguments: ["1.0", "1.1"], ["/large", "/shared"])
    func `who has said all still gets all`(_ version: String, _ target: String) async throws {
        let server = try server()
        let client = try server.connect(receiveBuffer: 4096)
        try client.send("GET \(target) HTTP/\(version)\r\nHost: h\r\n\r\n")
        client.finishSending()
        let response = try client.receiveResponse()
        #expect(response.body == Self.large && response.fields.value(.contentLength) == String(Self.large.count))
        #expect(try client.receiveToEnd().isEmpty)
        await server.shutdown()
    }

    @Test func `who goes away in the middle is forgotten`() async throws {
        let server = try server()
        let client = try server.connect(receiveBuffer: 4096)
        try client.send("GET /large HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try client.receiveHead()
        client.reset()
        try await eventually { server.connectionCount == 0 }
        await server.shutdown()
    }
}
