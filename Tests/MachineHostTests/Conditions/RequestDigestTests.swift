import Testing

@testable import MachineHost

struct RequestDigestTests {
    /// The key of the reference implementation's vectors: the bytes 0 to 15.
    private let key = RequestDigest.Key(low: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908)

    /// `vectors_sip128` of the reference implementation: of the first n bytes 0, 1, 2, …, as two little-endian words.
    @Test(
        arguments: [
            (0, 0xe6a8_25ba_047f_81a3, 0x9302_55c7_1472_f66d), (1, 0x44af_996b_d8c1_87da, 0x45fc_229b_1159_7634),
            (15, 0x11a8_b033_99e9_9354, 0xd9c3_cf97_0fec_087e),
        ] as [(Int, UInt64, UInt64)])
    func `the digest is SipHash-2-4 with 128 bits`(count: Int, low: UInt64, high: UInt64) {
        #expect(key.digest(of: (0..<count).map { UInt8($0) }) == RequestDigest(low: low, high: high))
    }

    @Test(arguments: [0, 1, 7, 8, 9, 64])
    func `a digest does not depend on how the bytes are split`(count: Int) {
        let bytes = (0..<64).map { UInt8($0) }
        var hasher = DigestHasher(key)
        hasher.append(bytes[..<count])
        hasher.append(bytes[count...].lazy.map { $0 })
        #expect(hasher.finish() == key.digest(of: bytes))
    }

    @Test func `moving bytes between the path and the body changes the digest`() {
        let digests = [("/a", "b"), ("/ab", ""), ("/", "ab"), ("/a", "b "), ("/a", "")].map {
            key.digest(path: $0.0.utf8, body: Array($0.1.utf8))
        }
        #expect(Set(digests).count == digests.count)
    }

    @Test func `different keys give different digests`() {
        #expect(RequestDigest.Key.random().digest(of: [1]) != RequestDigest.Key.random().digest(of: [1]))
    }
}
