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

    private func talk(
        _ mode: TLSConfiguration.ClientCertificates, _ certificate: TestAuthority.Issued?,
        version: Int32 = TLS1_3_VERSION
    ) throws -> TestClient {
        var configuration = TLSConfiguration(identities: [identity])
        configuration.clientCertificates = mode
        var wishes = TestClient.Wishes()
        (wishes.certificate, wishes.least, wishes.most) = (certificate, version, version)
        let client = try TestClient(TLSContext(configuration, tickets: TLSTicketKeys()), wishes)
        client.talk()
        return client
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a certificate of a configured issuer is shown to the server`(_ version: Int32) throws {
        let ada = try authority.issue([], subject: "Ada Lövelace")
        for mode in [
            TLSConfiguration.ClientCertificates.optional(issuers: authority.pem), .required(issuers: authority.pem),
        ] {
            let client = try talk(mode, ada, version: version)
            #expect(client.server.state == .open)
            #expect(client.server.clientCertificate?.subject == "CN=Ada Lövelace,O=Tests")
            let fingerprint = try TLSIdentity(certificates: ada.certificate, privateKey: ada.privateKey).fingerprint
            #expect(client.server.clientCertificate?.fingerprint == fingerprint)
        }
    }

    @Test func `whoever shows none is served where that is optional, and turned away where it is not`() throws {
        let optional = try talk(.optional(issuers: authority.pem), nil)
        #expect(optional.server.state == .open)
        #expect(optional.server.clientCertificate == nil)
        let required = try talk(.required(issuers: authority.pem), nil)
        #expect(required.serverError?.reason == .handshake)
    }

    @Test func `a certificate of somebody else is turned away even where it is optional`() throws {
        let stranger = try TestAuthority(name: "Somebody else").issue([], subject: "Ada")
        let client = try talk(.optional(issuers: authority.pem), stranger)
        #expect(client.serverError?.reason == .handshake)
    }

    @Test func `a certificate that is over is turned away`() throws {
        let old = try authority.issue([], subject: "Ada", seconds: -1)
        #expect(try talk(.optional(issuers: authority.pem), old).serverError?.reason == .handshake)
    }

    @Test func `nobody is asked where it is not configured`() throws {
        let client = try talk(.none, try authority.issue([], subject: "Ada"))
        #expect(client.server.state == .open)
        #expect(client.server.clientCertificate == nil)
    }
}
