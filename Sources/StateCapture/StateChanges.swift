/// The changed parts of a machine's state, encoded one after another: the length of the key in one byte, the key, the
/// length of the JSON in four bytes (little-endian), the JSON.
public struct StateChanges: Sequence {
    private let bytes: ArraySlice<UInt8>

    /// The longest key in bytes.
    static let longestKey = 255

    /// Creates a sequence of the changes that ``StateRegistry/appendChanges(to:)`` wrote.
    public init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    /// Returns an iterator over the keys with their JSON. It stops at the first malformed change.
    public func makeIterator() -> Iterator { Iterator(rest: bytes) }

    /// The changes, in order.
    public struct Iterator: IteratorProtocol {
        var rest: ArraySlice<UInt8>

        /// Returns the next change.
        public mutating func next() -> (key: String, json: ArraySlice<UInt8>)? {
            guard let keyCount = rest.popFirst(), rest.count >= Int(keyCount) + 4 else { return nil }
            let key = rest.prefix(Int(keyCount))
            rest = rest.dropFirst(Int(keyCount))
            var count = 0
            for shift in 0..<4 {
                count |= Int(rest[rest.startIndex]) << (8 * shift)
                rest = rest.dropFirst()
            }
            guard count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return (String(decoding: key, as: UTF8.self), rest.prefix(count))
        }
    }

    /// Appends a change with the JSON that a closure writes. Appends nothing if the closure returns false or throws.
    static func append(
        _ key: String, to bytes: inout [UInt8], _ write: (inout [UInt8]) throws -> Bool
    ) rethrows -> Bool {
        let start = bytes.count
        var isKept = false
        defer { if !isKept { bytes.removeLast(bytes.count - start) } }
        let text = key.utf8.prefix(longestKey)
        bytes.append(UInt8(text.count))
        bytes.append(contentsOf: text)
        let length = bytes.count
        for _ in 0..<4 { bytes.append(0) }
        guard try write(&bytes) else { return false }
        let count = UInt32(truncatingIfNeeded: bytes.count - length - 4)
        for shift in 0..<4 { bytes[length + shift] = UInt8(truncatingIfNeeded: count >> (8 * shift)) }
        isKept = true
        return true
    }
}
