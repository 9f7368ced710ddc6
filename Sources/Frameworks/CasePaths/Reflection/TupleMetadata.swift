/// The runtime metadata of a tuple type.
struct TupleMetadata {
    private let pointer: UnsafeRawPointer

    /// Reads the metadata of `type`. Returns nil if it is not a tuple.
    init?(_ type: any Any.Type) {
        pointer = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard pointer.load(as: Int.self) == 0x301 else { return nil }
    }

    var count: Int { pointer.load(fromByteOffset: 8, as: Int.self) }

    /// The labels of the elements. Empty strings for elements without a label.
    var labels: [String] {
        guard let text = pointer.load(fromByteOffset: 16, as: UnsafePointer<CChar>?.self) else {
            return Array(repeating: "", count: count)
        }
        let labels = String(cString: text).split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return Array(labels.prefix(count))
    }

    func element(_ index: Int) -> any Any.Type {
        let record = pointer + 24 + index * 16
        return record.load(as: Any.Type.self)
    }

    /// Returns the offset of an element in bytes.
    func offset(_ index: Int) -> Int {
        // The offset has 32 bits except on Apple's platforms. The bytes after it are undefined.
        Int((pointer + 24 + index * 16).load(fromByteOffset: 8, as: UInt32.self))
    }

    /// Returns whether values of both types have the same layout and meaning: the types are equal except for tuple
    /// labels, and generic code can read them.
    static func isSame(_ first: any Any.Type, _ second: any Any.Type) -> Bool {
        if first == second { return FunctionMetadata.canBeReadGenerically(first) }
        guard let first = TupleMetadata(first), let second = TupleMetadata(second), first.count == second.count
        else { return false }
        return (0..<first.count).allSatisfy { isSame(first.element($0), second.element($0)) }
    }
}
