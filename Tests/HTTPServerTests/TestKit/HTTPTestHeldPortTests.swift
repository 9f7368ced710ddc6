import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

struct HTTPTestHeldPortTests {
    @Test func `a held port refuses connections until a server listens on it, and again when that server is gone`()
        async throws
    {
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

    @Test func `the system gives a held port to nobody who asks for a free one`() throws {
        // Some thirty thousand ports are free, so this would find one that can be had twice if there were many of them.
        let ports = try (0..<500).map { _ in try HTTPTestHeldPort() }
        #expect(Set(ports.map(\.number)).count == ports.count)
    }
}
