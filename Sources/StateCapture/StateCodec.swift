import JSONText

/// Encodes and decodes the values of one type, of which only the runtime knows how they are stored.
package struct StateCodec<Value> {
    /// Appends the JSON of a value.
    package let encode: (Value, inout [UInt8]) throws -> Void
    /// Returns the value of a JSON text.
    package let decode: (ArraySlice<UInt8>) throws -> Value

    /// Creates a codec of two closures.
    package init(
        encode: @escaping (Value, inout [UInt8]) throws -> Void, decode: @escaping (ArraySlice<UInt8>) throws -> Value
    ) {
        self.encode = encode
        self.decode = decode
    }

    /// Creates the codec of a type that is `Codable`. Returns nil for other types.
    init?() {
        guard let type = Value.self as? any Codable.Type, let codec = Self.codec(type) as? Self else { return nil }
        self = codec
    }

    private static func codec<Coded: Codable>(_ type: Coded.Type) -> Any {
        StateCodec<Coded> { value, json in
            try JSONStream.append(value, to: &json)
        } decode: { json in
            let reading = JSONReading(Array(json))
            return try reading.decode(Coded.self, reading.root, at: nil)
        }
    }
}

/// Thrown when stored JSON does not have the form of the type that is restored.
package struct StateFormMismatch: Error, CustomStringConvertible {
    let expected: String

    /// Creates an error.
    package init(expected: String) {
        self.expected = expected
    }

    /// The error as a clause.
    package var description: String { "expected stored state in the form of \(expected), got another form" }
}
