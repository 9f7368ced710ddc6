/// Writes the few forms of DER (X.690) that keys and signatures need.
enum DERWriter {
    /// Returns a sequence of encoded elements.
    static func sequence(_ content: [UInt8]) -> [UInt8] { [0x30] + length(content.count) + content }

    /// Returns a positive integer, given its bytes with the most significant one first.
    static func integer(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        // A first bit of 1 would make it negative, and zero has one byte.
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return [0x02] + length(digits.count) + digits
    }

    /// Returns a bit string of whole bytes.
    static func bitString(_ bytes: [UInt8]) -> [UInt8] { [0x03] + length(bytes.count + 1) + [0] + bytes }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        var digits: [UInt8] = []
        var rest = count
        while rest > 0 {
            digits.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(digits.count)] + digits
    }
}
