import HTTPModel
import Testing

@testable import Access

/// Every text that clients, issuers and operators send, with thousands of random changes: none of them stops the process, and
/// no changed credential is accepted.
@Suite struct HostileInputTests {
    private static let rounds = 3000

    @Test func `changed tokens are rejected`() throws {
        var random = TestRandom(seed: 1)
        let verifier = try TestToken.verifier()
        let token = Array(TestToken.signed().utf8)
        for _ in 0..<Self.rounds {
            let changed = random.changed(token)
            guard changed != token else { continue }
            #expect(throws: CredentialRejection.self) {
                try changed.withUnsafeBytes { try verifier.verify($0, at: TestToken.now) }
            }
        }
    }

    @Test func `changed headers and claims that are signed do no harm`() throws {
        var random = TestRandom(seed: 2)
        let verifier = try TestToken.verifier { $0.requiredClaims = [.init(name: "role", values: ["editor"])] }
        let header = Array(#"{"alg":"HS256","typ":"JWT","kid":"k"}"#.utf8)
        let claims = Array(TestToken.claims.dropLast().utf8) + Array(#","nbf":1.5e9,"a":[{"b":[1,"\u00e9"]}]}"#.utf8)
        var accepted = 0
        for _ in 0..<Self.rounds {
            let parts = [Bool.random(using: &random) ? random.changed(header) : header, random.changed(claims)]
            let signed = parts.map { Base64URL.text(of: $0) }.joined(separator: ".")
            let code = MACKey(SecretBytes(copying: TestToken.secret)).code(of: Array(signed.utf8))
            let text = "\(signed).\(Base64URL.text(of: code.bytes))"
            guard let principal = try? verifier.principal(of: text) else { continue }
            accepted += 1
            #expect(principal.issuer == TestToken.issuer && !principal.id.isEmpty)
        }
        // Some changes are harmless; most are not.
        #expect((1..<Self.rounds / 2).contains(accepted))
    }

    @Test func `changed tickets and cookies are rejected`() throws {
        var random = TestRandom(seed: 3)
        let ticket = try Ticket(
            session: SessionDigest(high: 1, low: 2), rights: .read, generation: 0, expires: .never, label: "ada")
        let tickets = TicketAuthority(keys: TestHash.keys)
        let text = Array(tickets.text(of: ticket).secret.utf8)
        let cookies = CookieAuthority(keys: TestHash.keys)
        let field = cookies.cookie(for: cookies.newPrincipal(), isSecure: true, at: TestToken.now)?.string ?? ""
        let value = Array(field.prefix { $0 != ";" }.drop { $0 != "=" }.dropFirst().utf8)
        #expect(value.withUnsafeBytes { cookies.reading(of: $0, at: TestToken.now) } != nil)
        for _ in 0..<Self.rounds {
            let (changed, other) = (random.changed(text), random.changed(value))
            if changed != text {
                #expect(throws: CredentialRejection.unknownTicket) {
                    try changed.withUnsafeBytes { try tickets.ticket($0, at: TestToken.now) }
                }
            }
            guard other != value else { continue }
            #expect(other.withUnsafeBytes { cookies.reading(of: $0, at: TestToken.now) } == nil)
        }
    }

    @Test func `random bytes of a signed ticket are a ticket or nothing`() {
        var random = TestRandom(seed: 4)
        for count in 0..<200 {
            let bytes = [1] + (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            guard let ticket = Ticket(bytes[...]) else { continue }
            #expect(ticket.bytes == bytes)
        }
    }

    @Test func `changed key sets and key files do no harm`() throws {
        var random = TestRandom(seed: 5)
        let set = Array(
            #"{"keys":[{"kty":"EC","crv":"P-256","kid":"1","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"},{"kty":"RSA","n":"AQAB","e":"AQAB","alg":"RS256"}]}"#
                .utf8)
        let pem = try TestKey(.es256).pem
        let keys = Array(try APIKeyFile("# Keys.\n").adding("reports").text.utf8)
        for _ in 0..<Self.rounds {
            if let keys = try? KeySet(jwkSet: random.changed(set), allowsSecrets: true) { #expect(!keys.keys.isEmpty) }
            if let keys = try? KeySet(pem: random.changed(pem)) { #expect(!keys.keys.isEmpty) }
            let text = String(decoding: random.changed(keys), as: UTF8.self)
            if let file = try? APIKeyFile(text) { #expect(file.names.count <= 3) }
        }
    }

    @Test func `changed requests do no harm`() throws {
        var random = TestRandom(seed: 6)
        var configuration = AccessConfiguration(hasher: TestHash.hasher)
        configuration.tokens = try TestToken.verifier()
        configuration.tickets = TicketAuthority(keys: TestHash.keys)
        configuration.cookies = CookieAuthority(keys: TestHash.keys)
        var authenticator = Authenticator(configuration)
        let policy = CORSPolicy([OriginPattern("https://*.example.com")].compactMap { $0 }, usesCookies: true)
        let authorization = Array("Bearer \(TestToken.signed())".utf8)
        func value(_ text: [UInt8]) -> HTTPFieldValue {
            HTTPFieldValue(String(decoding: random.changed(text), as: UTF8.self)) ?? ""
        }
        for _ in 0..<Self.rounds {
            let request = HTTPRequest.test(
                .get, String(decoding: random.changed(Array("/v1?a=b&ticket=x".utf8)), as: UTF8.self),
                fields: [
                    .authorization: value(authorization), .cookie: value(Array("a=b; __Host-granary=x;".utf8)),
                    .origin: value(Array("https://a.example.com:8443".utf8)),
                ])
            if let principal = authenticator.authenticate(request, at: TestToken.now).principal {
                #expect(principal.id == "ada")
            }
            var response = HTTPFields()
            policy.addFields(to: &response, for: request.fields)
            #expect(response.contains(.vary))
        }
    }
}
