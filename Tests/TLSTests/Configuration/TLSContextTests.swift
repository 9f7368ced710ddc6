import COpenSSL
import TLS
import Testing

@Suite struct TLSContextTests {
    private let authority: TestAuthority

    init() throws {
        authority = try TestAuthority()
    }

    private func fingerprint(
        _ context: TLSContext, _ name: String?, _ change: (inout TestClient.Options) -> Void = { _ in }
    ) throws -> String {
        var options = TestClient.Options()
        options.serverName = name
        change(&options)
        let client = try TestClient(context, options)
        #expect(client.exchange() == .open)
        return client.serverFingerprint
    }

    @Test func `each name gets its certificate, and an unknown name gets the first one`() throws {
        let first = try authority.issue(["a.test", "b.test"]).identity()
        let other = try authority.issue(["c.test"]).identity()
        let wild = try authority.issue(["*.w.test"]).identity()
        let context = try TLSContext(
            TLSConfiguration(identities: [first, other, wild]), tickets: TLSTicketKeys())
        let expected: [(String?, TLSIdentity)] = [
            ("a.test", first), ("b.test", first), ("c.test", other), ("C.TEST", other), ("x.w.test", wild),
            ("x.y.w.test", first), ("w.test", first), ("unknown.test", first), (nil, first),
        ]
        for (name, identity) in expected {
            #expect(try fingerprint(context, name) == identity.fingerprint, "\(name ?? "none")")
        }
    }

    @Test func `ECDSA and RSA certificates can serve the same name`() throws {
        let ecdsa = try authority.issue(["a.test"]).identity()
        let rsa = try authority.issue(["a.test"], key: .rsa(bits: 2048)).identity()
        for identities in [[ecdsa, rsa], [rsa, ecdsa]] {
            let context = try TLSContext(TLSConfiguration(identities: identities), tickets: TLSTicketKeys())
            for name in ["a.test", nil] as [String?] {
                let old = try fingerprint(context, name) {
                    ($0.most, $0.ciphers) = (TLS1_2_VERSION, "ECDHE-RSA-AES128-GCM-SHA256")
                }
                #expect(old == rsa.fingerprint)
                let modern = try fingerprint(context, name) {
                    ($0.most, $0.ciphers) = (TLS1_2_VERSION, "ECDHE-ECDSA-AES128-GCM-SHA256")
                }
                #expect(modern == ecdsa.fingerprint)
            }
        }
    }

    @Test func `a certificate is sent with its chain`() throws {
        let leaf = try authority.issue(["h.test"])
        let identity = try TLSIdentity(certificates: leaf.certificate + authority.pem, privateKey: leaf.privateKey)
        var options = TestClient.Options()
        options.trusts = authority.pem
        let context = try TLSContext(TLSConfiguration(identities: [identity]), tickets: TLSTicketKeys())
        #expect(try TestClient(context, options).exchange() == .open)
    }

    @Test func `a new configuration applies to new connections only`() throws {
        let before = try authority.issue().identity()
        let after = try authority.issue().identity()
        let source = try TLSContextSource(TLSConfiguration(identities: [before]))
        let early = try TestClient(source.current)
        early.exchange()
        try source.replace(with: TLSConfiguration(identities: [after]))
        #expect(try fingerprint(source.current, "h.test") == after.fingerprint)
        #expect(early.serverFingerprint == before.fingerprint)
        early.write(Array("still here".utf8))
        early.exchange()
        #expect(early.received == Array("still here".utf8))
    }

    @Test func `an invalid configuration is rejected and the old one stays in use`() throws {
        let identity = try authority.issue().identity()
        let source = try TLSContextSource(TLSConfiguration(identities: [identity]))
        var wrong = TLSConfiguration(identities: [])
        #expect(throws: TLSError.self) { try source.replace(with: wrong) }
        wrong = TLSConfiguration(identities: [identity])
        (wrong.minimumVersion, wrong.maximumVersion) = (.v13, .v12)
        #expect(throws: TLSError.self) { try source.replace(with: wrong) }
        wrong = TLSConfiguration(identities: [identity])
        wrong.protocols = [""]
        #expect(throws: TLSError.self) { try source.replace(with: wrong) }
        wrong = TLSConfiguration(identities: [identity])
        wrong.clientCertificates = .optional(issuers: Array("nonsense".utf8))
        #expect(throws: TLSError.self) { try source.replace(with: wrong) }
        #expect(try fingerprint(source.current, "h.test") == identity.fingerprint)
    }
}
