extension JSONSchema {
    /// The schema of what a type reads from JSON, found by letting the type decode itself from a decoder that notes
    /// what is asked for. Optional members are those that the type reads only if they are there; a type that holds
    /// itself becomes a reference into `$defs`; an enumeration with raw values lists them; a `Codable` enumeration with
    /// associated values is an object with one member for each case. A type that refuses every value that the
    /// decoder makes up is ``any``. Takes microseconds to milliseconds: made for registration, not for requests.
    public static func of<T: Decodable>(_ type: T.Type) -> JSONSchema {
        of(encodable: type)
    }

    /// The schema of what a type that may be only `Encodable` writes: as ``of(_:)`` where the type is also `Decodable`,
    /// its shape where it is an optional, an array, a set or a dictionary, ``any`` otherwise. (There is no value to
    /// be looked at, so nothing can be encoded on trial.)
    public static func of(encodable type: any Any.Type) -> JSONSchema {
        let recorder = SchemaRecorder()
        let schema = recorder.schema(of: type)
        return recorder.definitions.isEmpty ? schema : .definitions(schema, recorder.definitions)
    }

    /// The schema of the value or null; a schema that takes null already stays as it is.
    package var orNull: JSONSchema {
        switch self {
        case .null, .any, .optional: self
        default: .optional(self)
        }
    }
}
