/// Random numbers that are the same in every run (SplitMix64).
struct TestRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    /// Returns bytes with a few random changes: other bytes, missing bytes, repeated bytes.
    mutating func changed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &self)
            switch Int.random(in: 0..<4, using: &self) {
            case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &self)
            case 1: bytes[index] = Array("\"{}[],:.0-e\\;= \n".utf8).randomElement(using: &self) ?? 0
            case 2: bytes.removeSubrange(index..<min(bytes.count, index + 3))
            default: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 5)], at: index)
            }
        }
        return bytes
    }
}
