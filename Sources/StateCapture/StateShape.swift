/// What a wiring has registered: the keys of the operators and the names of the roots of members, in order. The key of an
/// operator with type parameters contains a hash of the types in its state.
///
/// Parts in scopes, such as those of sources that operators make from values, are not contained, because they depend on the
/// values.
public struct StateShape: Hashable, Sendable {
    /// The keys: `scan~3fa9c1.0`, `store.0`.
    public private(set) var keys: [String] = []

    /// Creates the shape of a machine without parts.
    public init() {}

    /// A hash of the keys in their order, the same in every process.
    public var hash: UInt64 {
        var hash = StableHash()
        for key in keys {
            hash.combine(key.utf8)
            hash.combine(CollectionOfOne(0))
        }
        return hash.value
    }

    mutating func append(_ key: String) {
        keys.append(key)
    }

    /// The number of parts whose keys differ by their last number only, by the rest of the key.
    static func counts(of keys: some Sequence<String>) -> [Substring: Int] {
        var counts: [Substring: Int] = [:]
        for key in keys {
            if let group = group(of: key) { counts[group, default: 0] += 1 }
        }
        return counts
    }

    /// Returns the key without its last number; nil for a key without a type, and for one in a scope.
    static func group(of key: String) -> Substring? {
        guard key.utf8.contains(UInt8(ascii: "~")), !key.utf8.contains(UInt8(ascii: "/")) else { return nil }
        return key.lastIndex(of: ".").map { key[..<$0] }
    }
}

/// A hash that is the same in every process (64-bit FNV-1a).
struct StableHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
}
