/// Finds the cases of enumerations, including those that are not `CaseIterable`.
enum PlainEnumeration {
    /// Returns all cases of an enumeration with 2 to 128 cases and no associated values, in source order; an empty
    /// array for any other type.
    ///
    /// Such an enumeration is stored in one byte that numbers its cases from 0, and the remaining byte values are
    /// available to enclosing enumerations. So the number of enclosing cases that fit without growing the type reveals
    /// the number of its own cases.
    static func cases<T>(of type: T.Type) -> [T] {
        if let listing = type as? any CaseIterable.Type, let cases = listedCases(listing) as? [T] { return cases }
        guard MemoryLayout<T>.size == 1, MemoryLayout<T>.stride == 1 else { return [] }
        let count = 256 - spareValues(of: type)
        // An enumeration with one case occupies no byte, like one without cases. A value of the latter must never be
        // created, so neither is inspected.
        guard (2...128).contains(count) else { return [] }
        var cases: [T] = []
        for number in 0..<UInt8(count) {
            // Every number below `count` is a valid value, as established above. `isPlainCase` rejects one-byte types
            // that are not enumerations, such as a structure around a `Bool`.
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

    /// Returns the number of byte values that a one-byte type leaves to enclosing types.
    private static func spareValues<T>(of type: T.Type) -> Int {
        if MemoryLayout<Sixteen<T>>.size == 1 { return 16 + spareValues(of: Sixteen<T>.self) }
        if MemoryLayout<T?>.size == 1 { return 1 + spareValues(of: T?.self) }
        return 0
    }

    /// Uses sixteen of the byte values that its payload leaves unused, like sixteen nested optionals.
    private enum Sixteen<T> {
        case payload(T)
        case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p
    }
}
