/// A JSON Schema (2020-12) of the values of one Swift type.
public indirect enum JSONSchema: Equatable, Sendable {
    /// `null` and nothing else: an input without a value.
    case null
    /// Anything: a type about which nothing could be found out.
    case any
    /// `true` or `false`.
    case boolean
    /// A whole number, within bounds where the Swift type has them.
    case integer(minimum: Int64?, maximum: UInt64?)
    /// A number.
    case number
    /// Text, with a `format` (`date-time`, `uri`, `uuid`) where the Swift type has one.
    case string(format: String?)
    /// One of these strings.
    case strings([String])
    /// One of these whole numbers.
    case integers([Int64])
    /// A list of one kind of element.
    case array(JSONSchema)
    /// An object with free keys and one kind of value.
    case dictionary(JSONSchema)
    /// An object with named members, in the order in which they are read. As an input, it may have no others.
    case object([Member])
    /// An object with named members that may have any others.
    case open([Member])
    /// The schema or `null`.
    case optional(JSONSchema)
    /// The definition of that name among the outermost schema's `$defs`: how a type holds itself.
    case reference(String)
    /// A schema with named definitions beside it.
    case definitions(JSONSchema, [Definition])

    /// One member of an object.
    public struct Member: Equatable, Sendable {
        /// The key.
        public var name: String
        /// What its value looks like.
        public var schema: JSONSchema
        /// Whether it has to be there.
        public var isRequired: Bool

        /// A member from its parts.
        public init(name: String, schema: JSONSchema, isRequired: Bool) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
        }
    }

    /// A schema under a name.
    public struct Definition: Equatable, Sendable {
        /// What ``JSONSchema/reference(_:)`` names.
        public var name: String
        /// The schema.
        public var schema: JSONSchema

        /// A definition from its parts.
        public init(name: String, schema: JSONSchema) {
            self.name = name
            self.schema = schema
        }
    }
}
