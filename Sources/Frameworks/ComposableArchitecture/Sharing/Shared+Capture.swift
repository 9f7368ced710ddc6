package import StateCapture

extension Shared: CompositeState {
    /// Returns the codec of a property; nil if its value cannot be captured.
    ///
    /// A property is stored with its value, and with the key or the number by which properties that share it are found again.
    package static func stateCodec(_ reading: inout CodecReading, at path: String) -> StateCodec<Self>? {
        guard let named = reading.codec(of: NamedShared<Value>.self, at: path),
            let numbered = reading.codec(of: NumberedShared<Value>.self, at: path)
        else { return nil }
        return StateCodec { shared, json in
            guard shared.box.isWhole else { throw PartOfShared(type: "\(Value.self)") }
            let (root, value) = (shared.box.root, shared.box.value)
            guard let name = root.name else {
                return try numbered.encode(NumberedShared(number: root.number, value: value), &json)
            }
            try named.encode(NamedShared(key: name, value: value), &json)
        } decode: { json in
            if let stored = try? named.decode(json) {
                return Shared(
                    box: SharedBox(whole: InMemoryStorage.current.root(named: stored.key, restoring: stored.value)))
            }
            let stored = try numbered.decode(json)
            return Shared(
                box: SharedBox(whole: InMemoryStorage.current.root(numbered: stored.number, restoring: stored.value)))
        }
    }
}

extension SharedReader: CompositeState {
    /// Returns the codec of a property, which is stored like one that can also change the value; nil if its value cannot be captured.
    package static func stateCodec(_ reading: inout CodecReading, at path: String) -> StateCodec<Self>? {
        Shared<Value>.stateCodec(&reading, at: path).map { codec in
            StateCodec { reader, json in
                try codec.encode(Shared(box: reader.box), &json)
            } decode: { json in
                SharedReader(try codec.decode(json))
            }
        }
    }
}

private struct NamedShared<Value> {
    let key: String
    let value: Value
}

private struct NumberedShared<Value> {
    let number: Int
    let value: Value
}

/// Thrown for a property of a member of a shared value, which a restored session could not find again.
struct PartOfShared: Error, CustomStringConvertible {
    let type: String

    var description: String {
        "expected a property of a whole shared value, got one of a member (\(type)): give the child the whole value, or list the "
            + "property in transient"
    }
}
