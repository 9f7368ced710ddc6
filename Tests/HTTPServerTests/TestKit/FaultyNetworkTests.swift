import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

/// Clients with faults, over real sockets.
@Suite struct FaultyNetworkTests {
    private func server() throws -> HTTPTestServer {
        var source = HTTPServerConfiguration()
        try HTTPTestWire.configure(&source)
        let tls = source.tls
        return try HTTPTestServer(configure: { $0.tls = tls }) { request, _ in
            .response(HTTPResponse(status: .ok, body: .bytes(request.body)))
        }
    }

    @Test(arguments: HTTPTestWire.allCases, [HTTPTestFault.byteByByte, .pieces(of: 7)])
    func `bytes in pieces result in the same requests`(_ wire: HTTPTestWire, _ fault: HTTPTestFault) async throws {
        let server = try server()
        let client = try wire.connect(to: server, fault: fault)
        #expect(try client.post("/", Array("content".utf8)).text == "content")
        #expect(try client.get("/").status == 200)
        await server.shutdown()
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `a client that is cut off does not affect others`(_ wire: HTTPTestWire) async throws {
        let server = try server()
        let bystander = try wire.connect(to: server)
        for incident in [HTTPTestFault.Incident.close, .reset] {
            for position in stride(from: 0, to: 160, by: 32) {
                let client = try wire.open(server)
                client.patience = .milliseconds(1)
                client.fault = .cut(at: position, by: incident)
                do {
                    if wire.isSecure { try client.beginTLS() }
                    try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 500\r\n\r\n")
                    try client.send(Array(repeating: 0, count: 200))
                } catch is HTTPTestError { continue }
            }
        }
        #expect(try bystander.get("/").status == 200)
        #expect(await eventually { server.connectionCount == 1 })
        await server.shutdown()
    }
}
