import HTTPModel
import HTTPServerTesting
import Testing

@testable import HTTPServer

/// Content that is too large for one write.
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

    @Test func `the parts form the whole content and only the last one ends it`() {
        let content = Array(0..<UInt8(100))
        let body = SharedBytesBody(content)
        var read: [UInt8] = []
        for count in [30, 60, 90] {
            guard case .more = body.read(into: &read, limit: 30) else { break }
            #expect(read.count == count)
        }
        guard case .finished = body.read(into: &read, limit: 30) else {
            Issue.record("expected no more content after the last part")
            return
        }
        #expect(read == content)
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `large content arrives complete and the connection continues`(_ wire: HTTPTestWire) async throws {
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

    @Test func `pipelined responses keep their order`() async throws {
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

    @Test func `large content is sent by the loop of the socket, whichever loop has responded`() async throws {
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
    func `a half-closed client gets the whole content`(_ version: String, _ target: String) async throws {
        let server = try server()
        let client = try server.connect(receiveBuffer: 4096)
        try client.send("GET \(target) HTTP/\(version)\r\nHost: h\r\n\r\n")
        client.finishSending()
        let response = try client.receiveResponse()
        #expect(response.body == Self.large && response.fields.value(.contentLength) == String(Self.large.count))
        #expect(try client.receiveToEnd().isEmpty)
        await server.shutdown()
    }

    @Test func `a client that disconnects during a response is released`() async throws {
        let server = try server()
        let client = try server.connect(receiveBuffer: 4096)
        try client.send("GET /large HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try client.receiveHead()
        client.reset()
        #expect(await eventually { server.connectionCount == 0 })
        await server.shutdown()
    }
}
