import JSONText
import Locking
import Synchronization

/// Encodes and decodes the values of one type, of which only the runtime knows how they are stored.
package final class StateCodec<Value> {
    /// Appends the JSON of a value.
    package let encode: (Value, inout [UInt8]) throws -> Void
    /// Returns the value of a JSON text.
    package let decode: (ArraySlice<UInt8>) throws -> Value

    /// Whether the bytes of a value, of which a copy is kept, show whether it has changed.
    // Found when it is first asked for: the codecs inside another one are not asked.
    var comparesBytes: Bool {
        switch comparison.atomic.load(ordering: .relaxed) {
        case 0: false
        case 1: true
        default: findComparison()
        }
    }

    /// 0 or 1 for ``comparesBytes``; 2 if it has not been found yet.
    private let comparison = AtomicProperty<UInt8>(2)

    private func findComparison() -> Bool {
        let isSound = StateComparison.isSound(for: Value.self)
        comparison.atomic.store(isSound ? 1 : 0, ordering: .relaxed)
        return isSound
    }

    /// Returns a codec of its own for a type that is `Codable` or a tuple of such types; nil for other types.
    static func ofCodable() -> StateCodec? {
        guard StateTypes.isCodable(Value.self) else { return nil }
        if let type = Value.self as? any Codable.Type, let codec = codec(type) as? StateCodec {
            guard let encoder = StateEncoder<Value>() else { return codec }
            return StateCodec(encode: encoder.append, decode: codec.decode)
        }
        let encoder = StateEncoder<StoredValue<Value>>()
        return StateCodec { value, json in
            if let encoder { return try encoder.append(StoredValue(value), &json) }
            try append(StoredValue(value), to: &json)
        } decode: { json in
            try read(StoredValue<Value>.self, from: json).value
        }
    }

    /// Returns the value of a stored text. What the value creates belongs to it, and not to the machine that is being wired.
    package func restore(_ json: ArraySlice<UInt8>) throws -> Value {
        // Somebody else may have stored it, and what decodes expects valid syntax of a limited depth.
        let bytes = Array(json)
        guard let range = try? JSONScanner.document(bytes, nestingLimit: StateValue.nestingLimit),
            range == bytes.indices
        else { throw StateFormMismatch(expected: "JSON") }
        return try StateRegistry.withoutRegistry { try decode(bytes[...]) }
    }

    /// Creates a codec of two closures.
    package init(
        encode: @escaping (Value, inout [UInt8]) throws -> Void, decode: @escaping (ArraySlice<UInt8>) throws -> Value
    ) {
        self.encode = encode
        self.decode = decode
    }

    /// Appends a state, so that it can be restored.
    ///
    /// - Throws: The error of the codec, or ``StateTooDeep``.
    func appendState(_ state: Value, to json: inout [UInt8]) throws {
        let start = json.count
        try encode(state, &json)
        // A shorter text cannot have as many levels.
        guard json.count - start >= 2 * StateTooDeep.limit else { return }
        guard StateTooDeep.levels(of: json[start...]) <= StateTooDeep.limit else { throw StateTooDeep() }
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

/// Thrown for a state that is nested deeper than a restored session may be.
struct StateTooDeep: Error, CustomStringConvertible {
    /// The maximum depth of a state. Arrays surround it in a record.
    static let limit = StateValue.nestingLimit - 2

    /// The error as a clause.
    var description: String { "expected a state of at most \(StateTooDeep.limit) levels of JSON, got more" }

    /// Returns the depth of valid JSON.
    static func levels(of json: ArraySlice<UInt8>) -> Int {
        json.withUnsafeBufferPointer { json in
            var (level, deepest) = (0, 0)
            var isInString = false
            var index = 0
            while index < json.count {
                switch json[index] {
                case UInt8(ascii: "\""): isInString.toggle()
                // The escaped character may be a quotation mark.
                case UInt8(ascii: "\\"): index += 1
                case UInt8(ascii: "["), UInt8(ascii: "{"):
                    if isInString { break }
                    level += 1
                    deepest = max(deepest, level)
                case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isInString { level -= 1 }
                default: break
                }
                index += 1
            }
            return deepest
        }
    }
}
