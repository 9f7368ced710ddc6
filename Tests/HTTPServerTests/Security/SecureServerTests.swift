import HTTPModel
import HTTPServer
import HTTPServerTesting
import TLS
import Testing

@Suite struct SecureServerTests {
    private static let ok: HTTPTestServer.Respond = { request, _ in
        let names = [request.peer.certificateSubject ?? "nobody"] + request.peer.certificateNames
        let text = "\(request.scheme) \(names.joined(separator: " "))"
        return .response(HTTPResponse(status: .ok, body: .bytes(Array(text.utf8))))
    }

    private let hello = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

    private func server(
        _ source: TLSContextSource? = nil, configure: (inout HTTPServerConfiguration) -> Void = { _ in }
    ) throws -> HTTPTestServer {
        let source = try source ?? TLSContextSource(TLSConfiguration(identities: [try .selfSigned()]))
        return try HTTPTestServer(
            configure: { configuration in
                configuration.tls = HTTPServerTLS(source: source, port: 0)
                configure(&configuration)
            }, respond: SecureServerTests.ok)
    }

    @Test func `one connection carries many requests, pipelined or not`() async throws {
        let server = try server()
        let client = try server.connectSecurely(TLSTestOptions(protocols: ["http/1.1"]))
        for _ in 0..<3 {
            try client.send(hello)
            #expect(try client.receiveResponse().text == "https nobody")
        }
        try client.send(hello + hello + hello)
        for _ in 0..<3 { #expect(try client.receiveResponse().status == 200) }
        try client.sendByteByByte(hello)
        #expect(try client.receiveResponse().status == 200)
        await server.shutdown()
    }

    @Test func `the server sends close_notify before it closes the connection`() async throws {
        let server = try server()
        let client = try server.connectSecurely()
        try client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(try client.receiveResponse().status == 200)
        #expect(try client.receiveToEnd().isEmpty)
        #expect(client.hasEndedTLS)
        #expect(!client.wasReset)
        let idle = try server.connectSecurely()
        try idle.send(hello)
        #expect(try idle.receiveResponse().status == 200)
        await server.shutdown()
        #expect(try idle.receiveToEnd().isEmpty)
        #expect(idle.hasEndedTLS)
    }

    @Test func `unparsable requests get an error response over TLS`() async throws {
        let server = try server()
        let client = try server.connectSecurely()
        try client.send("GET / HTTP/1.1\r\nHost : h\r\n\r\n")
        #expect(try client.receiveResponse().status == 400)
        client.finishSending()
        #expect(try client.receiveToEnd().isEmpty)
        #expect(client.hasEndedTLS)
        await server.shutdown()
    }

    @Test func `a connection that does not use TLS is closed, if possible with an alert`() async throws {
        let server = try server()
        let cleartext = try HTTPTestClient(port: server.securePort)
        try cleartext.send(hello)
        #expect(try cleartext.receiveToEnd().isEmpty)
        let garbage = try HTTPTestClient(port: server.securePort)
        // A record with invalid content. The server responds with an alert.
        try garbage.send([0x16, 0x03, 0x01, 0x00, 0x04, 0xFF, 0x00, 0x00, 0x00])
        #expect(try garbage.receiveToEnd().starts(with: [0x15, 0x03]))
        await server.shutdown()
    }

    @Test func `a handshake that is not completed in time is closed`() async throws {
        let server = try server { $0.tls?.handshakeTimeout = .milliseconds(50) }
        let silent = try HTTPTestClient(port: server.securePort)
        #expect(try silent.receiveToEnd().isEmpty)
        let half = try HTTPTestClient(port: server.securePort)
        // On a busy machine, the bytes may be sent late and find the connection closed.
        try? half.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
        #expect(try half.receiveToEnd().isEmpty)
        await server.shutdown()
    }

    @Test func `a response is complete however slowly it is read`() async throws {
        let large = [UInt8](repeating: 0x61, count: 2_000_000)
        let source = try TLSContextSource(TLSConfiguration(identities: [try .selfSigned()]))
        let server = try HTTPTestServer(
            configure: { $0.tls = HTTPServerTLS(source: source, port: 0) },
            respond: { request, _ in
                let body: HTTPResponseBody = request.target == "/stream" ? .stream(HTTPTestStream("s")) : .bytes(large)
                return .response(HTTPResponse(status: .ok, body: body))
            })
        let client = try HTTPTestClient(port: server.securePort, receiveBuffer: 4096)
        try client.beginTLS()
        try client.send(hello)
        #expect(try client.receiveResponse().body == large)
        await server.shutdown()
    }

    @Test func `cleartext requests can be redirected to TLS`() async throws {
        let server = try server { configuration in
            configuration.tls?.redirectsCleartext = true
            configuration.tls?.strictTransportSecurity = "max-age=31536000"
        }
        let cleartext = try server.connect()
        try cleartext.send("POST /a?b=c HTTP/1.1\r\nHost: example.org:8080\r\nContent-Length: 1\r\n\r\nx")
        let redirect = try cleartext.receiveResponse()
        #expect(redirect.status == 308)
        #expect(redirect.fields.value(.location) == "https://example.org:\(server.securePort)/a?b=c")
        #expect(!redirect.fields.contains(.strictTransportSecurity))
        try cleartext.send("OPTIONS * HTTP/1.1\r\nHost: example.org\r\n\r\n")
        #expect(try cleartext.receiveResponse().problemKind == "tls-required")
        let multiplexed = try Transport.cleartext.connect(server)
        let answer = try multiplexed.exchange("GET", "/x", authority: "example.org")
        #expect(answer.status == 308)
        #expect(answer.fields.value(.location) == "https://example.org:\(server.securePort)/x")
        let secure = try server.connectSecurely()
        try secure.send(hello)
        let response = try secure.receiveResponse()
        #expect(response.status == 200)
        #expect(response.fields.value(.strictTransportSecurity) == "max-age=31536000")
        let modern = try Transport.tls.connect(server)
        #expect(try modern.exchange().fields.value(.strictTransportSecurity) == "max-age=31536000")
        await server.shutdown()
    }

    @Test func `a redirect names the configured external port, unless it is 443`() async throws {
        for (port, authority) in [(8443, "h:8443"), (443, "h")] as [(UInt16, String)] {
            let server = try server { configuration in
                configuration.tls?.redirectsCleartext = true
                configuration.tls?.publicPort = port
            }
            let client = try server.connect()
            try client.send("GET / HTTP/1.1\r\nHost: h:80\r\n\r\n")
            #expect(try client.receiveResponse().fields.value(.location) == "https://\(authority)/")
            await server.shutdown()
        }
    }

    @Test func `the responder sees a client certificate, over both versions of HTTP`() async throws {
        // A self-signed certificate is its own issuer.
        let ada = try TLSIdentity.selfSigned(hosts: ["ada"])
        var configuration = TLSConfiguration(identities: [try .selfSigned()])
        configuration.clientCertificates = .optional(issuers: ada.certificates)
        let server = try server(TLSContextSource(configuration))
        var options = TLSTestOptions()
        options.certificate = (ada.certificates, ada.privateKey)
        let client = try server.connectSecurely(options)
        try client.send(hello)
        #expect(try client.receiveResponse().text == "https CN=ada DNS:ada")
        options.protocols = ["h2"]
        let modern = try HTTP2TestConnection(over: server.connectSecurely(options))
        #expect(try modern.exchange().text == "https CN=ada DNS:ada")
        let nobody = try server.connectSecurely()
        try nobody.send(hello)
        #expect(try nobody.receiveResponse().text == "https nobody")
        await server.shutdown()
    }

    @Test func `a new certificate applies to new connections and closes none`() async throws {
        let (before, after) = (try TLSIdentity.selfSigned(), try TLSIdentity.selfSigned())
        let source = try TLSContextSource(TLSConfiguration(identities: [before]))
        let server = try server(source)
        let early = try server.connectSecurely()
        try source.replace(with: TLSConfiguration(identities: [after]))
        let late = try server.connectSecurely()
        #expect(early.serverFingerprint != late.serverFingerprint)
        for client in [early, late] {
            try client.send(hello)
            #expect(try client.receiveResponse().status == 200)
        }
        await server.shutdown()
    }

    @Test func `a request for another loop is answered over TLS`() async throws {
        let source = try TLSContextSource(TLSConfiguration(identities: [try .selfSigned()]))
        let server = try HTTPTestServer(
            configure: { $0.tls = HTTPServerTLS(source: source, port: 0) },
            placement: { $0.target == "/1" ? 1 : 0 },
            respond: { request, loop in
                .response(HTTPResponse(status: .ok, body: .bytes(Array("\(loop.index)".utf8))))
            })
        for _ in 0..<4 {
            let client = try server.connectSecurely()
            for index in [0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0] {
                try client.send("GET /\(index) HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.receiveResponse().text == "\(index)")
            }
        }
        await server.shutdown()
    }
}
