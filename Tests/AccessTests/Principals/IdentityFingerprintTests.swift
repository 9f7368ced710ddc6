import HTTPModel
import Testing

@testable import Access

@Suite struct IdentityFingerprintTests {
    private let key = SecretBytes(copying: [UInt8](repeating: 7, count: 32))

    @Test func `a key has the same fingerprint in each process, and no other key has it`() {
        // Journals have it. A change would keep every server with owned sessions from starting.
        #expect(Hexadecimal.text(of: IdentityFingerprint(of: key).bytes) == "e86b6f1e576fd0085adf9c3e1e4d48ca")
        #expect(IdentityFingerprint(of: key) != IdentityFingerprint(of: .random()))
    }

    @Test func `a stored fingerprint is read again, and nothing of another length`() {
        let fingerprint = IdentityFingerprint(of: key)
        #expect(IdentityFingerprint(fingerprint.bytes) == fingerprint)
        #expect(IdentityFingerprint(fingerprint.bytes.dropLast()) == nil && IdentityFingerprint([UInt8]()) == nil)
        #expect(fingerprint.description == "e86b6f1e576fd008")
    }

    @Test func `a fingerprint is no hash of a principal, and none of the key's bytes`() {
        let fingerprint = IdentityFingerprint(of: key)
        let hash = PrincipalHasher(key: key).hash(of: Principal(method: .apiKey, id: "a"))
        #expect(fingerprint.bytes != hash.bytes)
        #expect(!fingerprint.bytes.contains(7))
    }
}
