/// A JSON Schema (2020-12) of the values of a Swift type.
public indirect enum JSONSchema: Equatable, Sendable {
    /// Only `null`: an input without a value.
    case null
    /// Any value: a type about which nothing is known.
    case any
    /// `true` or `false`.
    case boolean
    /// A whole number, with the bounds of the Swift type if it has any.
    case integer(minimum: Int64?, maximum: UInt64?)
    /// A number.
    case number
    /// A string, with a `format` (`date-time`, `uri`, `uuid`) if the Swift type has one.
    case string(format: String?)
    /// One of these strings.
    case strings([String])
    /// One of these whole numbers.
    case integers([Int64])
    /// An array of elements with one schema.
    case array(JSONSchema)
    /// An object with arbitrary keys and values with one schema.
    case dictionary(JSONSchema)
    /// An object with named members, in the order in which they are read. As an input, it must not have other members.
    case object([Member])
    /// An object with named members that may have other members.
    case open([Member])
    /// The schema or `null`.
    case optional(JSONSchema)
    /// The schema of a Swift type with a name of its own. The name says nothing about the values: it is for descriptions.
    case named(String, JSONSchema)
    /// A reference to a definition in the outermost schema's `$defs`, used by recursive types.
    case reference(String)
    /// A schema with named definitions.
    case definitions(JSONSchema, [Definition])

    /// A member of an object.
    public struct Member: Equatable, Sendable {
        /// The key.
        public var name: String
        /// The schema of the value.
        public var schema: JSONSchema
        /// Whether the member must be present.
        public var isRequired: Bool

        /// Creates a member.
        public init(name: String, schema: JSONSchema, isRequired: Bool) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
        }
    }

    /// A named schema.
    public struct Definition: Equatable, Sendable {
        /// The name that ``JSONSchema/reference(_:)`` refers to.
        public var name: String
        /// The schema.
        public var schema: JSONSchema

        /// Creates a definition.
        public init(name: String, schema: JSONSchema) {
            self.name = name
            self.schema = schema
        }
    }
}
