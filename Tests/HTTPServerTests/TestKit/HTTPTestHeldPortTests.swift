import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

struct HTTPTestHeldPortTests {
    @Test func `a held port refuses connections unless a server listens on it`() async throws {
        let port = try HTTPTestHeldPort()
        #expect(throws: HTTPTestError.self) { try HTTPTestClient(port: port.number) }
        for _ in 0..<2 {
            let server = try HTTPTestServer(configure: { $0.port = port.number }) { _, _ in
                .response(HTTPResponse(status: .noContent))
            }
            #expect(server.port == port.number)
            let client = try server.connect()
            try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.receiveResponse().status == 204)
            client.close()
            await server.shutdown()
            #expect(throws: HTTPTestError.self) { try HTTPTestClient(port: port.number) }
        }
    }

    @Test func `the system does not assign a held port to sockets that bind to any port`() throws {
        // About thirty thousand ports are free, so this test would find a duplicate assignment if it were likely.
        let ports = try (0..<500).map { _ in try HTTPTestHeldPort() }
        #expect(Set(ports.map(\.number)).count == ports.count)
    }
}
