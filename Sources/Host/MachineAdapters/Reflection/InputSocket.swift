import MachineHost

/// The position and type of an input's property, the same for every machine of a definition.
struct InputSocket: Sendable {
    let name: String
    /// The index among the stored properties of the machine's input.
    let position: Int
    /// The type of the property's value at registration.
    let type: any Any.Type

    /// Returns the property value to which a new machine's input sends. Throws if its type differs from the registered
    /// one, because values would be lost.
    func value(in properties: [ReflectedProperty], of input: Any) throws(ShapeChanged) -> Any {
        guard properties.indices.contains(position), properties[position].name == name else {
            throw ShapeChanged(type: Swift.type(of: input), port: "input \"\(name)\"", expected: type, found: nil)
        }
        let value = properties[position].value
        guard fits(value) else {
            throw ShapeChanged(
                type: Swift.type(of: input), port: "input \"\(name)\"", expected: type, found: Swift.type(of: value))
        }
        return value
    }

    private func fits(_ value: Any) -> Bool {
        if ObjectIdentifier(Swift.type(of: value)) == ObjectIdentifier(type) { return true }
        // An object of a subclass accepts the values that its superclass accepts.
        func isOne<Port>(_ type: Port.Type) -> Bool { value is Port }
        return _openExistential(type, do: isOne)
    }
}

/// Thrown when a factory creates a machine whose properties differ from those at registration.
struct ShapeChanged: LoggableError, CustomStringConvertible {
    /// The type that has the property.
    let type: any Any.Type
    /// The input or output, with its kind: `input "increment"`.
    let port: String
    let expected: any Any.Type
    /// The type that was found; nil if the property does not exist.
    let found: (any Any.Type)?

    var description: String {
        "\(type) differs from its registration: expected the \(port) of type \(expected), got "
            + (found.map { "\($0)" } ?? "no such property")
    }
}
