import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

@Suite struct HTTPServerTests {
    private final class Greeter: HTTPResponder {
        func respond(to request: HTTPRequest) -> HTTPAnswer {
            .response(HTTPResponse(status: .ok, body: .bytes(Array("\(request.peer.address)".utf8))))
        }
    }

    private func server(host: String = "127.0.0.1", port: UInt16 = 0) -> HTTPServer<Greeter> {
        var configuration = HTTPServerConfiguration(host: host, port: port)
        configuration.loopCount = 2
        configuration.extendTimeouts()
        return HTTPServer(configuration: configuration) { _ in Greeter() }
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `a server listens on IPv4 or IPv6 addresses and reports its port`(_ host: String) async throws {
        let server = server(host: host)
        let address = try server.start()
        #expect(address.port != 0)
        #expect(address.description == (host == "::1" ? "[::1]:\(address.port)" : "127.0.0.1:\(address.port)"))
        let client = try HTTPTestClient(port: address.port, host: host)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveResponse().text == host)
        await server.shutdown()
    }

    @Test func `a second server on the same port is rejected`() async throws {
        // An address that no other test uses, so that no other test gets its port afterwards.
        let host = "127.87.65.45"
        let first = server(host: host)
        let address = try first.start()
        let second = server(host: host, port: address.port)
        let error = #expect(throws: HTTPServerError.self) { try second.start() }
        #expect(error?.reason == .addressInUse)
        #expect(error?.description.contains("\(address.port)") == true)
        await first.shutdown()
        let third = server(host: host, port: address.port)
        try third.start()
        await third.shutdown()
    }

    @Test(arguments: ["nowhere", "256.0.0.1", "192.0.2.1"])
    func `an address that this machine does not have is rejected`(_ host: String) {
        let error = #expect(throws: HTTPServerError.self) { try server(host: host).start() }
        #expect(error?.reason == .addressInvalid)
    }

    @Test func `a server starts only once`() async throws {
        let server = server()
        try server.start()
        let error = #expect(throws: HTTPServerError.self) { try server.start() }
        #expect(error?.reason == .alreadyStarted)
        await server.shutdown()
    }

    @Test func `the shutdown of a server that was never started returns immediately`() async {
        await server().shutdown()
    }
}
