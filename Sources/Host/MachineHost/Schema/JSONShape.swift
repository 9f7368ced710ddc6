import StateCapture

/// The shape of the JSON that a type encodes, in terms of the types of its parts.
public enum JSONShape: Sendable {
    /// An array of elements of one type.
    case array(of: any Any.Type)
    /// An object with these members.
    case object([Member])
    /// The JSON of another type, such as the value of a wrapper.
    case value(of: any Any.Type)

    /// A member of an object.
    public struct Member: Sendable {
        /// The key.
        public var name: String
        /// The type of the value.
        public var type: any Any.Type
        /// Whether the member is always present.
        public var isRequired: Bool

        /// Creates a member.
        ///
        /// - Parameters:
        ///   - name: The key.
        ///   - type: The type of the value. The value of an optional type may be `null`.
        ///   - isRequired: Whether the member is always present, `null` included.
        public init(_ name: String, _ type: any Any.Type, isRequired: Bool = true) {
            self.name = name
            self.type = type
            self.isRequired = isRequired
        }
    }

    /// Returns the shape of an object as the compiler's `encode(to:)` writes it: a member of an optional type is left out if it is nil.
    ///
    /// - Parameter members: The keys and types of the members, in the order in which they are encoded.
    public static func members(_ members: KeyValuePairs<String, any Any.Type>) -> JSONShape {
        .object(members.map { Member($0.key, $0.value, isRequired: MetadataKind(of: $0.value) != .optional) })
    }
}

/// A type that describes the JSON that it encodes.
///
/// The host finds the schema of a `Decodable` type by letting the type decode itself. A type that is only `Encodable` offers nothing to
/// look at before it has a value, so its schema accepts anything unless the type conforms to this protocol. The description
/// of a type that is also `Decodable` is not used.
///
/// ```swift
/// extension Player: JSONDescribed {
///     static var jsonShape: JSONShape { .members(["name": String.self, "nickname": String?.self]) }
/// }
/// ```
public protocol JSONDescribed {
    /// The shape of the JSON. The host does not compare it with what the type encodes; the checks of `MachineTesting` do.
    static var jsonShape: JSONShape { get }
}
