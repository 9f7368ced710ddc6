/// The run-time metadata of a tuple type.
struct TupleMetadata {
    private let pointer: UnsafeRawPointer

    /// Looks at `type`; nil if it is no tuple.
    init?(_ type: any Any.Type) {
        pointer = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard pointer.load(as: Int.self) == 0x301 else { return nil }
    }

    /// How many elements there are.
    var count: Int { pointer.load(fromByteOffset: 8, as: Int.self) }

    /// The labels of the elements, empty where there is none.
    var labels: [String] {
        guard let text = pointer.load(fromByteOffset: 16, as: UnsafePointer<CChar>?.self) else {
            return Array(repeating: "", count: count)
        }
        let labels = String(cString: text).split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return Array(labels.prefix(count))
    }

    /// The type of an element.
    func element(_ index: Int) -> any Any.Type {
        let record = pointer + 24 + index * 16
        return record.load(as: Any.Type.self)
    }

    /// How far behind the beginning of the tuple an element lies.
    func offset(_ index: Int) -> Int {
        // 32 bits off Apple's platforms; what follows there means nothing.
        Int((pointer + 24 + index * 16).load(fromByteOffset: 8, as: UInt32.self))
    }

    /// Whether values of both types lie alike in memory and mean the same: the types are equal but for tuple labels, and
    /// generic code can read them.
    static func isSame(_ first: any Any.Type, _ second: any Any.Type) -> Bool {
        if first == second { return FunctionMetadata.canBeReadGenerically(first) }
        guard let first = TupleMetadata(first), let second = TupleMetadata(second), first.count == second.count
        else { return false }
        return (0..<first.count).allSatisfy { isSame(first.element($0), second.element($0)) }
    }
}
