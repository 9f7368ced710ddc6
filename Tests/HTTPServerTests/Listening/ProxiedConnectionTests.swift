import HTTPModel
import HTTPServer
import HTTPServerTesting
import TLS
import Testing

@Suite struct ProxiedConnectionTests {
    /// Responds with the address and port of the client.
    private func server(
        proxies: [String] = ["127.0.0.0/8"], _ configure: (inout HTTPServerConfiguration) -> Void = { _ in }
    ) throws -> HTTPTestServer {
        try HTTPTestServer(
            configure: { configuration in
                configuration.proxies = proxies.compactMap { AddressRange($0) }
                configure(&configuration)
            },
            respond: { request, _ in
                let text = "\(request.peer.address) \(request.peer.port)"
                return .response(HTTPResponse(status: .ok, body: .bytes(Array(text.utf8))))
            })
    }

    private let header = "PROXY TCP4 192.0.2.7 198.51.100.1 49153 80\r\n"
    /// A header of version 2 with the command LOCAL.
    private let local: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10, 0x20, 0, 0, 0]

    @Test func `requests come from the client that the proxy names`() async throws {
        let server = try server()
        let client = try server.connect()
        try client.send(header + HTTPRequestText.get("/") + HTTPRequestText.get("/"))
        for _ in 0..<2 { #expect(try client.receiveResponse().text == "192.0.2.7 49153") }
        #expect(server.connectionCount == 1)
        await server.shutdown()
    }

    @Test func `a proxy on a Unix socket names its clients, and each of them counts separately`() async throws {
        let folder = try SocketFolder()
        let server = try server(proxies: ["unix"]) { configuration in
            configuration.listeners = [HTTPListener(.unix(path: folder("a")), role: .public)]
            configuration.connectionsPerClient = 1
        }
        let first = try HTTPTestClient(unixSocket: folder("a"))
        try first.send(header + HTTPRequestText.get("/"))
        #expect(try first.receiveResponse().text == "192.0.2.7 49153")
        let second = try HTTPTestClient(unixSocket: folder("a"))
        // The proxy itself is not limited.
        for _ in 0..<2 {
            let own = try HTTPTestClient(unixSocket: folder("a"))
            try own.send(local)
            try own.send(HTTPRequestText.get("/"))
            #expect(try own.receiveResponse().text == "unix 0")
        }
        // All clients without an address are one.
        let unknown = try HTTPTestClient(unixSocket: folder("a"))
        try unknown.send("PROXY UNKNOWN\r\n" + HTTPRequestText.get("/"))
        #expect(try unknown.receiveResponse().text == "unknown 0")
        let other = try HTTPTestClient(unixSocket: folder("a"))
        try other.send("PROXY UNKNOWN\r\n")
        #expect(try other.receiveResponse().status == 429)
        try second.send(header)
        #expect(try second.receiveResponse().status == 429)
        await server.shutdown()
    }

    @Test func `a full server tells clients behind a proxy so, and serves operators`() async throws {
        let folder = try SocketFolder()
        let server = try server(proxies: ["unix"]) { configuration in
            configuration.listeners = [
                HTTPListener(.unix(path: folder("a")), role: .public),
                HTTPListener(.unix(path: folder("o")), role: .admin),
            ]
            configuration.connectionLimit = 1
        }
        let first = try HTTPTestClient(unixSocket: folder("a"))
        try first.send(header + HTTPRequestText.get("/"))
        #expect(try first.receiveResponse().status == 200)
        let second = try HTTPTestClient(unixSocket: folder("a"))
        #expect(try second.receiveResponse().status == 503)
        let admin = try HTTPTestClient(unixSocket: folder("o"))
        try admin.send(header + HTTPRequestText.get("/"))
        #expect(try admin.receiveResponse().text == "192.0.2.7 49153")
        await server.shutdown()
    }

    @Test func `a PROXY header precedes the TLS handshake`() async throws {
        let source = try TLSContextSource(TLSConfiguration(identities: [try .selfSigned()]))
        let server = try server { $0.tls = HTTPServerTLS(source: source, port: 0) }
        for pieces in [[header], header.map { String($0) }] {
            let client = try HTTPTestClient(port: server.securePort)
            for piece in pieces { try client.send(piece) }
            try client.beginTLS(TLSTestOptions(protocols: ["http/1.1"]))
            try client.send(HTTPRequestText.get("/"))
            #expect(try client.receiveResponse().text == "192.0.2.7 49153")
        }
        // Inside TLS, the header is not valid HTTP; a handshake without a header does not come from a proxy.
        let late = try HTTPTestClient(port: server.securePort)
        #expect(throws: HTTPTestError.self) { try late.beginTLS() }
        let twice = try HTTPTestClient(port: server.securePort)
        try twice.send(header)
        try twice.beginTLS(TLSTestOptions(protocols: ["http/1.1"]))
        try twice.send(header + HTTPRequestText.get("/"))
        #expect(try twice.receiveResponse().status == 400)
        await server.shutdown()
    }

    @Test func `a header that arrives byte by byte is parsed`() async throws {
        let server = try server()
        let client = try server.connect()
        try client.sendByteByByte(header + HTTPRequestText.get("/"))
        #expect(try client.receiveResponse().text == "192.0.2.7 49153")
        await server.shutdown()
    }

    @Test func `a connection of the proxy itself has the address of the proxy`() async throws {
        let server = try server()
        let client = try server.connect()
        try client.send(local)
        try client.send(HTTPRequestText.get("/"))
        #expect(try client.receiveResponse().text.hasPrefix("127.0.0.1 "))
        await server.shutdown()
    }

    @Test func `a proxy that sends no header is disconnected`() async throws {
        let server = try server()
        let client = try server.connect()
        try client.send(HTTPRequestText.get("/"))
        #expect(try client.receiveToEnd().isEmpty)
        #expect(await eventually { server.connectionCount == 0 })
        await server.shutdown()
    }

    @Test func `a header that does not arrive in time ends the connection`() async throws {
        let server = try server { $0.headTimeout = .milliseconds(30) }
        let client = try server.connect()
        // On a busy machine, the bytes may be sent late and find the connection closed.
        try? client.send(String(header.prefix(10)))
        #expect(try client.receiveToEnd().isEmpty)
        let silent = try server.connect()
        #expect(try silent.receiveToEnd().isEmpty)
        await server.shutdown()
    }

    @Test func `a proxy that disconnects in the middle of its header is released`() async throws {
        let server = try server()
        let client = try server.connect()
        try client.send(String(header.prefix(10)))
        client.finishSending()
        #expect(try client.receiveToEnd().isEmpty)
        #expect(await eventually { server.connectionCount == 0 })
        await server.shutdown()
    }

    @Test func `the header of a peer that is not a trusted proxy is rejected`() async throws {
        let server = try server(proxies: ["192.0.2.0/24"])
        let untrusted = try server.connect()
        try untrusted.send(header + HTTPRequestText.get("/"))
        #expect(try untrusted.receiveResponse().status == 400)
        let client = try server.connect()
        try client.send(HTTPRequestText.get("/"))
        #expect(try client.receiveResponse().text.hasPrefix("127.0.0.1 "))
        await server.shutdown()
    }

    @Test func `a pending header does not delay a shutdown`() async throws {
        let server = try server {
            $0.lingerTimeout = .milliseconds(20)
            $0.drainTimeout = .seconds(3600)
        }
        let client = try server.connect()
        try client.send(String(header.prefix(10)))
        #expect(await eventually { server.connectionCount == 1 })
        await server.shutdown()
        #expect(try client.receiveToEnd().isEmpty)
    }

    @Test func `each client counts separately from its proxy`() async throws {
        let server = try server { $0.connectionsPerClient = 1 }
        let clients = try (0..<3).map { number in
            let client = try server.connect()
            try client.send("PROXY TCP4 192.0.2.\(number) 198.51.100.1 1 80\r\n" + HTTPRequestText.get("/"))
            return client
        }
        for (number, client) in clients.enumerated() {
            #expect(try client.receiveResponse().text == "192.0.2.\(number) 1")
        }
        let second = try server.connect()
        try second.send("PROXY TCP4 192.0.2.0 198.51.100.1 2 80\r\n")
        #expect(try second.receiveResponse().status == 429)
        await server.shutdown()
    }
}
