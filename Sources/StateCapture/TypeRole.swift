/// A type that reflection treats in a way of its own: a holder of a state, wiring, a collection, and so on.
///
/// The first time that the runtime is asked whether a type conforms to a protocol, it reads every conformance of the program. So
/// reflection asks for this protocol first: most types do not conform to it, and so to none of the protocols that refine it.
public protocol TypeRole {}

extension StateTypes {
    /// Returns the type as one with a role; nil for all other types.
    package static func role(of type: any Any.Type) -> (any TypeRole.Type)? {
        // Tuples and functions cannot conform to a protocol.
        switch MetadataKind(of: type) {
        case .function, .tuple: nil
        case .structure, .enumeration, .optional, .other: type as? any TypeRole.Type
        }
    }
}
