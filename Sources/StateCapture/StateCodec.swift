import JSONText

/// Encodes and decodes the values of one type, of which only the runtime knows that it is `Codable`.
struct StateCodec<Value> {
    let encode: (Value, inout [UInt8]) throws -> Void
    let decode: (ArraySlice<UInt8>) throws -> Value

    /// Returns nil if the type is not `Codable`.
    init?() {
        guard let type = Value.self as? any Codable.Type, let codec = Self.codec(type) as? Self else { return nil }
        self = codec
    }

    private init(
        encode: @escaping (Value, inout [UInt8]) throws -> Void, decode: @escaping (ArraySlice<UInt8>) throws -> Value
    ) {
        self.encode = encode
        self.decode = decode
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
