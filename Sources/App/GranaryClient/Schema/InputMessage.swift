import JSONText

/// One input, ready to be sent: its name and its value.
public struct InputMessage: Sendable {
    /// The name of the input.
    public let name: String
    private let write: @Sendable (inout [UInt8]) throws -> Void

    /// Creates an input without a value.
    public init(_ name: String) {
        self.name = name
        write = { $0.append(contentsOf: "null".utf8) }
    }

    /// Creates an input with a value.
    public init<Value: Encodable & Sendable>(_ name: String, _ value: Value) {
        self.name = name
        write = { try JSONStream.append(value, to: &$0) }
    }

    /// Returns the value as JSON; `null` for an input without a value.
    ///
    /// - Throws: A ``GranaryError/invalidValue(_:)`` if the value has no JSON form, such as an infinite number.
    func json() throws(GranaryError) -> [UInt8] {
        do {
            var json: [UInt8] = []
            try write(&json)
            return json
        } catch {
            throw .invalidValue("the input \"\(name)\" cannot be written as JSON: \(error)")
        }
    }
}
