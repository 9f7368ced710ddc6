import HTTPModel
import Testing

@testable import Access

/// The keys on which credentials depend.
struct CredentialKeyTests {
    private let now = TestToken.now

    @Test(arguments: [TokenAlgorithm.es256, .edDSA, .rs256])
    func `a token depends on the key of its issuer that has signed it`(_ algorithm: TokenAlgorithm) throws {
        let (old, new) = (try TestKey(algorithm), try TestKey(algorithm))
        var configuration = AccessConfiguration(hasher: TestHash.hasher)
        let verifier = try TestToken.verifier([algorithm], keys: KeySet(old.keySet.keys + new.keySet.keys))
        configuration.tokens = verifier
        let keys = try [old, new].map { try #require(verifier.principal(of: TestToken.signed(by: $0)).key) }
        #expect(keys[0] != keys[1])
        #expect(configuration.credentialKeys == Set(keys))
        // The set is loaded again, without one of the keys.
        configuration.tokens = try TestToken.verifier([algorithm], keys: KeySet(pem: new.pem))
        #expect(configuration.credentialKeys == [keys[1]])
    }

    @Test func `the same key of another issuer, with another id, or of another algorithm is another key`() throws {
        let secret = SecretBytes(copying: TestToken.secret)
        func issuer(_ name: String) throws -> TokenIssuer {
            try TokenIssuer(name: name, audiences: [], algorithms: [.hs256], keys: nil)
        }
        let keys = try [
            VerificationKey(id: nil, secret: secret).credentialKey(of: issuer("a")),
            VerificationKey(id: nil, secret: secret).credentialKey(of: issuer("b")),
            VerificationKey(id: "", secret: secret).credentialKey(of: issuer("a")),
            VerificationKey(id: "1", secret: secret).credentialKey(of: issuer("a")),
            VerificationKey(id: nil, secret: secret, algorithm: .hs256).credentialKey(of: issuer("a")),
            VerificationKey(id: nil, secret: .random()).credentialKey(of: issuer("a")),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(try VerificationKey(id: nil, secret: secret).credentialKey(of: issuer("a")) == keys[0])
    }

    @Test func `an API key with another name is another key`() throws {
        let (key, text) = try APIKeyFile("").adding("ada")
        func keys(_ text: String) throws -> AccessConfiguration {
            var configuration = AccessConfiguration(hasher: TestHash.hasher)
            configuration.apiKeys = APIKeys(try APIKeyFile(text), hasher: TestHash.hasher)
            return configuration
        }
        let before = try keys(text)
        var authenticator = Authenticator(before)
        let found = authenticator.authenticate(.authorized("ApiKey \(key)"), at: now).principal?.key
        #expect(found.map { before.credentialKeys == [$0] } == true)
        #expect(try keys(text.replacing("ada", with: "bob")).credentialKeys.isDisjoint(with: before.credentialKeys))
    }

    @Test func `cookies and tickets depend on the key that has signed them`() throws {
        let secrets = [SecretBytes.random(), .random()]
        let (old, both) = (try #require(SigningKeys([secrets[0]])), try #require(SigningKeys(secrets.reversed())))
        var configuration = AccessConfiguration(hasher: TestHash.hasher)
        configuration.cookies = CookieAuthority(keys: both)
        configuration.tickets = TicketAuthority(keys: both)
        var authenticator = Authenticator(configuration)
        let issuer = CookieAuthority(keys: old)
        let field = try #require(issuer.cookie(for: issuer.newPrincipal(), isSecure: true, at: now)).string
        let pair = try #require(HTTPFieldValue(String(field.prefix { $0 != ";" })))
        let cookie = authenticator.authenticate(.test(fields: [.cookie: pair]), at: now).principal?.key
        let ticket = try Ticket(
            session: SessionDigest(high: 0, low: 1), rights: .read, generation: 0, expires: now + .seconds(60))
        let text = TicketAuthority(keys: old).text(of: ticket).secret
        let read = try #require(authenticator.authenticate(.authorized("Ticket \(text)"), at: now).ticket)
        #expect(read == ticket)
        #expect(read.key == cookie && cookie == old.credentialKeys.first)
        #expect(configuration.credentialKeys == Set(both.credentialKeys))
        #expect(both.credentialKeys.last == old.credentialKeys.first)
    }
}
