import COpenSSL
import TLS
import Testing

@Suite struct ClientCertificateTests {
    private let authority: TestAuthority
    private let identity: TLSIdentity

    init() throws {
        authority = try TestAuthority()
        identity = try authority.issue().identity()
    }

    private func exchange(
        _ mode: TLSConfiguration.ClientCertificates, _ certificate: TestAuthority.Issued?,
        version: Int32 = TLS1_3_VERSION
    ) throws -> TestClient {
        var configuration = TLSConfiguration(identities: [identity])
        configuration.clientCertificates = mode
        var options = TestClient.Options()
        (options.certificate, options.least, options.most) = (certificate, version, version)
        let client = try TestClient(TLSContext(configuration, tickets: TLSTicketKeys()), options)
        client.exchange()
        return client
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `the server sees a certificate of a configured issuer`(_ version: Int32) throws {
        let ada = try authority.issue([], subject: "Ada Lövelace")
        for mode in [
            TLSConfiguration.ClientCertificates.optional(issuers: authority.pem), .required(issuers: authority.pem),
        ] {
            let client = try exchange(mode, ada, version: version)
            #expect(client.server.state == .open)
            #expect(client.server.clientCertificate?.subject == "CN=Ada Lövelace,O=Tests")
            let fingerprint = try TLSIdentity(certificates: ada.certificate, privateKey: ada.privateKey).fingerprint
            #expect(client.server.clientCertificate?.fingerprint == fingerprint)
        }
    }

    @Test func `the server sees the alternative names of a certificate with their kinds`() throws {
        let names = ["URI:spiffe://example/ada", "email:ada@h.test", "IP:192.0.2.1", "DNS:b.test"]
        let ada = try authority.issue(["a.test"], otherNames: names, subject: "Ada")
        let client = try exchange(.required(issuers: authority.pem), ada)
        #expect(
            client.server.clientCertificate?.alternativeNames == [
                "DNS:a.test", "URI:spiffe://example/ada", "email:ada@h.test", "DNS:b.test",
            ])
        let plain = try exchange(.required(issuers: authority.pem), try authority.issue([], subject: "Ada"))
        #expect(plain.server.clientCertificate?.alternativeNames == [])
    }

    @Test func `a client without a certificate is accepted if certificates are optional, and rejected if not`() throws {
        let optional = try exchange(.optional(issuers: authority.pem), nil)
        #expect(optional.server.state == .open)
        #expect(optional.server.clientCertificate == nil)
        let required = try exchange(.required(issuers: authority.pem), nil)
        #expect(required.serverError?.reason == .handshake)
    }

    @Test func `a certificate of an unknown issuer is rejected even if certificates are optional`() throws {
        let stranger = try TestAuthority(name: "Somebody else").issue([], subject: "Ada")
        let client = try exchange(.optional(issuers: authority.pem), stranger)
        #expect(client.serverError?.reason == .handshake)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a session is not resumed where certificates are verified`(_ version: Int32) throws {
        let source = try TLSContextSource(TLSConfiguration(identities: [identity]))
        func connect(after earlier: TestClient? = nil) throws -> TestClient {
            var options = TestClient.Options()
            (options.certificate, options.least, options.most) = (
                try authority.issue([], subject: "Ada"), version, version
            )
            options.session = earlier?.ticketCount ?? 0 > 0 ? try earlier?.takeSession() : nil
            defer { options.session.map(SSL_SESSION_free) }
            let client = try TestClient(source.current, options)
            #expect(client.exchange() == .open)
            try client.serverSend([1])
            client.exchange()
            client.close()
            return client
        }
        let before = try connect()
        #expect(before.ticketCount == 1)
        var configuration = TLSConfiguration(identities: [identity])
        configuration.clientCertificates = .optional(issuers: authority.pem)
        try source.replace(with: configuration)
        // Neither with a ticket of the former configuration nor with one of this.
        let first = try connect(after: before)
        #expect(!first.isResumed && first.server.clientCertificate != nil && first.ticketCount == 0)
    }

    @Test func `an expired certificate is rejected`() throws {
        let old = try authority.issue([], subject: "Ada", seconds: -1)
        #expect(try exchange(.optional(issuers: authority.pem), old).serverError?.reason == .handshake)
    }

    @Test func `no certificate is requested unless that is configured`() throws {
        let client = try exchange(.none, try authority.issue([], subject: "Ada"))
        #expect(client.server.state == .open)
        #expect(client.server.clientCertificate == nil)
    }
}
