import HTTPModel
import Testing

@testable import Access

@Suite struct PrincipalTests {
    private let ada = Principal(method: .token, issuer: "i", id: "ada", claims: #"{"role":"editor","n":1}"#)

    @Test func `the identity is method, issuer and id`() {
        #expect(ada == Principal(method: .token, issuer: "i", id: "ada", expires: .never))
        #expect(ada != Principal(method: .apiKey, issuer: "i", id: "ada"))
        #expect(ada != Principal(method: .token, issuer: "j", id: "ada"))
        #expect(ada != Principal(method: .token, issuer: "i", id: "bob"))
        #expect(Set([ada, Principal(method: .token, issuer: "i", id: "ada")]).count == 1)
    }

    @Test func `ids are compared byte by byte`() {
        // The precomposed and the decomposed letter, which are equal as strings.
        let one = Principal(method: .token, issuer: "i", id: "\u{E9}")
        let other = Principal(method: .token, issuer: "i", id: "e\u{301}")
        #expect(one.id == other.id)
        #expect(one != other)
        #expect(TestHash.hasher.hash(of: one) != TestHash.hasher.hash(of: other))
    }

    @Test func `hashes depend on the key and on each part of the identity`() {
        let hasher = TestHash.hasher
        let hash = hasher.hash(of: ada)
        #expect(hash == hasher.hash(of: Principal(method: .token, issuer: "i", id: "ada", claims: "{}")))
        #expect(hash != PrincipalHasher(key: .random()).hash(of: ada))
        #expect(hash != hasher.hash(of: Principal(method: .apiKey, issuer: "i", id: "ada")))
        let split = [("ab", "c"), ("a", "bc"), ("", "abc"), ("abc", "")].map { issuer, id in
            hasher.hash(of: Principal(method: .token, issuer: issuer, id: id))
        }
        #expect(Set(split).count == 4)
    }

    @Test func `a stored hash is the same after a restart`() throws {
        let hash = TestHash.hasher.hash(of: ada)
        let again = PrincipalHasher(key: SecretBytes(copying: [UInt8](repeating: 7, count: 32))).hash(of: ada)
        #expect(PrincipalHash(hash.bytes) == again)
        #expect(PrincipalHash(hash.bytes.dropLast()) == nil)
        // This hash is stored with sessions: a change of it would take them from their owners.
        #expect(Hexadecimal.text(of: hash.bytes) == "bd29768cf595f481fe7f1f081fbf49f4")
        #expect(hash.description.count == 16 && Hexadecimal.text(of: hash.bytes).hasPrefix(hash.description))
    }

    @Test func `claims are read from the JSON`() {
        #expect(ada.claim("role") == "editor")
        #expect(ada.claim("n") == nil && ada.claim("x") == nil)
        #expect(Principal(method: .host, id: "x", claims: "nonsense").claim("x") == nil)
    }

    @Test func `credentials that browsers add themselves are ambient`() {
        #expect(Principal.Method.allCases.filter(\.isAmbient) == [.certificate, .proxy, .cookie, .host])
    }
}
