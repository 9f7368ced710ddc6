import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

@Suite struct UploadTests {
    /// A server in memory that accepts every kind of client.
    private func server() throws -> HTTPVirtualServer {
        var configuration = HTTPServerConfiguration()
        try HTTPTestWire.configure(&configuration)
        return try HTTPVirtualServer(configure: { $0 = configuration }) { request, _ in
            .response(HTTPResponse(status: .ok, body: .bytes(request.body)))
        }
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `a network that delivers one byte at a time only slows a request down`(_ wire: HTTPTestWire) throws {
        let client = try wire.connect(to: server(), fault: .byteByByte)
        #expect(try client.post("/", Array("content".utf8)).text == "content")
    }

    @Test func `a client that stops in the middle of a request gets 408`() throws {
        let server = try server()
        let client = try server.connect()
        try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Le")
        server.advance(by: .seconds(3600))
        #expect(try client.receiveResponse().status == 408)
        #expect(server.connectionCount == 0)
    }
}
