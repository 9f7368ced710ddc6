/// Writes values of one type as JSON. Found once, when a machine is registered.
struct ValueWriter<Value>: @unchecked Sendable {
    // Sendable because the closure captures nothing but types.
    let append: (Value, inout [UInt8]) throws -> Void

    init(append: @escaping (Value, inout [UInt8]) throws -> Void) {
        self.append = append
    }

    /// The writer of a type that is `Encodable`, or that has no value to write; nil for any other.
    init?() {
        if Value.self == Void.self {
            self.init { _, json in json.append(contentsOf: "null".utf8) }
        } else if let type = Value.self as? any DirectlyWritten.Type, let writer = Self.direct(type) as? Self {
            self = writer
        } else if let type = Value.self as? any Encodable.Type, let writer = Self.encoding(type) as? Self {
            self = writer
        } else {
            return nil
        }
    }

    private static func direct<T: DirectlyWritten>(_ type: T.Type) -> Any {
        ValueWriter<T> { value, json in try value.append(to: &json) }
    }

    private static func encoding<T: Encodable>(_ type: T.Type) -> Any {
        ValueWriter<T> { value, json in try JSONStream.append(value, to: &json) }
    }
}
