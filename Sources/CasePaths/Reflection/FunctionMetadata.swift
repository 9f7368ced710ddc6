/// The run-time metadata of a function type.
///
/// A function that lies in an enum follows the calling convention of its type: an `Int` arrives in a register. Generic code
/// expects the most general convention, in which every argument and result is passed by its address. Only compiled code
/// can translate between the two, so generic code must not take a function out of an enum unless they are the same.
struct FunctionMetadata {
    private enum Kind {
        static let function = 0x302
        static let optional = 0x202
        static let existential = 0x303
    }

    private enum Flag {
        static let parameterCount = 0xFFFF
        /// Another convention than Swift's, flags of parameters (`inout`, `consuming`), `async`, and typed errors.
        static let unsupported = 0x00FF_0000 | 0x0200_0000 | 0x2000_0000 | 0x8000_0000
    }

    private let pointer: UnsafeRawPointer

    /// Looks at `type`; nil if it is not a function type.
    init?(_ type: any Any.Type) {
        pointer = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard pointer.load(as: Int.self) == Kind.function else { return nil }
    }

    /// Whether functions of this type are called in the same way by generic code: they take and return nothing, or only
    /// values that are always passed by address, such as `Any`.
    private var isCalledAlike: Bool {
        let flags = pointer.load(fromByteOffset: 8, as: Int.self)
        guard flags & Flag.unsupported == 0 else { return false }
        let result = pointer.load(fromByteOffset: 16, as: Any.Type.self)
        guard TupleMetadata(result)?.count == 0 || Self.isPassedByAddress(result) else { return false }
        return (0..<(flags & Flag.parameterCount)).allSatisfy { index in
            Self.isPassedByAddress(pointer.load(fromByteOffset: 24 + index * 8, as: Any.Type.self))
        }
    }

    /// Whether the type is an existential that can hold values of any size.
    private static func isPassedByAddress(_ type: any Any.Type) -> Bool {
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard metadata.load(as: Int.self) == Kind.existential else { return false }
        // The highest bit is set without a class constraint. The next seven are set for a superclass, or for `Error`.
        return metadata.load(fromByteOffset: 8, as: UInt32.self) >> 24 == 0x80
    }

    /// Whether generic code can take values of the type out of an enum whose case declares exactly this type.
    static func canBeReadGenerically(_ type: any Any.Type) -> Bool {
        if let function = FunctionMetadata(type) { return function.isCalledAlike }
        if let tuple = TupleMetadata(type) {
            return (0..<tuple.count).allSatisfy { canBeReadGenerically(tuple.element($0)) }
        }
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard metadata.load(as: Int.self) == Kind.optional else { return true }
        // An optional function lies there like the function itself.
        return canBeReadGenerically(metadata.load(fromByteOffset: 16, as: Any.Type.self))
    }
}
