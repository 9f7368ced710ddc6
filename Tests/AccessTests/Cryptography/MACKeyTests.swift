import HTTPModel
import Testing

@testable import Access

@Suite struct MACKeyTests {
    @Test func `codes are those of RFC 4231`() throws {
        // Test case 2.
        let key = MACKey(SecretBytes(copying: Array("Jefe".utf8)))
        let code = key.code(of: Array("what do ya want for nothing?".utf8))
        #expect(
            Hexadecimal.text(of: code.bytes) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        // The key can be used again.
        #expect(key.code(of: Array("what do ya want for nothing?".utf8)) == code)
        #expect(key.code(of: []) != code)
    }

    @Test func `digests are those of FIPS 180-4`() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        let function = DigestFunction()
        for _ in 0..<2 {
            let digest = Array("abc".utf8).withUnsafeBytes { function.digest(of: $0) }
            #expect(Hexadecimal.text(of: digest.bytes) == expected)
        }
        #expect(Array("abc".utf8).withUnsafeBytes { Hexadecimal.text(of: Digest.sha256($0).bytes) } == expected)
    }

    @Test func `digests differ if any byte does`() throws {
        let bytes = [UInt8](repeating: 3, count: 32)
        let digest = try #require(Digest(bytes))
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 0x80
            #expect(try #require(Digest(other)) != digest)
        }
        #expect(Digest(bytes) == digest)
        #expect(Digest(bytes.dropLast()) == nil)
    }
}
