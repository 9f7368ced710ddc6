import JSONText

/// The outputs in a snapshot or a change, by name. Generated types read their properties from it.
public struct OutputValues {
    private let reading: JSONReading
    private let members: [String: JSONValue]

    /// Creates the values from a JSON object whose syntax has been checked.
    ///
    /// - Throws: A ``GranaryError/incompatible(_:)`` if the JSON is not an object.
    init(_ json: [UInt8]) throws(GranaryError) {
        let reading = JSONReading(json)
        guard reading.root.kind == .object else { throw .incompatible("expected an object of outputs, got other JSON") }
        self.reading = reading
        members = Dictionary(
            reading.members(of: reading.root).map { ($0.name, JSONValue(bytes: json, range: $0.value)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The names of the outputs.
    public var names: Set<String> { Set(members.keys.filter { $0 != Self.emitted }) }

    /// Returns an output that is always present.
    ///
    /// - Throws: An error if it is missing or of another type.
    public func value<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
        guard let value = members[name] else {
            throw GranaryError.incompatible("expected the output \"\(name)\", got none")
        }
        return try decode(name, value)
    }

    /// Returns an output; nil if it is null or has no value yet.
    ///
    /// - Throws: An error if it is of another type.
    public func optional<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value? {
        guard let value = members[name], value.kind != .null else { return nil }
        return try decode(name, value)
    }

    /// Sets a property to an output, if it is among the changed ones.
    ///
    /// - Throws: An error if it is of another type.
    public func update<Value: Decodable>(_ name: String, _ property: inout Value) throws {
        guard let value = members[name] else { return }
        property = try decode(name, value)
    }

    /// The events that the turn has emitted, in order.
    func events() throws(GranaryError) -> [EmittedEvent] {
        guard let list = members[Self.emitted] else { return [] }
        var events: [EmittedEvent] = []
        for element in list.elements ?? [] {
            guard let output = element.member("output")?.string, let value = element.member("value") else {
                throw .incompatible("expected an emitted event with the members \"output\" and \"value\"")
            }
            events.append(EmittedEvent(output: output, value: value, reading: reading))
        }
        return events
    }

    private func decode<Value: Decodable>(_ name: String, _ value: JSONValue) throws(GranaryError) -> Value {
        do {
            return try reading.decode(Value.self, value, at: nil)
        } catch {
            throw .incompatible("the output \"\(name)\" is not a \(Value.self): \(error)")
        }
    }

    /// The member with the events of a turn. No output can have this name.
    private static let emitted = "$emitted"
}

/// An event that a turn has emitted, before it is read as a type.
public struct EmittedEvent {
    /// The name of the output.
    public let output: String
    let value: JSONValue
    let reading: JSONReading

    /// Returns the value of the event.
    ///
    /// - Throws: An error if it is of another type.
    public func value<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        do {
            return try reading.decode(Value.self, value, at: nil)
        } catch {
            throw GranaryError.incompatible("the event \"\(output)\" is not a \(Value.self): \(error)")
        }
    }
}
