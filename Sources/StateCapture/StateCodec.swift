import JSONText

/// Encodes and decodes the values of one type, of which only the runtime knows that it is `Codable`.
struct StateCodec<Value> {
    let encode: (Value, inout [UInt8]) throws -> Void
    let decode: (ArraySlice<UInt8>) throws -> Value

    /// Returns nil if the type is neither `Codable` nor a tuple of such types.
    init?() {
        if let type = Value.self as? any Codable.Type, let codec = Self.codec(type) as? Self {
            self = codec
        } else if StateTypes.isCodable(Value.self) {
            self.init { value, json in
                try Self.append(StoredValue(value), to: &json)
            } decode: { json in
                try Self.read(StoredValue<Value>.self, from: json).value
            }
        } else {
            return nil
        }
    }

    private init(
        encode: @escaping (Value, inout [UInt8]) throws -> Void, decode: @escaping (ArraySlice<UInt8>) throws -> Value
    ) {
        self.encode = encode
        self.decode = decode
    }

    private static func codec<Coded: Codable>(_ type: Coded.Type) -> Any {
        StateCodec<Coded> { value, json in
            try append(value, to: &json)
        } decode: { json in
            try read(Coded.self, from: json)
        }
    }

    private static func append<Coded: Encodable>(_ value: Coded, to json: inout [UInt8]) throws {
        // A capture must not fail because of a NaN in a member, which JSON cannot represent as a number.
        try JSONStream.append(value, to: &json, nonFinite: .bits)
    }

    private static func read<Coded: Decodable>(_ type: Coded.Type, from json: ArraySlice<UInt8>) throws -> Coded {
        let reading = JSONReading(Array(json), nonFinite: .bits)
        return try reading.decode(Coded.self, reading.root, at: nil)
    }
}
