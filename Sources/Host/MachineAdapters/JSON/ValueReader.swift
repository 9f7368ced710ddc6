import JSONText
package import MachineHost

/// Decodes values of one type from JSON. Created once, at registration.
package struct ValueReader<Value>: @unchecked Sendable {
    // Sendable: the closure captures only types and schemas.
    package let read: (ArraySlice<UInt8>) throws(InputMismatch) -> Value
    package let schema: JSONSchema

    private init(schema: JSONSchema, read: @escaping (ArraySlice<UInt8>) throws(InputMismatch) -> Value) {
        self.schema = schema
        self.read = read
    }

    /// Creates the reader of a type that is `Decodable` or `Void`. Returns nil for other types.
    package init?() {
        if let nothing = () as? Value {
            self.init(schema: .null) { json throws(InputMismatch) in
                guard json.elementsEqual("null".utf8) else {
                    throw InputMismatch(
                        pointer: "", detail: "expected null or no body, got \(FoundValue.description(of: json))")
                }
                return nothing
            }
        } else if let type = Value.self as? any Decodable.Type, let reader = Self.decoding(type) as? Self {
            self = reader
        } else {
            return nil
        }
    }

    /// Creates the reader of a type that decodes itself.
    init(decoding type: Value.Type) where Value: Decodable {
        if let reader = Self.decoding(type) as? Self {
            self = reader
        } else {
            let schema = JSONSchema.of(type)
            self.init(schema: schema, read: Self.decode(type, schema))
        }
    }

    private static func decoding<T: Decodable>(_ type: T.Type) -> Any {
        let schema = JSONSchema.of(type)
        if let direct = type as? any JSONReadable.Type {
            return self.direct(direct, else: decode(type, schema), schema)
        }
        return ValueReader<T>(schema: schema, read: decode(type, schema))
    }

    private static func direct<T: JSONReadable, U>(
        _ type: T.Type, else decode: @escaping (ArraySlice<UInt8>) throws(InputMismatch) -> U, _ schema: JSONSchema
    ) -> Any {
        ValueReader<U>(schema: schema) { json throws(InputMismatch) in
            if let value = T(json: json), let value = value as? U { return value }
            return try decode(json)
        }
    }

    private static func decode<T: Decodable>(
        _ type: T.Type, _ schema: JSONSchema
    ) -> (ArraySlice<UInt8>) throws(InputMismatch) -> T {
        { json throws(InputMismatch) in
            let reading = JSONReading(Array(json))
            let value: T
            do {
                value = try reading.decode(type, reading.root, at: nil)
            } catch {
                throw InputMismatch(error, in: reading, schema: schema)
            }
            if let unknown = InputMismatch(unknownMembersIn: reading, schema: schema) { throw unknown }
            return value
        }
    }
}
