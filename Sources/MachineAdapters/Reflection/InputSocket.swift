import MachineHost

/// Where an input of a machine is, and of which type: the same for every machine of a definition.
struct InputSocket: Sendable {
    let name: String
    /// Its place among the stored properties of the machine's input.
    let position: Int
    /// The type that the property's value had when the machine was registered.
    let type: any Any.Type

    /// The value that the input of a new machine sends to. Throws if it is not what was registered: values would be lost.
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
        // An object of a subclass takes what one of its superclass takes.
        func isOne<Port>(_ type: Port.Type) -> Bool { value is Port }
        return _openExistential(type, do: isOne)
    }
}

/// A machine's factory made a machine that does not look like the one that was registered.
struct ShapeChanged: LoggableError, CustomStringConvertible {
    /// The type that has the property.
    let type: any Any.Type
    /// The input or output, with its kind: `input "increment"`.
    let port: String
    let expected: any Any.Type
    /// Nil if it does not exist.
    let found: (any Any.Type)?

    var description: String {
        "\(type) is not as it was registered: expected the \(port) of type \(expected), got "
            + (found.map { "\($0)" } ?? "no such property")
    }
}
