/// A 128-bit digest of a request or key: SipHash-2-4 with 128-bit output under a secret key.
///
/// Without the secret, a client cannot search for two requests with the same digest. Digests are never sent to clients.
struct RequestDigest: Hashable, Sendable {
    let low: UInt64
    let high: UInt64

    func hash(into hasher: inout Hasher) {
        // One half is enough: all bits of a digest are uniformly distributed.
        hasher.combine(low)
    }

    /// The secret under which a host computes digests.
    struct Key: Sendable {
        let low: UInt64
        let high: UInt64

        /// A key that everybody knows, for digests that need not be secret.
        static let `public` = Key(low: 0, high: 0)

        static func random() -> Key {
            var generator = SystemRandomNumberGenerator()
            return Key(low: generator.next(), high: generator.next())
        }

        func digest(of bytes: some Sequence<UInt8>) -> RequestDigest {
            var hasher = DigestHasher(self)
            hasher.append(bytes)
            return hasher.finish()
        }

        func digest(path: some Sequence<UInt8>, body: [UInt8]) -> RequestDigest {
            var hasher = DigestHasher(self)
            hasher.append(path)
            // A path contains no zero byte. Without the separator, "/a" + "bc" and "/ab" + "c" would have the same
            // digest.
            hasher.append(CollectionOfOne(0))
            hasher.append(body)
            return hasher.finish()
        }
    }
}

/// SipHash-2-4 with 128 bits of output (Aumasson and Bernstein, 2012, and its reference implementation).
struct DigestHasher {
    private var lanes: (UInt64, UInt64, UInt64, UInt64)
    /// The bytes that do not yet fill a word.
    private var word: UInt64 = 0
    /// The number of bytes so far.
    private var count: UInt64 = 0

    init(_ key: RequestDigest.Key) {
        lanes = (
            key.low ^ 0x736f_6d65_7073_6575, key.high ^ 0x646f_7261_6e64_6f6d ^ 0xee,
            key.low ^ 0x6c79_6765_6e65_7261, key.high ^ 0x7465_6462_7974_6573
        )
    }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        // Bodies are contiguous: hash eight bytes at a time instead of one.
        if bytes.withContiguousStorageIfAvailable({ append(UnsafeRawBufferPointer($0)) }) != nil { return }
        for byte in bytes { append(byte) }
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var place = 0
        while place < bytes.count, count & 7 != 0 {
            append(bytes[place])
            place += 1
        }
        assert(
            place == bytes.count || count & 7 == 0 && word == 0, "expected no bytes before a word, got \(count & 7)")
        while bytes.count - place >= 8 {
            compress(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
            count &+= 8
            place += 8
        }
        while place < bytes.count {
            append(bytes[place])
            place += 1
        }
    }

    private mutating func append(_ byte: UInt8) {
        word |= UInt64(byte) << (8 * (count & 7))
        count &+= 1
        guard count & 7 == 0 else { return }
        compress(word)
        word = 0
    }

    consuming func finish() -> RequestDigest {
        compress(word | count << 56)
        lanes.2 ^= 0xee
        for _ in 0..<4 { round() }
        let low = lanes.0 ^ lanes.1 ^ lanes.2 ^ lanes.3
        lanes.1 ^= 0xdd
        for _ in 0..<4 { round() }
        return RequestDigest(low: low, high: lanes.0 ^ lanes.1 ^ lanes.2 ^ lanes.3)
    }

    private mutating func compress(_ word: UInt64) {
        lanes.3 ^= word
        round()
        round()
        lanes.0 ^= word
    }

    private mutating func round() {
        lanes.0 &+= lanes.1
        lanes.1 = lanes.1 << 13 | lanes.1 >> 51
        lanes.1 ^= lanes.0
        lanes.0 = lanes.0 << 32 | lanes.0 >> 32
        lanes.2 &+= lanes.3
        lanes.3 = lanes.3 << 16 | lanes.3 >> 48
        lanes.3 ^= lanes.2
        lanes.0 &+= lanes.3
        lanes.3 = lanes.3 << 21 | lanes.3 >> 43
        lanes.3 ^= lanes.0
        lanes.2 &+= lanes.1
        lanes.1 = lanes.1 << 17 | lanes.1 >> 47
        lanes.1 ^= lanes.2
        lanes.2 = lanes.2 << 32 | lanes.2 >> 32
    }
}
