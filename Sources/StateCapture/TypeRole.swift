import Locking

/// A type that reflection treats in a way of its own: a holder of a state, wiring, a collection, and so on. A generic type conforms to it
/// whatever its arguments are.
///
/// The first time that the runtime is asked whether a type conforms to a protocol, it reads every conformance of the program. So
/// reflection asks for this protocol first: most types do not conform to it, and so to none of the protocols that refine it.
public protocol TypeRole {}

extension StateTypes {
    /// Returns the type as one with a role; nil for all other types.
    package static func role(of type: any Any.Type) -> (any TypeRole.Type)? {
        switch MetadataKind(of: type) {
        // Tuples and functions cannot conform to a protocol.
        case .function, .tuple: return nil
        case .other: return type as? any TypeRole.Type
        case .structure, .enumeration, .optional:
            // The second word of the metadata: what `Array<Int>` and `Array<Bool>` have in common.
            let declaration = unsafeBitCast(type, to: UnsafePointer<UInt>.self)[1]
            if withoutRole.withLock({ $0.contains(declaration) }) { return nil }
            let role = type as? any TypeRole.Type
            if role == nil { withoutRole.withLock { _ = $0.insert(declaration) } }
            return role
        }
    }

    /// The declarations of the types that have been found to have no role.
    private static let withoutRole = Lock<Set<UInt>>([])
}
