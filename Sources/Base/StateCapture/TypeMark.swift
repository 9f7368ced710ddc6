import Locking

/// The part of a key that tells operators of different types apart, so that an operator of another build never takes the
/// state of its neighbour.
enum TypeMark {
    private static let marks = Lock<[ObjectIdentifier: String]>([:])

    /// Returns the mark of a part: a tilde and six hexadecimal digits; empty for a part whose type has no parameters, whose
    /// name in the key says enough.
    ///
    /// - Parameters:
    ///   - part: The type of the part.
    ///   - types: The types that the mark stands for.
    // Not the type of the part itself: that of an operator contains the types of its subscribers, which are others in a
    // restored machine.
    static func of(_ part: any Any.Type, _ types: @autoclosure () -> [any Any.Type]) -> String {
        if let known = marks.withLock({ $0[ObjectIdentifier(part)] }) { return known }
        // `String(reflecting:)` has the same result, but first looks for three protocols of each type: a quarter of the time in which a
        // server starts.
        let isGeneric = _typeName(part).utf8.contains(UInt8(ascii: "<"))
        let mark = isGeneric ? mark(ofName: types().map { _typeName($0) }.joined(separator: " ")) : ""
        marks.withLock { $0[ObjectIdentifier(part)] = mark }
        return mark
    }

    private static func mark(ofName name: String) -> String {
        // 64-bit FNV-1a, because the hashes of the standard library differ between processes.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in withoutAddresses(name).utf8 { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
        let digits = String((hash ^ hash >> 32) & 0xFF_FFFF, radix: 16)
        return "~" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }

    /// Returns the name of a type without the addresses that stand for the contexts of private types.
    private static func withoutAddresses(_ name: String) -> String {
        let opening = "(unknown context at "
        let parts = name.split(separator: opening, omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts.first ?? "")) { $0 += $1.drop { $0 != ")" } }
    }
}
