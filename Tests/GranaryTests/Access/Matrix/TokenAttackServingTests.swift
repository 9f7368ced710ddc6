import Access
import HTTPModel
import HTTPServerTesting
import Testing

@testable import Granary

/// The published attacks on tokens (RFC 8725 §2), against a complete server over sockets.
@Suite(.serialized) struct TokenAttackServingTests {
    /// A token, and the reason for which it must be rejected.
    private struct Attack {
        var name: String
        var token: String
        var reason: String
    }

    private static func signer(_ algorithm: TokenAlgorithm) throws -> TokenSigner {
        try #require(TokenSigner.all[algorithm])
    }

    private static func unsigned() throws -> [Attack] {
        let claims = try signer(.rs256).claims("ada")
        return ["none", "None", "NONE", "nOnE", "", "\\u006eone", "RS256 ", "rs256", "HS512"].map {
            Attack(
                name: "alg \($0)", token: TokenSigner.text("{\"alg\":\"\($0)\"}", claims) { _ in [] },
                reason: "algorithm")
        }
    }

    private static func keys() throws -> [Attack] {
        let (rsa, hmac, pss, curve) = (
            try signer(.rs256), try signer(.hs256), try signer(.ps256), try signer(.es256)
        )
        let pem = Array(try rsa.keyFile.utf8)
        var attacks = [pem, Array(pem.dropLast())].map { secret in
            Attack(
                name: "HS256 with the RSA key",
                token: TokenSigner(.hs256, secret: secret).token(claims: rsa.claims("ada")), reason: "algorithm")
        }
        // The issuer of HS256 does not accept it either.
        let forged = TokenSigner(.hs256, secret: pem).token(claims: hmac.claims("ada"))
        attacks.append(Attack(name: "another secret", token: forged, reason: "signature"))
        attacks.append(
            Attack(name: "another issuer's algorithm", token: pss.token(claims: rsa.claims("ada")), reason: "algorithm")
        )
        let psychic = TokenSigner.text("{\"alg\":\"ES256\"}", curve.claims("ada")) { _ in
            [UInt8](repeating: 0, count: 64)
        }
        attacks.append(Attack(name: "a signature of zeros", token: psychic, reason: "signature"))
        for id in ["../../../../dev/null", "/etc/passwd", "x' UNION SELECT 'key", "https://evil.example/k"] {
            let header = "{\"alg\":\"HS256\",\"kid\":\"\(id)\"}"
            for secret in [[0], Array("key".utf8)] as [[UInt8]] {
                let token = TokenSigner(.hs256, secret: secret).token(claims: hmac.claims("ada"), header: header)
                attacks.append(Attack(name: "kid \(id)", token: token, reason: ""))
            }
        }
        let own = TokenSigner(.hs256, secret: [UInt8](repeating: 1, count: 32))
        let jwk = #"{"kty":"oct","k":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"}"#
        for member in [
            "\"jwk\":\(jwk)", "\"jku\":\"https://evil.example\"", "\"x5u\":\"file:///dev/null\"", "\"x5c\":[]",
        ] {
            let token = own.token(claims: hmac.claims("ada"), header: "{\"alg\":\"HS256\",\(member)}")
            attacks.append(Attack(name: member, token: token, reason: "embedded-key"))
        }
        return attacks
    }

    private static func contents() throws -> [Attack] {
        let signer = try signer(.hs256)
        let claims = signer.claims("ada").dropLast()
        func attack(_ name: String, _ claims: String, _ reason: String, header: String? = nil) -> Attack {
            Attack(name: name, token: signer.token(claims: claims, header: header), reason: reason)
        }
        func expiring(_ time: String) -> String {
            "{\"iss\":\"\(signer.issuer)\",\"aud\":\"granary\",\"sub\":\"ada\",\"exp\":\(time)}"
        }
        let times = [
            "1e400", "99999999999999999999999", "1800000000000", "\"4102444800\"", "true", "[1]", "-253402300800",
        ]
        return [
            attack("sub twice", "\(claims),\"sub\":\"eve\"}", "repeated-member"),
            attack("exp twice", "\(claims),\"exp\":9999999999}", "repeated-member"),
            attack("sub with an escape", "\(claims),\"s\\u0075b\":\"eve\"}", "repeated-member"),
            attack("alg twice", "\(claims)}", "repeated-member", header: #"{"alg":"none","alg":"HS256"}"#),
            attack("crit", "\(claims)}", "critical-extension", header: #"{"alg":"HS256","crit":["b64"],"b64":false}"#),
            attack("a token in a token", signer.token("ada"), "malformed", header: #"{"alg":"HS256","cty":"JWT"}"#),
            attack("an array", "[\(claims)}]", "malformed"),
            attack("no claims", "", "malformed"),
            attack("another audience", signer.claims("ada").replacing("\"granary\"", with: "\"other\""), "audience"),
            attack("no issuer", #"{"aud":"granary","sub":"ada","exp":4102444800}"#, "unknown-issuer"),
            attack("two issuers", #"{"iss":["https://hs256.example"],"aud":"granary","sub":"ada"}"#, "unknown-issuer"),
            attack("no expiry", signer.claims("ada").replacing(",\"exp\":4102444800", with: ""), "claim"),
        ] + times.map { attack("exp \($0)", expiring($0), "malformed") }
    }

    private static func shapes() throws -> [Attack] {
        let signer = try signer(.hs256)
        let (token, name) = (signer.token("ada"), Array("ada".utf8))
        let claims = Array(signer.claims("ada").utf8)
        // The subject is no UTF-8, and the signature is right.
        let broken = claims.split(separator: name, maxSplits: 1).joined(separator: [0xFF, 0xFE])
        let signed = Base64URL.text(of: Array(#"{"alg":"HS256"}"#.utf8)) + "." + Base64URL.text(of: Array(broken))
        let code = MACKey(SecretBytes(copying: [UInt8](repeating: 9, count: 32))).code(of: Array(signed.utf8))
        let long = signer.token(claims: signer.claims(String(repeating: "a", count: 7000)))
        return [
            Attack(name: "no UTF-8", token: signed + "." + Base64URL.text(of: code.bytes), reason: "malformed"),
            Attack(name: "long", token: long, reason: "malformed"),
            Attack(
                name: "encrypted", token: token + "." + token.split(separator: ".")[0] + ".AAAA", reason: "malformed"),
            Attack(name: "padding", token: token + "=", reason: "malformed"),
            Attack(
                name: "two parts", token: token.split(separator: ".").prefix(2).joined(separator: "."),
                reason: "malformed"),
            Attack(name: "nothing", token: "", reason: "malformed"),
            Attack(name: "dots", token: "..", reason: "malformed"),
            Attack(name: "two tokens", token: token + " " + token, reason: "malformed"),
            Attack(name: "two tokens in a list", token: token + "," + token, reason: "malformed"),
        ]
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `no attack is accepted, and each gets its reason`(version: ServedRoutes.Version) async throws {
        let server = try MatrixServer()
        do {
            let client = try server.client(version)
            for attack in try Self.unsigned() + Self.keys() + Self.contents() + Self.shapes() {
                // HTTP/2 permits no space at the end of a value.
                let value = attack.token.isEmpty ? "Bearer" : "Bearer \(attack.token)"
                let answer = try client.send("GET", "/v1/machines", [("authorization", value)])
                let isRejected = answer.status == 401 && answer.kind == "invalid-credentials"
                #expect(isRejected, "\(attack.name): \(answer.status) \(answer.text)")
                let states = attack.reason.isEmpty || answer.text.contains("\"reason\":\"\(attack.reason)\"")
                #expect(states, "\(attack.name): \(answer.text)")
                // Nothing of the token is repeated.
                #expect(attack.token.count < 20 || !answer.text.contains(attack.token.suffix(20)), "\(attack.name)")
            }
            // Valid, but so deep that a recursive parser would end the process.
            let nested = String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000)
            let signer = try Self.signer(.hs256)
            let deep = signer.token(claims: "\(signer.claims("ada").dropLast()),\"deep\":\(nested)}")
            let answer = try client.send("GET", "/v1/machines", [("authorization", "Bearer \(deep)")])
            #expect([200, 401].contains(answer.status))
            for signer in TokenSigner.all.values {
                let fields = [("authorization", "Bearer \(signer.token("ada"))")]
                #expect(try client.send("GET", "/v1/machines", fields).status == 200)
            }
            client.close()
        } catch {
            Issue.record(error)
        }
        await server.stop()
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `two explicit credentials are a conflict`(version: ServedRoutes.Version) async throws {
        let server = try MatrixServer()
        do {
            let client = try server.client(version)
            let (token, key) = ("Bearer \(try Self.signer(.edDSA).token("ada"))", "ApiKey \(server.adaKey)")
            let session = "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA"
            let ticket = try server.ticket(for: session)
            let conflicts: [(String, MatrixClient.Fields)] = [
                ("/v1/machines", [("authorization", token), ("authorization", key)]),
                // Also if they are the same.
                ("/v1/machines", [("authorization", token), ("authorization", token)]),
                ("/v1/machines", [("authorization", token), ("authorization", "Basic YTpi")]),
                ("\(session)/outputs?ticket=\(ticket)", [("authorization", token)]),
                ("\(session)/outputs?ticket=\(ticket)", [("authorization", "Ticket \(ticket)")]),
                ("\(session)/outputs?ticket=\(ticket)&ticket=\(ticket)", []),
                ("\(session)/outputs?ticket=&ticket=\(ticket)", []),
            ]
            for (path, fields) in conflicts {
                let answer = try client.send("GET", path, fields)
                #expect(answer.status == 400 && answer.kind == "conflicting-credentials", "\(path): \(answer.text)")
            }
            // Explicit credentials take precedence over ambient ones.
            let both = [("authorization", key), ("cookie", try server.cookie("bob")), ("x-user", "eve")]
            let created = try client.send("POST", "/v1/sessions", both, body: #"{"machine":"talker"}"#)
            let path = try #require(created.fields.value(.location))
            #expect(try client.send("GET", path, [("authorization", key)]).status == 200)
            #expect(try client.send("GET", path, [("cookie", try server.cookie("bob"))]).status == 404)
            client.close()
        } catch {
            Issue.record(error)
        }
        await server.stop()
    }

    @Test func `a token in another place, or of bytes that are no text, is no credential`() async throws {
        let server = try MatrixServer(.closed)
        do {
            let client = try server.client()
            let token = try Self.signer(.hs256).token("ada")
            for path in ["/v1/machines?access_token=\(token)", "/v1/machines?ticket=", "/v1/machines?TICKET=\(token)"] {
                #expect(try client.send("GET", path).status == 401, "\(path)")
            }
            for fields in [[("x-authorization", "Bearer \(token)")], [("cookie", "token=\(token)")]] {
                #expect(try client.send("GET", "/v1/machines", fields).kind == "credentials-required")
            }
            client.close()
            let socket = try HTTPTestClient(port: try #require(server.server.port))
            for bytes in [[0xFF, 0xFE], [0xC0, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]] {
                let head = "GET /v1/machines HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                try socket.send(Array(head.utf8) + bytes + Array("\r\n\r\n".utf8))
                #expect([400, 401].contains(try socket.receiveResponse().status))
            }
            // As long as a head may be, and longer.
            let long = String(repeating: "A", count: 9000)
            try socket.send("GET /v1/machines HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(long)\r\n\r\n")
            #expect([401, 431].contains(try socket.receiveResponse().status))
            socket.close()
        } catch {
            Issue.record(error)
        }
        await server.stop()
    }
}
