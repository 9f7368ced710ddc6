/// The runtime metadata of a function type.
///
/// A function that is stored in an enum uses the calling convention of its type: an `Int` is passed in a register.
/// Generic code expects the most general convention, in which every argument and result is passed by address. Only
/// compiled code can convert between the two, so generic code must not extract a function from an enum unless both
/// conventions are the same.
struct FunctionMetadata {
    private enum Kind {
        static let function = 0x302
        static let optional = 0x202
        static let existential = 0x303
    }

    private enum Flag {
        static let parameterCount = 0xFFFF
        /// Conventions other than Swift's, parameter flags (`inout`, `consuming`), `async`, and typed errors.
        static let unsupported = 0x00FF_0000 | 0x0200_0000 | 0x2000_0000 | 0x8000_0000
    }

    private let pointer: UnsafeRawPointer

    /// Reads the metadata of `type`. Returns nil if it is not a function type.
    init?(_ type: any Any.Type) {
        pointer = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard pointer.load(as: Int.self) == Kind.function else { return nil }
    }

    /// Whether generic code uses the same calling convention for functions of this type: they take and return nothing,
    /// or only values that are always passed by address, such as `Any`.
    private var usesGenericConvention: Bool {
        let flags = pointer.load(fromByteOffset: 8, as: Int.self)
        guard flags & Flag.unsupported == 0 else { return false }
        let result = pointer.load(fromByteOffset: 16, as: Any.Type.self)
        guard TupleMetadata(result)?.count == 0 || Self.isPassedByAddress(result) else { return false }
        return (0..<(flags & Flag.parameterCount)).allSatisfy { index in
            Self.isPassedByAddress(pointer.load(fromByteOffset: 24 + index * 8, as: Any.Type.self))
        }
    }

    /// Returns whether the type is an existential that can hold values of any size.
    private static func isPassedByAddress(_ type: any Any.Type) -> Bool {
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard metadata.load(as: Int.self) == Kind.existential else { return false }
        // The highest bit is set without a class constraint. The next seven are set for a superclass, or for `Error`.
        return metadata.load(fromByteOffset: 8, as: UInt32.self) >> 24 == 0x80
    }

    /// Returns whether generic code can extract values of the type from an enum whose case declares exactly this type.
    static func canBeReadGenerically(_ type: any Any.Type) -> Bool {
        if let function = FunctionMetadata(type) { return function.usesGenericConvention }
        if let tuple = TupleMetadata(type) {
            return (0..<tuple.count).allSatisfy { canBeReadGenerically(tuple.element($0)) }
        }
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard metadata.load(as: Int.self) == Kind.optional else { return true }
        // An optional function is stored like the function itself.
        return canBeReadGenerically(metadata.load(fromByteOffset: 16, as: Any.Type.self))
    }
}
