import JSONText
import StateCapture

/// The JSON of questions and answers.
enum EffectJSON {
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        var json: [UInt8] = []
        try JSONStream.append(value, to: &json, nonFinite: .bits)
        return json
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from json: ArraySlice<UInt8>) throws -> Value {
        let bytes = Array(json)
        // What is stored may come from somebody else, and decoding expects valid syntax.
        _ = try JSONScanner.document(bytes, nestingLimit: StateValue.nestingLimit)
        let reading = JSONReading(bytes, nonFinite: .bits)
        return try reading.decode(type, reading.root, at: nil)
    }

    /// Returns an error as JSON, or the name of its type if the error cannot be encoded.
    // Not its description, which may contain what only the machine may see.
    static func describe(_ error: any Error) -> [UInt8] {
        if let error = error as? any Encodable, let json = try? encode(error) { return json }
        var json: [UInt8] = []
        JSONWriter.append(String(reflecting: type(of: error)), to: &json)
        return json
    }
}
