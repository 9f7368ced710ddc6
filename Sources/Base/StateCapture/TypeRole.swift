import Locking

/// A type that reflection treats in a way of its own: a holder of a state, wiring, a collection, and so on. A generic type conforms to it
/// whatever its arguments are.
///
/// The first time that the runtime is asked whether a type conforms to a protocol, it reads every conformance of the program. So
/// reflection asks for this protocol first: most types do not conform to it, and so to none of the protocols that refine it.
public protocol TypeRole {}

extension StateTypes {
    /// Returns the type as one with any role; nil for all other types.
    static func role(of type: any Any.Type) -> (any TypeRole.Type)? {
        cast(type, as: (any TypeRole.Type).self)
    }

    /// Returns the type as one with a role that a generic type has whatever its arguments are; nil for all other types.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - role: The metatype of the role, such as `(any StateHolder.Type).self`.
    package static func role<Role>(of type: any Any.Type, as role: Role.Type) -> Role? {
        self.role(of: type) == nil ? nil : cast(type, as: role)
    }

    private static func cast<Role>(_ type: any Any.Type, as role: Role.Type) -> Role? {
        switch MetadataKind(of: type) {
        // Tuples and functions cannot conform to a protocol.
        case .function, .tuple: return nil
        // A class may inherit a role.
        case .other: return type as? Role
        case .structure, .enumeration, .optional:
            // The second word of the metadata is what `Array<Int>` and `Array<Bool>` have in common.
            let declaration = unsafeBitCast(type, to: UnsafePointer<UInt>.self)[1]
            let key = MissingRole(declaration: declaration, role: ObjectIdentifier(role))
            if missing.withLock({ $0.contains(key) }) { return nil }
            let found = type as? Role
            if found == nil { missing.withLock { _ = $0.insert(key) } }
            return found
        }
    }

    /// A role that a declaration has been found not to have.
    private struct MissingRole: Hashable {
        let declaration: UInt
        let role: ObjectIdentifier
    }

    private static let missing = Lock<Set<MissingRole>>([])
}
