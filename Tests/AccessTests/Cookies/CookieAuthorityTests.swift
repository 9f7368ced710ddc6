import HTTPModel
import Testing

@testable import Access

@Suite struct CookieAuthorityTests {
    private let now = UnixTime(seconds: 1_800_000_000)
    private let authority = CookieAuthority(keys: TestHash.keys, lifetime: .seconds(1000))

    private func value(_ authority: CookieAuthority, _ principal: Principal, isSecure: Bool = true) throws -> String {
        let field = try #require(authority.cookie(for: principal, isSecure: isSecure, at: now)).string
        let pair = field.prefix { $0 != ";" }
        return String(pair[pair.index(after: try #require(pair.firstIndex(of: "=")))...])
    }

    private func reading(_ authority: CookieAuthority, _ text: String, at time: UnixTime? = nil) -> CookieAuthority
        .Reading?
    {
        Array(text.utf8).withUnsafeBytes { authority.reading(of: $0, at: time ?? now) }
    }

    @Test func `the attributes protect the cookie`() throws {
        let principal = authority.newPrincipal()
        let secure = try #require(authority.cookie(for: principal, isSecure: true, at: now)).string
        #expect(secure.hasPrefix("__Host-granary="))
        #expect(secure.hasSuffix("; Path=/; HttpOnly; SameSite=Lax; Max-Age=1000; Secure"))
        let cleartext = try #require(authority.cookie(for: principal, isSecure: false, at: now)).string
        #expect(cleartext.hasPrefix("granary="))
        #expect(cleartext.hasSuffix("; Path=/; HttpOnly; SameSite=Lax; Max-Age=1000"))
    }

    @Test func `a cookie identifies its principal until it expires`() throws {
        let principal = authority.newPrincipal()
        let text = try value(authority, principal)
        #expect(reading(authority, text)?.principal == principal)
        #expect(reading(authority, text)?.needsRenewal == false)
        #expect(reading(authority, text, at: now + .seconds(500))?.needsRenewal == true)
        #expect(reading(authority, text, at: now + .milliseconds(999_999)) != nil)
        #expect(reading(authority, text, at: now + .seconds(1000)) == nil)
        // One from a node whose clock is ahead, and one from before the clock was set back.
        #expect(reading(authority, text, at: now - .seconds(60))?.needsRenewal == false)
        #expect(reading(authority, text, at: now - .milliseconds(60_001))?.needsRenewal == true)
        #expect(reading(authority, text, at: now - .seconds(86_400))?.principal == principal)
    }

    @Test func `no byte of a cookie can be changed`() throws {
        let text = try value(authority, authority.newPrincipal())
        let bytes = try #require(Base64URL.bytes(of: text.utf8))
        for index in bytes.indices {
            for bit in [UInt8(1), 0x80] {
                var forged = bytes
                forged[index] ^= bit
                #expect(reading(authority, Base64URL.text(of: forged)) == nil)
            }
            #expect(reading(authority, Base64URL.text(of: bytes[..<index])) == nil)
        }
        #expect(reading(authority, Base64URL.text(of: bytes + [0])) == nil)
        #expect(reading(authority, text + "=") == nil)
        #expect(reading(authority, "") == nil)
    }

    @Test func `a cookie of an older key is renewed, and invalid without the key`() throws {
        let (old, new) = (SecretBytes.random(), SecretBytes.random())
        let principal = authority.newPrincipal()
        let text = try value(CookieAuthority(keys: try #require(SigningKeys([old]))), principal)
        let rotated = CookieAuthority(keys: try #require(SigningKeys([new, old])))
        #expect(reading(rotated, text)?.principal == principal)
        #expect(reading(rotated, text)?.needsRenewal == true)
        let renewed = try value(rotated, principal)
        #expect(reading(rotated, renewed)?.needsRenewal == false)
        #expect(reading(CookieAuthority(keys: try #require(SigningKeys([new]))), text) == nil)
    }

    @Test func `only principals of cookies get one`() {
        #expect(authority.cookie(for: Principal(method: .token, id: "ada"), isSecure: true, at: now) == nil)
        #expect(authority.cookie(for: Principal(method: .cookie, id: "ada"), isSecure: true, at: now) == nil)
    }

    @Test func `the lifetime is one that browsers accept`() throws {
        let long = CookieAuthority(keys: TestHash.keys, lifetime: .seconds(10_000 * 86_400))
        let field = try #require(long.cookie(for: long.newPrincipal(), isSecure: true, at: now)).string
        #expect(field.contains("Max-Age=34560000;"))
    }

    @Test func `new principals differ`() {
        #expect(authority.newPrincipal() != authority.newPrincipal())
    }
}
