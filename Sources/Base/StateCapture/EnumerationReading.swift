/// Reads and creates values of enumerations by the metadata of their types.
package protocol EnumerationReading {
    /// Returns the cases of an enumeration, by tag. Returns nil if the type does not describe them.
    static func cases(of type: any Any.Type) -> [EnumerationCase]?
    /// Returns the tag of a value's case.
    static func tag<Root>(of value: Root) -> Int
    /// Returns the payload of a value whose case has a payload of this type.
    static func payload<Root, Payload>(of value: Root, as type: Payload.Type) -> Payload
    /// Creates a value of a case whose payload a closure initializes at an address.
    static func value<Root>(tag: Int, as type: Root.Type, _ initialize: (UnsafeMutableRawPointer) -> Void) -> Root
}

/// The metadata of enumerations.
///
/// `ComposableArchitecture` makes this type an ``EnumerationReading``, with the reflection of `CasePaths`. That stays in its higher
/// layer, because extracting a case is on the path of every action and is specialized within that module. In a program
/// without it, enumerations must be `Codable` to be captured.
package enum EnumerationMetadata {
    /// The reader of enumerations; nil if the program has none.
    static var reading: (any EnumerationReading.Type)? {
        (EnumerationMetadata.self as Any.Type) as? any EnumerationReading.Type
    }
}

/// A case of an enumeration.
package struct EnumerationCase {
    let name: String
    /// The type of the payload: that of the only associated value, or a tuple; nil without associated values.
    let payload: (any Any.Type)?
    /// The associated values with their offsets in the payload.
    let values: [(name: String, offset: Int, type: any Any.Type)]
    /// Whether a value of the case can be created: the type of its payload is known.
    let canBeCreated: Bool

    /// Creates a case.
    package init(
        name: String, payload: (any Any.Type)?, values: [(name: String, offset: Int, type: any Any.Type)],
        canBeCreated: Bool
    ) {
        self.name = name
        self.payload = payload
        self.values = values
        self.canBeCreated = canBeCreated
    }
}
