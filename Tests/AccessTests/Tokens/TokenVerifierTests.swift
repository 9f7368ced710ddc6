import Testing

@testable import Access

@Suite struct TokenVerifierTests {
    private func claims(_ members: String) -> String {
        "{\"iss\":\"\(TestToken.issuer)\",\"sub\":\"ada\",\(members)}"
    }

    @Test(arguments: [TokenAlgorithm.es256, .edDSA, .rs256, .ps256])
    func `a token of each algorithm identifies its subject`(algorithm: TokenAlgorithm) throws {
        let key = try TestKey(algorithm)
        let verifier = try TestToken.verifier([algorithm], keys: try key.keySet)
        let principal = try verifier.principal(of: try TestToken.signed(by: key))
        #expect(principal.id == "ada" && principal.issuer == TestToken.issuer && principal.method == .token)
        #expect(principal.claim("role") == "editor")
        let other = try TestKey(algorithm)
        #expect(verifier.rejection(of: try TestToken.signed(by: other)) == .signature)
    }

    @Test func `a token is valid before its expiry, and the skew after it`() throws {
        var verifier = try TestToken.verifier()
        let token = TestToken.signed(claims(#""aud":"granary","exp":1800000000"#))
        func rejection(_ milliseconds: Int64) -> CredentialRejection? {
            verifier.rejection(of: token, at: UnixTime(milliseconds: milliseconds))
        }
        #expect(rejection(1_799_999_999_999) == nil)
        #expect(rejection(1_800_000_000_000) == .expired)
        verifier.skew = .seconds(30)
        #expect(rejection(1_800_000_029_999) == nil)
        #expect(rejection(1_800_000_030_000) == .expired)
        // A stream that is opened in the meantime does not end before.
        let principal = try verifier.principal(of: token, at: UnixTime(milliseconds: 1_800_000_029_999))
        let lease = CredentialLease(expires: principal.expires)
        #expect(lease.end == UnixTime(milliseconds: 1_800_000_030_000) + CredentialLease.grace)
    }

    @Test(arguments: ["nbf", "iat"])
    func `a token is valid from its start, and the skew before it`(name: String) throws {
        var verifier = try TestToken.verifier()
        let token = TestToken.signed(claims("\"aud\":\"granary\",\"exp\":1900000000,\"\(name)\":1800000000"))
        func rejection(_ milliseconds: Int64) -> CredentialRejection? {
            verifier.rejection(of: token, at: UnixTime(milliseconds: milliseconds))
        }
        #expect(rejection(1_799_999_999_999) == .notYetValid)
        #expect(rejection(1_800_000_000_000) == nil)
        verifier.skew = .seconds(30)
        #expect(rejection(1_799_999_970_000) == nil)
        #expect(rejection(1_799_999_969_999) == .notYetValid)
    }

    @Test(
        arguments: [
            ("1800000000.5", 1_800_000_000_500), ("1.8000000005e9", 1_800_000_000_500), ("-5", -5000), ("0", 0),
            ("253402300799", 253_402_300_799_000), ("1800000000.99999", 1_800_000_000_999),
        ] as [(String, Int64)])
    func `times may have fractions, exponents and signs`(text: String, milliseconds: Int64) throws {
        let verifier = try TestToken.verifier()
        let token = TestToken.signed(claims("\"aud\":\"granary\",\"exp\":\(text)"))
        let expiry = UnixTime(milliseconds: milliseconds)
        #expect(try verifier.principal(of: token, at: expiry - .milliseconds(1)).expires == expiry)
        #expect(verifier.rejection(of: token, at: expiry) == .expired)
    }

    @Test func `a token needs an expiry unless the issuer does not`() throws {
        let token = TestToken.signed(claims(#""aud":"granary""#))
        #expect(try TestToken.verifier().rejection(of: token) == .claim("exp"))
        #expect(try TestToken.verifier { $0.requiresExpiry = false }.rejection(of: token) == nil)
    }

    @Test(arguments: [
        (#""granary""#, true), (#"["x","granary"]"#, true), (#""other""#, false), ("[]", false), (#"["x"]"#, false),
        (#""GRANARY""#, false), (#""granar""#, false),
    ])
    func `a token is for one of the audiences`(audience: String, isFor: Bool) throws {
        let token = TestToken.signed(claims("\"exp\":1900000000,\"aud\":\(audience)"))
        #expect(try TestToken.verifier().rejection(of: token) == (isFor ? nil : .audience))
    }

    @Test(arguments: ["1", "null", "{}", #"["granary",1]"#])
    func `an audience that is not a string or an array of strings is malformed`(audience: String) throws {
        let token = TestToken.signed(claims("\"exp\":1900000000,\"aud\":\(audience)"))
        guard case .malformed = try TestToken.verifier().rejection(of: token) else {
            Issue.record("expected a malformed token")
            return
        }
    }

    @Test func `a token without an audience is only for a server without one`() throws {
        let token = TestToken.signed(claims(#""exp":1900000000"#))
        #expect(try TestToken.verifier().rejection(of: token) == .audience)
        let keys = try KeySet([VerificationKey(id: nil, secret: SecretBytes(copying: TestToken.secret))])
        let issuer = try TokenIssuer(name: TestToken.issuer, audiences: [], algorithms: [.hs256], keys: keys)
        let verifier = try TokenVerifier([issuer])
        #expect(verifier.rejection(of: token) == nil)
        #expect(verifier.rejection(of: TestToken.signed()) == .audience)
    }

    @Test(arguments: [
        "{\"aud\":\"granary\"}", "{\"iss\":\"https://other.example\"}", "{\"iss\":1}",
        "{\"iss\":[\"https://issuer.example\"]}",
        "{\"iss\":\"https://issuer.example/\"}", "{\"iss\":\"HTTPS://issuer.example\"}",
    ])
    func `a token of another issuer is rejected`(claims: String) throws {
        #expect(try TestToken.verifier().rejection(of: TestToken.signed(claims)) == .unknownIssuer)
    }

    @Test func `the key of one issuer does not sign for another`() throws {
        let (one, other) = (try TestKey(.es256), try TestKey(.es256))
        let issuers = [
            try TokenIssuer(name: "one", audiences: [], algorithms: [.es256], keys: try one.keySet),
            try TokenIssuer(name: "other", audiences: [], algorithms: [.es256], keys: try other.keySet),
        ]
        let verifier = try TokenVerifier(issuers)
        let claims = #"{"iss":"other","sub":"ada","exp":1900000000}"#
        #expect(verifier.rejection(of: try TestToken.signed(claims, by: one)) == .signature)
        #expect(try verifier.principal(of: try TestToken.signed(claims, by: other)).issuer == "other")
        #expect(
            failure { _ = try TokenVerifier([issuers[0], issuers[0]]) } == "Expected each issuer once, got one twice.")
    }

    @Test func `required claims have a permitted value`() throws {
        let verifier = try TestToken.verifier {
            $0.requiredClaims = [.init(name: "tenant"), .init(name: "role", values: ["editor", "owner"])]
        }
        func rejection(_ members: String) -> CredentialRejection? {
            verifier.rejection(of: TestToken.signed(claims("\"aud\":\"granary\",\"exp\":1900000000,\(members)")))
        }
        #expect(rejection(#""tenant":1,"role":"owner""#) == nil)
        #expect(rejection(#""tenant":"t","role":["x","editor"]"#) == nil)
        #expect(rejection(#""role":"owner""#) == .claim("tenant"))
        #expect(rejection(#""tenant":null,"role":"owner""#) == .claim("tenant"))
        #expect(rejection(#""tenant":1,"role":"reader""#) == .claim("role"))
        #expect(rejection(#""tenant":1,"role":[]"#) == .claim("role"))
        #expect(rejection(#""tenant":1,"role":{"editor":1}"#) == .claim("role"))
    }

    @Test func `the id is a string of limited length`() throws {
        let verifier = try TestToken.verifier { $0.idClaim = "user" }
        func rejection(_ user: String) -> CredentialRejection? {
            verifier.rejection(of: TestToken.signed(claims("\"aud\":\"granary\",\"exp\":1900000000,\"user\":\(user)")))
        }
        #expect(rejection("\"u\"") == nil)
        #expect(rejection("\"\(String(repeating: "u", count: 512))\"") == nil)
        for user in ["\"\"", "1", "null", "\"\(String(repeating: "u", count: 513))\""] {
            #expect(rejection(user) == .claim("user"))
        }
    }

    @Test func `types are compared without case and prefix, where they are configured`() throws {
        let verifier = try TestToken.verifier(types: ["at+JWT"])
        for type in ["at+jwt", "AT+JWT", "application/at+jwt"] {
            #expect(verifier.rejection(of: TestToken.signed(header: "{\"alg\":\"HS256\",\"typ\":\"\(type)\"}")) == nil)
        }
        #expect(verifier.rejection(of: TestToken.signed(header: #"{"alg":"HS256","typ":"JWT"}"#)) == .tokenType)
        #expect(verifier.rejection(of: TestToken.signed()) == .tokenType)
    }

    @Test func `an issuer without keys yet has an unknown key`() throws {
        let issuer = try TokenIssuer(
            name: TestToken.issuer, audiences: [TestToken.audience], algorithms: [.hs256], keys: nil)
        let verifier = try TokenVerifier([issuer])
        #expect(verifier.rejection(of: TestToken.signed())?.issuerOfUnknownKey == TestToken.issuer)
    }

    @Test func `an issuer needs a name, an algorithm and a key for it`() throws {
        let keys = try TestKey(.es256).keySet
        #expect(throws: AccessConfigurationError.self) {
            try TokenIssuer(name: "", audiences: [], algorithms: [.es256], keys: keys)
        }
        #expect(throws: AccessConfigurationError.self) {
            try TokenIssuer(name: "i", audiences: [], algorithms: [], keys: keys)
        }
        #expect(throws: AccessConfigurationError.self) {
            try TokenIssuer(name: "i", audiences: [], algorithms: [.rs256], keys: keys)
        }
    }
}
