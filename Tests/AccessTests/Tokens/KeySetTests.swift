import HTTPModel
import Testing

@testable import Access

@Suite struct KeySetTests {
    private let ed25519 = #"{"kty":"OKP","crv":"Ed25519","kid":"e","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#
    private let p256 =
        #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#

    private func set(_ keys: String..., allowsSecrets: Bool = true) throws -> KeySet {
        try KeySet(jwkSet: Array("{\"keys\":[\(keys.joined(separator: ","))]}".utf8), allowsSecrets: allowsSecrets)
    }

    @Test func `keys of a set have ids, kinds and algorithms`() throws {
        let secret = #"{"kty":"oct","kid":"s","alg":"HS256","k":"\#(Base64URL.text(of: TestToken.secret))"}"#
        let keys = try set(ed25519, p256, secret).keys
        #expect(keys.map(\.id) == ["e", nil, "s"])
        #expect(keys.map(\.kind) == [.ed25519, .p256, .secret])
        #expect(keys.map(\.algorithm) == [nil, nil, .hs256])
    }

    @Test func `keys that cannot be used are skipped with their reasons`() throws {
        let others = [
            #"{"kty":"unknown"}"#, #"{"kty":"EC","crv":"P-521"}"#, #"{"kty":"OKP","crv":"X25519","x":"AA"}"#, "1", "{}",
            ed25519.replacing("{", with: #"{"use":"enc","#), ed25519.replacing("{", with: #"{"key_ops":["sign"],"#),
            ed25519.replacing("{", with: #"{"alg":"RS256","#), ed25519.replacing("{", with: #"{"alg":"ES512","#),
            ed25519.replacing("{", with: #"{"d":"AA","#), #"{"kty":"oct","k":"AAAA"}"#,
            #"{"kty":"OKP","crv":"Ed25519","x":"AAAA"}"#, p256.replacing("f83O", with: "f83P"),
            #"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, #"{"kty":"RSA","n":"AQAB","e":"AQ"}"#,
            #"{"kty":"RSA","e":"AQAB"}"#,
            ed25519.replacing(#""kid":"e""#, with: #""kid":1"#),
        ]
        for other in others {
            let keys = try set(ed25519, other)
            #expect(keys.keys.count == 1 && keys.skipped.count == 1, "\(other)")
            #expect(throws: AccessConfigurationError.self, "\(other)") { try set(other) }
        }
        #expect(
            try set(ed25519.replacing("{", with: #"{"use":"sig","key_ops":["verify"],"alg":"EdDSA","#)).skipped == [])
    }

    @Test func `a public set has no secrets`() throws {
        let secret = #"{"kty":"oct","k":"\#(Base64URL.text(of: TestToken.secret))"}"#
        #expect(throws: AccessConfigurationError.self) { try set(secret, allowsSecrets: false) }
        #expect(try set(secret, ed25519, allowsSecrets: false).keys.count == 1)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[]}"#, #"{"keys":[],"keys":[]}"#,
        #"{"keys":[{"kty":"EC","kty":"OKP"}]}"#,
    ])
    func `a text that is not a set of keys is rejected`(text: String) {
        #expect(throws: AccessConfigurationError.self) { try KeySet(jwkSet: Array(text.utf8), allowsSecrets: true) }
    }

    @Test func `a single key is a set`() throws {
        #expect(try KeySet(jwkSet: Array(ed25519.utf8), allowsSecrets: false).keys.count == 1)
    }

    @Test func `the number of keys is limited`() throws {
        let keys = Array(repeating: ed25519, count: KeySet.maxCount)
        #expect(
            try KeySet(jwkSet: Array("{\"keys\":[\(keys.joined(separator: ","))]}".utf8), allowsSecrets: true).keys
                .count == 64)
        let more = (keys + [ed25519]).joined(separator: ",")
        #expect(throws: AccessConfigurationError.self) {
            try KeySet(jwkSet: Array("{\"keys\":[\(more)]}".utf8), allowsSecrets: true)
        }
    }

    @Test func `a PEM file has public keys of all kinds`() throws {
        let pem = try [TestKey(.es256), TestKey(.edDSA), TestKey(.rs256)].flatMap { try $0.pem }
        #expect(try KeySet(pem: pem).keys.map(\.kind) == [.p256, .ed25519, .rsa])
    }

    @Test func `a PEM file with a private key, a weak key or no key is rejected`() throws {
        let key = try TestKey(.es256)
        let message = failure { _ = try KeySet(pem: try key.pem + key.privatePEM) } ?? ""
        #expect(message.contains("PRIVATE KEY"))
        #expect(throws: AccessConfigurationError.self) { try KeySet(pem: try TestKey(.rs256, rsaBits: 1024).pem) }
        let damaged = try key.pem + Array("-----BEGIN PUBLIC KEY-----\nAAAA".utf8)
        #expect(throws: AccessConfigurationError.self) { try KeySet(pem: damaged) }
        let many = try Array(repeating: key.pem, count: KeySet.maxCount + 1).flatMap { $0 }
        #expect(throws: AccessConfigurationError.self) { try KeySet(pem: many) }
        #expect(throws: AccessConfigurationError.self) { try KeySet(pem: []) }
        #expect(throws: AccessConfigurationError.self) { try KeySet(pem: Array("no key".utf8)) }
    }

    @Test func `a short secret is rejected`() {
        #expect(throws: AccessConfigurationError.self) { try VerificationKey(id: nil, secret: .random(count: 31)) }
        #expect(throws: Never.self) { try VerificationKey(id: nil, secret: .random(count: 32)) }
    }

    @Test func `a token with a key id is verified with the keys of this id and those without one`() throws {
        let (a, b) = (SecretBytes.random(), SecretBytes.random())
        let keys = try KeySet([
            VerificationKey(id: "a", secret: a), VerificationKey(id: "b", secret: b),
            VerificationKey(id: nil, secret: a),
        ])
        #expect(keys.candidates(id: "a", algorithm: .hs256).map(\.id) == ["a", nil])
        #expect(keys.candidates(id: "c", algorithm: .hs256).map(\.id) == [nil])
        #expect(keys.candidates(id: nil, algorithm: .hs256).count == 3)
        #expect(keys.candidates(id: "a", algorithm: .rs256).isEmpty)
    }
}
