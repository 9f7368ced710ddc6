import COpenSSL
import TLS
import Testing

@Suite struct TLSIdentityTests {
    private func reason(_ certificates: [UInt8], _ privateKey: [UInt8]) -> TLSError.Reason? {
        do throws(TLSError) {
            _ = try TLSIdentity(certificates: certificates, privateKey: privateKey)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func `an identity has its names and its fingerprint`() throws {
        let identity = try TestAuthority().issue(["A.test", "*.b.test"]).identity()
        #expect(identity.hostNames == ["a.test", "*.b.test"])
        #expect(identity.fingerprint.count == 95)
    }

    @Test func `a certificate and a key that do not match are rejected`() throws {
        let authority = try TestAuthority()
        let (one, other) = (try authority.issue(), try authority.issue())
        #expect(reason(one.certificate, other.privateKey) == .keyMismatch)
        let rsa = try authority.issue(key: .rsa(bits: 2048))
        #expect(reason(one.certificate, rsa.privateKey) == .keyMismatch)
    }

    @Test func `unreadable PEM is rejected`() throws {
        let issued = try TestAuthority().issue()
        #expect(reason([], issued.privateKey) == .certificate)
        #expect(reason(Array("nonsense".utf8), issued.privateKey) == .certificate)
        #expect(reason(Array(issued.certificate.prefix(200)), issued.privateKey) == .certificate)
        #expect(reason(issued.privateKey, issued.privateKey) == .certificate)
        #expect(reason(issued.certificate, []) == .privateKey)
        #expect(reason(issued.certificate, issued.certificate) == .privateKey)
        #expect(reason(issued.certificate, Array(issued.privateKey.prefix(100))) == .privateKey)
        // A complete certificate, followed by a truncated one.
        let broken = issued.certificate + issued.certificate.prefix(200)
        #expect(reason(broken, issued.privateKey) == .certificate)
    }

    @Test func `an encrypted key is rejected without a password prompt`() throws {
        let issued = try TestAuthority().issue()
        let key = try required(granary_generate_ec_key())
        defer { EVP_PKEY_free(key) }
        #expect(reason(issued.certificate, TestAuthority.pem(key: key, password: "secret")) == .privateKey)
    }

    @Test func `an expired certificate is rejected`() throws {
        let old = try TestAuthority().issue(seconds: -60)
        #expect(reason(old.certificate, old.privateKey) == .certificate)
    }

    @Test func `a weak key is rejected`() throws {
        let weak = try TestAuthority().issue(key: .rsa(bits: 1024))
        #expect(reason(weak.certificate, weak.privateKey) == .privateKey)
    }

    @Test func `errors state what was expected and contain nothing of the key`() throws {
        let authority = try TestAuthority()
        let (one, other) = (try authority.issue(subject: "One"), try authority.issue())
        let error = #expect(throws: TLSError.self) {
            try TLSIdentity(certificates: one.certificate, privateKey: other.privateKey)
        }
        #expect(
            error?.description
                == "Expected the private key of the certificate of CN=One,O=Tests, got another key.")
    }

    @Test func `a certificate and its key can share one file`() throws {
        let issued = try TestAuthority().issue()
        let file = issued.certificate + issued.privateKey
        #expect(reason(file, file) == nil)
    }

    @Test func `a development certificate is trusted by clients that install it`() throws {
        let identity = try TLSIdentity.selfSigned(hosts: ["dev.test", "127.0.0.1", "::1"])
        #expect(identity.hostNames == ["dev.test"])
        var options = TestClient.Options()
        (options.serverName, options.trusts) = ("dev.test", identity.certificates)
        let context = try TLSContext(TLSConfiguration(identities: [identity]), tickets: TLSTicketKeys())
        let client = try TestClient(context, options)
        #expect(client.exchange() == .open)
        #expect(client.serverFingerprint == identity.fingerprint)
        options.serverName = "other.test"
        let stranger = try TestClient(context, options)
        stranger.exchange()
        #expect(stranger.state == .failed("certificate verify failed"))
    }

    @Test func `two development certificates differ`() throws {
        #expect(try TLSIdentity.selfSigned().fingerprint != TLSIdentity.selfSigned().fingerprint)
        #expect(throws: TLSError.self) { try TLSIdentity.selfSigned(hosts: []) }
    }
}
