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
        let isGeneric = String(reflecting: part).utf8.contains(UInt8(ascii: "<"))
        let mark = isGeneric ? mark(ofName: types().map { String(reflecting: $0) }.joined(separator: " ")) : ""
        marks.withLock { $0[ObjectIdentifier(part)] = mark }
        return mark
    }

    private static func mark(ofName name: String) -> String {
        var hash = StableHash()
        // The name of a private type contains an address, which differs between processes.
        let opening = "(unknown context at "
        var rest = Substring(name)
        while let address = rest.firstRange(of: opening) {
            hash.combine(rest[..<address.lowerBound].utf8)
            rest = rest[address.upperBound...].drop { $0 != ")" }
        }
        hash.combine(rest.utf8)
        let digits = String((hash.value ^ hash.value >> 32) & 0xFF_FFFF, radix: 16)
        return "~" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }
}

extension Substring {
    /// The first place of a text.
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
