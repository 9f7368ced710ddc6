/// The changed parts of a machine's state, encoded one after another: the length of the key in two bytes, the key, the
/// length of the JSON in four bytes, the JSON. Lengths are little-endian.
public struct StateChanges: Sequence {
    private let bytes: ArraySlice<UInt8>

    /// The longest key in bytes. Longer ones are cut off.
    static let maxKeyLength = 65535

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
            guard let key = part(2), let json = part(4) else { return nil }
            return (String(decoding: key, as: UTF8.self), json)
        }

        /// Removes a part after its length; nil if it is cut off.
        private mutating func part(_ width: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= width else { return nil }
            let count = rest.prefix(width).reversed().reduce(0) { $0 << 8 | Int($1) }
            guard rest.count - width >= count else { return nil }
            defer { rest = rest.dropFirst(width + count) }
            return rest.dropFirst(width).prefix(count)
        }
    }

    /// Returns the beginning of the changes with a key.
    static func head(_ key: String) -> [UInt8] {
        let text = key.utf8.prefix(maxKeyLength)
        return [UInt8(truncatingIfNeeded: text.count), UInt8(truncatingIfNeeded: text.count >> 8)] + text
    }

    /// Appends a change with the JSON that a closure writes. Appends nothing if the closure returns false or throws.
    static func appendIfChanged(
        _ key: String, to bytes: inout [UInt8], _ write: (inout [UInt8]) throws -> Bool
    ) rethrows -> Bool {
        try appendIfChanged(head(key), to: &bytes, write)
    }

    /// Appends a change that begins with a ``head(_:)``.
    @inline(__always)
    static func appendIfChanged(
        _ head: [UInt8], to bytes: inout [UInt8], _ write: (inout [UInt8]) throws -> Bool
    ) rethrows -> Bool {
        let start = bytes.count
        var isKept = false
        defer { if !isKept { bytes.removeLast(bytes.count - start) } }
        bytes.append(contentsOf: head)
        let length = bytes.count
        for _ in 0..<4 { bytes.append(0) }
        guard try write(&bytes) else { return false }
        let count = bytes.count - length - 4
        for index in 0..<4 { bytes[length + index] = UInt8(truncatingIfNeeded: count >> (8 * index)) }
        isKept = true
        return true
    }

    /// Appends a change with the JSON that a closure writes.
    static func append(_ key: String, to bytes: inout [UInt8], _ write: (inout [UInt8]) -> Void) {
        _ = appendIfChanged(key, to: &bytes) { json in
            write(&json)
            return true
        }
    }
}
