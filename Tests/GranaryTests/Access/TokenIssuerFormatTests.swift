import Testing

@testable import Granary

/// The issuers of tokens in a configuration.
@Suite struct TokenIssuerFormatTests {
    private typealias Issuer = Configuration.AccessControl.TokenIssuer

    private static let complete = """
        {issuer: "https://id.example", audiences: ["granary"], algorithms: ["ES256", "EdDSA"], keys: "https://id.example/jwks",
         refresh: "5m", idClaim: "email", requiredClaims: {scope: ["a", "b"], verified: [], role: "admin"}, types: ["at+jwt"],
         requiresExpiry: false}
        """

    private func file(_ jwt: String) throws(ConfigurationError) -> [Issuer] {
        let file = ConfigurationFile(path: "a.json5", content: "{access: {jwt: \(jwt)}}")
        return try ConfigurationLoader.load(.standard, file: file, environment: [:], flags: []).access.tokenIssuers
    }

    private func problem(_ jwt: String) -> String? {
        do throws(ConfigurationError) {
            _ = try file(jwt)
            return nil
        } catch {
            return error.problems.first?.message
        }
    }

    @Test func `an issuer is read from a file, a flag and an environment variable`() throws {
        let issuers = try file("[\(TokenIssuerFormatTests.complete)]")
        let issuer = try #require(issuers.first)
        #expect(issuer.issuer == "https://id.example" && issuer.audiences == ["granary"])
        #expect(issuer.algorithms == ["ES256", "EdDSA"] && issuer.keys == "https://id.example/jwks")
        #expect(issuer.refresh == .seconds(300) && issuer.idClaim == "email" && issuer.types == ["at+jwt"])
        #expect(issuer.requiredClaims == ["scope": ["a", "b"], "verified": [], "role": ["admin"]])
        #expect(!issuer.requiresExpiry)
        let text = "[\(TokenIssuerFormatTests.complete)]"
        let flag = try ConfigurationLoader.load(
            .standard, file: nil, environment: [:], flags: [("access.jwt", text)])
        let variable = try ConfigurationLoader.load(
            .standard, file: nil, environment: ["GRANARY_ACCESS_JWT": text], flags: [])
        #expect(flag.access.tokenIssuers == issuers && variable.access.tokenIssuers == issuers)
    }

    @Test func `what is optional has a default, and what is printed can be read again`() throws {
        let short = #"{issuer: "a", algorithms: ["HS256"], keys: "/etc/a.jwk"}"#
        let issuers = try file("[\(short), \(TokenIssuerFormatTests.complete)]")
        #expect(issuers[0] == Issuer(issuer: "a", audiences: [], algorithms: ["HS256"], keys: "/etc/a.jwk"))
        #expect(try file(TokenIssuerWriter.literal(issuers)) == issuers)
        #expect(try file("[]").isEmpty)
    }

    @Test(arguments: [
        ("{}", "a list of objects with issuer"), ("[1]", "an object as element 1, got \"a number\""),
        ("[{}]", "element 1: a string as issuer, got \"nothing\""),
        (#"[{issuer: "a", keys: "k"}]"#, "a list as algorithms"),
        (#"[{issuer: "a", algorithms: [], keys: "k"}]"#, "at least one of ES256"),
        (#"[{issuer: "a", algorithms: ["none"], keys: "k"}]"#, "PS256, HS256, got \"none\""),
        (#"[{issuer: "a", algorithms: ["ES256"]}]"#, "a string as keys"),
        (
            #"[{issuer: "a", algorithms: ["ES256"], keys: "http://id.example/jwks"}]"#,
            "an http:// URL of a loopback address"
        ),
        (#"[{issuer: "a", algorithms: ["ES256"], keys: "ftp://id.example"}]"#, "an https:// URL"),
        (#"[{issuer: "a", algorithms: ["ES256"], keys: "https://u:p@id.example"}]"#, "an https:// URL"),
        (
            #"[{issuer: "a", algorithms: ["ES256"], keys: "k", refresh: "1s"}]"#,
            "from 10s to 24h as refresh, got \"1s\""
        ),
        (#"[{issuer: "a", algorithms: ["ES256"], keys: "k", audience: ["x"]}]"#, "did you mean audiences?"),
        (#"[{issuer: "a", algorithms: ["ES256"], keys: "k", audiences: "x"}]"#, "a list of strings as audiences"),
        (#"[{issuer: "a", algorithms: ["ES256"], keys: "k", audiences: [1]}]"#, "got \"a number\""),
        (#"[{issuer: "a", algorithms: ["ES256"], keys: "k", requiredClaims: ["x"]}]"#, "an object of lists"),
        (
            #"[{issuer: "a", algorithms: ["ES256"], keys: "k", requiresExpiry: "no"}]"#,
            "true or false as requiresExpiry"
        ),
        (
            #"[{issuer: "a", algorithms: ["ES256"], keys: "k"}, {issuer: "a", algorithms: ["ES256"], keys: "l"}]"#,
            "each issuer once, got \"a\""
        ),
    ])
    func `an invalid issuer is rejected with what was expected`(jwt: String, message: String) {
        let problem = problem(jwt)
        #expect(problem?.contains(message) == true, "\(problem ?? "accepted")")
    }

    @Test(arguments: [
        ("https://id.example/jwks", true), ("HTTPS://id.example/jwks", true), ("http://localhost:8080/jwks", true),
        ("http://127.0.0.1:8080/jwks", true), ("http://[::1]:8080/jwks", true), ("http://10.0.0.1/jwks", false),
        ("http://localhost.evil.example/jwks", false), ("https://", false), ("file:///etc/passwd", false),
        ("/etc/keys.json", true), ("", false),
    ])
    func `keys come from a file, from TLS, or from this machine`(text: String, isAllowed: Bool) {
        #expect((TokenKeySource(text) != nil) == isAllowed)
    }
}
