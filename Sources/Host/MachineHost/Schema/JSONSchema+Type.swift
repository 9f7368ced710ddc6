extension JSONSchema {
    /// Returns the schema of the JSON that a type decodes.
    ///
    /// The type decodes itself from a decoder that records the requests. Members that the type reads only if present
    /// are optional; a recursive type becomes a reference into `$defs`; an enumeration with raw values lists them; a
    /// `Codable` enumeration with associated values becomes an object with one member per case. A type that rejects all
    /// sample values of the decoder becomes ``any``. Takes microseconds to milliseconds, so use it at registration, not
    /// for requests.
    public static func of<T: Decodable>(_ type: T.Type) -> JSONSchema {
        of(encodable: type)
    }

    /// Returns a value of a type, made of the samples with which its schema is found; nil if the type rejects all of them.
    package static func sample<T: Decodable>(of type: T.Type) -> T? {
        let recorder = SchemaRecorder()
        _ = recorder.schema(of: type)
        return try? recorder.value(of: type)
    }

    /// Returns the schema of the JSON that a type encodes. For a type that is also `Decodable`, this is the same as
    /// ``of(_:)``. Otherwise optionals, arrays, sets, dictionaries and ``JSONDescribed`` types are described by their shape, and all
    /// other types are ``any``, as there is no value that could be encoded.
    public static func of(encodable type: any Any.Type) -> JSONSchema {
        let recorder = SchemaRecorder()
        let schema = recorder.schema(of: type)
        return recorder.definitions.isEmpty ? schema : .definitions(schema, recorder.definitions)
    }

    /// The schema without the name of its type.
    package var unnamed: JSONSchema {
        if case .named(_, let schema) = self { schema } else { self }
    }

    /// The schema extended by `null`; unchanged if it already accepts null.
    package var orNull: JSONSchema {
        switch self {
        case .null, .any, .optional: self
        default: .optional(self)
        }
    }
}
