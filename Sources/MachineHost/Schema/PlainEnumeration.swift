/// Finds the cases of enumerations that do not list them.
enum PlainEnumeration {
    /// All cases, in the order of the source, of an enumeration of at least two and at most 128 cases without associated
    /// values; none for any other type.
    ///
    /// Such an enumeration is one byte that counts its cases from 0, and every byte value beyond its cases is free for
    /// types round it to use. So what fits round the enumeration without making it larger tells how many cases it
    /// has, and each number below that is a case. (An enumeration of one case has no byte at all, like one of none, so
    /// it is not looked at: a value of the latter must never be made.)
    static func cases<T>(of type: T.Type) -> [T] {
        if let listing = type as? any CaseIterable.Type, let cases = listedCases(listing) as? [T] { return cases }
        guard MemoryLayout<T>.size == 1, MemoryLayout<T>.stride == 1 else { return [] }
        let count = 256 - spareValues(of: type)
        guard (2...128).contains(count) else { return [] }
        var cases: [T] = []
        for number in 0..<UInt8(count) {
            let value = unsafeBitCast(number, to: T.self)
            guard isPlainCase(value) else { return [] }
            cases.append(value)
        }
        return cases
    }

    private static func listedCases<T: CaseIterable>(_ type: T.Type) -> [T]? {
        let cases = Array(type.allCases.prefix(1000))
        return cases.allSatisfy { isPlainCase($0) } ? cases : nil
    }

    private static func isPlainCase<T>(_ value: T) -> Bool {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .enum && mirror.children.isEmpty
    }

    /// How many values of its one byte a type leaves to the types round it.
    private static func spareValues<T>(of type: T.Type) -> Int {
        if MemoryLayout<Sixteen<T>>.size == 1 { return 16 + spareValues(of: Sixteen<T>.self) }
        if MemoryLayout<T?>.size == 1 { return 1 + spareValues(of: T?.self) }
        return 0
    }

    /// Takes sixteen of the values that its payload leaves: sixteen optionals in one.
    private enum Sixteen<T> {
        case payload(T)
        case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p
    }
}
