import JSONText
package import MachineHost

/// Encodes values of one type as JSON. Created once, at registration.
package struct ValueWriter<Value>: @unchecked Sendable {
    // Sendable: the closure captures only types.
    private let write: (Value, inout [UInt8], Int32) throws -> Void

    init(write: @escaping (_ value: Value, _ json: inout [UInt8], _ limit: Int32) throws -> Void) {
        self.write = write
    }

    /// Appends the value's JSON. Throws ``OutputTooLarge`` as soon as the JSON is certain to exceed the limit;
    /// otherwise the host checks the size afterwards.
    package func append(_ value: Value, _ json: inout [UInt8], limit: Int32 = .max) throws {
        try write(value, &json, limit)
    }

    /// Creates the writer of a type that is `Encodable` or `Void`. Returns nil for other types.
    init?() {
        if Value.self == Void.self {
            self.init { _, json, _ in json.append(contentsOf: "null".utf8) }
        } else if let type = Value.self as? any JSONWritable.Type, let writer = Self.direct(type) as? Self {
            self = writer
        } else if let type = Value.self as? any Encodable.Type, let writer = Self.encoding(type) as? Self {
            self = writer
        } else {
            return nil
        }
    }

    private static func direct<T: JSONWritable>(_ type: T.Type) -> Any {
        ValueWriter<T> { value, json, limit in
            guard value.minimumByteCount <= limit else { throw OutputTooLarge(limit: Int(limit)) }
            try value.append(to: &json)
        }
    }

    private static func encoding<T: Encodable>(_ type: T.Type) -> Any {
        ValueWriter<T> { value, json, limit in
            try OutputTooLarge.check { try JSONStream.append(value, to: &json, limit: Int(limit)) }
        }
    }
}

extension OutputTooLarge {
    /// Runs an encoding, and reports a JSON text over its limit as the host's error.
    package static func check(_ encode: () throws -> Void) throws {
        do {
            try encode()
        } catch let error as JSONSizeExceeded {
            throw OutputTooLarge(limit: error.limit)
        }
    }
}
