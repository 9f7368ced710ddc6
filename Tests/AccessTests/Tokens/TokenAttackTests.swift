import Testing

@testable import Access

/// The published attacks on implementations of JSON Web Tokens (RFC 8725 §2).
@Suite struct TokenAttackTests {
    @Test(arguments: ["none", "None", "NONE", "nOnE", "nonE", "", "HS256 ", "hs256", "HS512", "RS1", "\\u006eone"])
    func `a token without a signature, or of another algorithm, is rejected`(algorithm: String) throws {
        let verifier = try TestToken.verifier()
        let header = "{\"alg\":\"\(algorithm)\"}"
        #expect(verifier.rejection(of: TestToken.text(header, TestToken.claims) { _ in [] }) == .algorithm)
        #expect(verifier.rejection(of: TestToken.signed(header: header)) == .algorithm)
    }

    @Test(arguments: ["{}", #"{"alg":null}"#, #"{"alg":1}"#, #"{"alg":["HS256"]}"#, #"{"alg":{"a":"HS256"}}"#])
    func `a header without an algorithm is rejected`(header: String) throws {
        #expect(try TestToken.verifier().rejection(of: TestToken.signed(header: header)) == .algorithm)
    }

    @Test func `a public RSA key is not the secret of an HMAC`() throws {
        let key = try TestKey(.rs256)
        let keys = try key.keySet
        let forged = TestToken.signed(secret: try key.pem)
        #expect(try TestToken.verifier([.rs256], keys: keys).rejection(of: forged) == .algorithm)
        // Even where the issuer also uses HMAC.
        let other = try VerificationKey(id: nil, secret: .random())
        let both = try TestToken.verifier([.rs256, .hs256], keys: try KeySet(keys.keys + [other]))
        #expect(both.rejection(of: forged) == .signature)
        let trimmed = TestToken.signed(secret: Array(try key.pem.dropLast()))
        #expect(both.rejection(of: trimmed) == .signature)
        #expect(both.rejection(of: try TestToken.signed(by: key)) == nil)
    }

    @Test func `a key of one algorithm does not verify another one of its kind`() throws {
        let key = try TestKey(.rs256)
        let pss = try TestToken.verifier([.ps256], keys: try key.keySet)
        #expect(pss.rejection(of: try TestToken.signed(by: key)) == .algorithm)
        // A signature of PKCS #1 is not one of PSS.
        let header = #"{"alg":"PS256"}"#
        #expect(pss.rejection(of: try TestToken.signed(header: header, by: key)) == .signature)
    }

    @Test(arguments: [
        "../../../../dev/null", "/etc/passwd", "x' UNION SELECT 'key", "key\u{0}", "\u{212A}ey",
        "https://evil.example/k", "",
    ])
    func `a key id is neither a path nor a query`(id: String) throws {
        let key = try VerificationKey(id: "key", secret: SecretBytes(copying: TestToken.secret))
        let verifier = try TestToken.verifier(keys: try KeySet([key]))
        let escaped = id.replacing("\u{0}", with: "\\u0000")
        let header = "{\"alg\":\"HS256\",\"kid\":\"\(escaped)\"}"
        #expect(verifier.rejection(of: TestToken.signed(header: header)) == .unknownKey(issuer: TestToken.issuer))
        // The secret of an empty file.
        #expect(verifier.rejection(of: TestToken.signed(header: header, secret: [0])) != nil)
        #expect(verifier.rejection(of: TestToken.signed(header: #"{"alg":"HS256","kid":"key"}"#)) == nil)
    }

    @Test(arguments: ["kid", "typ"])
    func `a member of the header that is not a string is rejected`(name: String) throws {
        let header = "{\"alg\":\"HS256\",\"\(name)\":[\"x\"]}"
        guard case .malformed = try TestToken.verifier().rejection(of: TestToken.signed(header: header)) else {
            Issue.record("expected a malformed token")
            return
        }
    }

    @Test(arguments: ["jwk", "jku", "x5u", "x5c"])
    func `a token with a key of its own is rejected`(name: String) throws {
        let header = "{\"alg\":\"HS256\",\"\(name)\":{\"kty\":\"oct\",\"k\":\"AA\"}}"
        #expect(try TestToken.verifier().rejection(of: TestToken.signed(header: header)) == .embeddedKey)
    }

    @Test(arguments: [
        #"{"alg":"HS256","crit":["b64"],"b64":false}"#, #"{"alg":"HS256","b64":false}"#, #"{"alg":"HS256","crit":[]}"#,
        #"{"alg":"HS256","crit":["exp"],"exp":1}"#,
    ])
    func `a token that requires an extension is rejected`(header: String) throws {
        #expect(try TestToken.verifier().rejection(of: TestToken.signed(header: header)) == .criticalExtension)
    }

    @Test func `a token with repeated members is rejected`() throws {
        let verifier = try TestToken.verifier()
        let claims = TestToken.claims.dropLast()
        for other in [#""sub":"eve""#, #""exp":1900000000"#, #""s\u0075b":"eve""#, #""x":{"a":1,"a":2}"#] {
            #expect(verifier.rejection(of: TestToken.signed("\(claims),\(other)}")) == .repeatedMember)
        }
        let header = #"{"alg":"none","alg":"HS256"}"#
        #expect(verifier.rejection(of: TestToken.signed(header: header)) == .repeatedMember)
    }

    @Test(arguments: [
        "1e400", "-1e400", "253402300800", "1800000000000", "99999999999999999999999", "\"1800000300\"", "true", "null",
        "[1]", "-253402300800", "{}",
    ])
    func `a time that no calendar has is rejected`(time: String) throws {
        for name in ["exp", "nbf", "iat"] {
            let claims = "{\"iss\":\"\(TestToken.issuer)\",\"aud\":\"granary\",\"sub\":\"ada\",\"\(name)\":\(time)}"
            let rejection = try TestToken.verifier { $0.requiresExpiry = false }.rejection(of: TestToken.signed(claims))
            guard case .malformed = rejection else {
                Issue.record("expected a malformed token for \(name) \(time), got \(String(describing: rejection))")
                return
            }
        }
    }

    @Test func `an ECDSA signature has exactly two numbers that are not zero`() throws {
        let key = try TestKey(.es256)
        let verifier = try TestToken.verifier([.es256], keys: try key.keySet)
        let header = #"{"alg":"ES256"}"#
        func rejection(_ signature: ([UInt8]) throws -> [UInt8]) throws -> CredentialRejection? {
            verifier.rejection(of: try TestToken.text(header, TestToken.claims, signature: signature))
        }
        #expect(try rejection { try key.signature(of: $0) } == nil)
        #expect(try rejection { try key.librarySignature(of: $0) } == .signature)
        #expect(try rejection { _ in [UInt8](repeating: 0, count: 64) } == .signature)
        #expect(
            try rejection { try Array(key.signature(of: $0).prefix(32)) + [UInt8](repeating: 0, count: 32) }
                == .signature)
        #expect(try rejection { try [UInt8](repeating: 0, count: 32) + key.signature(of: $0).suffix(32) } == .signature)
        #expect(try rejection { try key.signature(of: $0).dropLast() } == .signature)
        #expect(try rejection { try key.signature(of: $0) + [0] } == .signature)
        #expect(try rejection { try [0] + key.signature(of: $0) } == .signature)
        #expect(try rejection { _ in [] } == .signature)
        #expect(try rejection { _ in [UInt8](repeating: 0xFF, count: 64) } == .signature)
    }

    @Test func `a text that is not exactly three parts of base64url is rejected`() throws {
        let verifier = try TestToken.verifier()
        let token = TestToken.signed()
        let parts = token.split(separator: ".").map(String.init)
        let texts = [
            "", ".", "..", "...", "a.b", token + ".", "." + token, token + ".x.y", token + "=", " " + token,
            token + " ",
            token + "\n", parts[0] + "." + parts[1], "\(parts[0])=.\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1])",
            "\(parts[0])..\(parts[2])", ".\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1]).\(parts[2].dropLast())+",
        ]
        for text in texts {
            let rejection = verifier.rejection(of: text)
            guard case .malformed = rejection else {
                Issue.record("expected a malformed token for \(text), got \(String(describing: rejection))")
                return
            }
        }
        #expect(verifier.rejection(of: "\(parts[0]).\(parts[1]).") == .signature)
        #expect(verifier.rejection(of: token) == nil)
    }

    @Test func `the unused bits of the last digit are a part of the signature`() throws {
        let verifier = try TestToken.verifier()
        let token = Array(TestToken.signed().utf8)
        // 32 bytes have 43 digits, of which the last one has two unused bits.
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let value = try #require(digits.firstIndex(of: token[token.count - 1]))
        let other = String(decoding: token.dropLast() + [digits[value + 1]], as: UTF8.self)
        #expect(verifier.rejection(of: other) != nil)
    }

    @Test func `a token that is too long is not parsed`() throws {
        var verifier = try TestToken.verifier()
        let token = TestToken.signed()
        verifier.longest = token.utf8.count
        #expect(verifier.rejection(of: token) == nil)
        verifier.longest -= 1
        #expect(verifier.rejection(of: token) == .malformed("a token of at most \(token.utf8.count - 1) bytes"))
    }

    @Test func `a forged token learns nothing about its claims`() throws {
        let verifier = try TestToken.verifier()
        let claims = #"{"iss":"https://issuer.example","aud":"elsewhere","exp":1,"nbf":"x"}"#
        #expect(verifier.rejection(of: TestToken.signed(claims, secret: [1])) == .signature)
    }
}
