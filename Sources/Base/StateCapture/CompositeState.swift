import JSONText

/// A type whose values consist of values of other types, and which is captured by them where it is not `Codable` itself.
package protocol CompositeState: TypeRole {
    /// Returns the codec of the type; nil if its elements cannot be captured.
    static func stateCodec(_ reading: inout CodecReading, at path: String) -> StateCodec<Self>?
}

/// A structure that is captured by its fields although it is `Codable`, because its coded form, which clients see, leaves out a part of
/// its state.
package protocol CapturedByFields: TypeRole {}

extension StateCodec {
    /// Returns the codec of a collection that is stored as an array of its elements.
    package static func elements<Element>(
        _ element: StateCodec<Element>, of elements: @escaping (Value) -> some Sequence<Element>,
        make: @escaping ([Element]) -> Value
    ) -> StateCodec {
        StateCodec { value, json in
            json.append(UInt8(ascii: "["))
            var isFirst = true
            for item in elements(value) {
                if !isFirst { json.append(UInt8(ascii: ",")) }
                isFirst = false
                try element.encode(item, &json)
            }
            json.append(UInt8(ascii: "]"))
        } decode: { json in
            let reading = JSONReading(Array(json))
            guard let items = reading.root.elements else { throw StateFormMismatch(expected: "an array") }
            return make(try items.map { try element.decode($0.slice) })
        }
    }
}

/// The JSON of a value inside a state whose own type does not depend on that of the value. A codec for each type of value would be read
/// from the metadata of types that exist only for it.
package struct EncodedState {
    private let json: [UInt8]

    /// Encodes a value.
    ///
    /// - Throws: The error of the codec.
    package init<Value>(_ value: Value, _ codec: StateCodec<Value>) throws {
        var json: [UInt8] = []
        try codec.encode(value, &json)
        self.json = json
    }

    private init(json: [UInt8]) {
        self.json = json
    }

    /// Returns the value.
    ///
    /// - Throws: The error of the codec.
    package func decoded<Value>(by codec: StateCodec<Value>) throws -> Value { try codec.decode(json[...]) }
}

extension EncodedState: CompositeState {
    /// Returns a codec that copies the JSON.
    package static func stateCodec(_ reading: inout CodecReading, at path: String) -> StateCodec<Self>? {
        StateCodec {
            $1 += $0.json
        } decode: {
            EncodedState(json: Array($0))
        }
    }
}

extension Optional: CompositeState {
    package static func stateCodec(_ reading: inout CodecReading, at path: String) -> StateCodec<Self>? {
        // An array with one element or none, because the value may itself be stored as `null`.
        reading.codec(of: Wrapped.self, at: path).map { wrapped in
            .elements(wrapped, of: { $0.map { [$0] } ?? [] }, make: { $0.first })
        }
    }
}

extension Array: CompositeState {
    package static func stateCodec(_ reading: inout CodecReading, at path: String) -> StateCodec<Self>? {
        reading.codec(of: Element.self, at: path).map { .elements($0, of: { $0 }, make: { $0 }) }
    }
}

extension Set: CompositeState {
    package static func stateCodec(_ reading: inout CodecReading, at path: String) -> StateCodec<Self>? {
        reading.codec(of: Element.self, at: path).map { .elements($0, of: { $0 }, make: { Set($0) }) }
    }
}

extension Dictionary: CompositeState {
    package static func stateCodec(_ reading: inout CodecReading, at path: String) -> StateCodec<Self>? {
        let key = reading.codec(of: Key.self, at: path)
        guard let value = reading.codec(of: Value.self, at: path), let key else { return nil }
        let entry = StateCodec<(key: Key, value: Value)> { entry, json in
            json.append(UInt8(ascii: "["))
            try key.encode(entry.key, &json)
            json.append(UInt8(ascii: ","))
            try value.encode(entry.value, &json)
            json.append(UInt8(ascii: "]"))
        } decode: { json in
            let items = JSONReading(Array(json)).root.elements ?? []
            guard items.count == 2 else { throw StateFormMismatch(expected: "a key with its value") }
            return (try key.decode(items[0].slice), try value.decode(items[1].slice))
        }
        return .elements(entry, of: { $0 }) { entries in
            Dictionary(entries.map { ($0.key, $0.value) }) { $1 }
        }
    }
}
