import CombineCore
package import MachineHost

/// An input of a machine, found once at registration.
package struct InputPort {
    let definition: InputDefinition
    let socket: InputSocket

    package init(_ port: (definition: InputDefinition, type: any Any.Type), named name: String, position: Int) {
        definition = port.definition
        socket = InputSocket(name: name, position: position, type: port.type)
    }

    /// Creates the input for a stored property; nil if the property is not an input. `index` is its index among the
    /// inputs.
    package init?(
        _ property: ReflectedProperty, position: Int, index: Int, isBindable: Bool, machine: String
    ) throws(MachineRegistrationError) {
        let name = property.name
        if let subject = property.value as? any Subject {
            self.init(try Self.subject(subject, name, index, machine), named: name, position: position)
        } else if isBindable, let published = property.value as? any ReflectedPublished {
            self.init(try Self.published(published, name, index, machine), named: name, position: position)
        } else {
            return nil
        }
    }

    private static func subject<S: Subject>(
        _ subject: S, _ name: String, _ index: Int, _ machine: String
    ) throws(MachineRegistrationError) -> (InputDefinition, any Any.Type) {
        try definition(name, index, machine) { (value: S.Output, port: S) in port.send(value) }
    }

    private static func published<P: ReflectedPublished>(
        _ published: P, _ name: String, _ index: Int, _ machine: String
    ) throws(MachineRegistrationError) -> (InputDefinition, any Any.Type) {
        try definition(name, index, machine) { (value: P.Value, port: P) in port.wrappedValue = value }
    }

    /// Returns the definition of an input whose values a closure sends to a stored property, and the type of that
    /// property. Throws if the values cannot be decoded.
    package static func definition<Value, Port>(
        _ name: String, _ index: Int, _ machine: String, send: @escaping (Value, Port) -> Void
    ) throws(MachineRegistrationError) -> (InputDefinition, any Any.Type) {
        guard let reader = ValueReader<Value>() else {
            throw MachineRegistrationError(
                machine: machine,
                detail: "the values of its input \"\(name)\", of type \(Value.self), cannot be read from JSON: "
                    + "\(Value.self) must be Decodable")
        }
        let sender = Sender(index) { (value: Value, port: Any) in
            guard let port = port as? Port else {
                preconditionFailure("expected a \(Port.self) as the input \"\(name)\", got a \(type(of: port))")
            }
            send(value, port)
        }
        let definition = InputDefinition(name: name, schema: reader.schema) { json throws(InputMismatch) in
            sender.prepared(try reader.read(json))
        }
        return (definition, Port.self)
    }

    // Sendable: the closures capture only types, and a value of type `Void`.
    private struct Sender<Value>: @unchecked Sendable {
        private let index: Int
        private let send: (Value, Any) -> Void
        /// The input, if it has no value: prepared once, instead of with an allocation for each request.
        private let constant: PreparedInput?

        init(_ index: Int, _ send: @escaping (Value, Any) -> Void) {
            (self.index, self.send) = (index, send)
            let nothing = Value.self == Void.self ? () as? Value : nil
            constant = nothing.map { Sender.prepared($0, send, index) }
        }

        func prepared(_ value: Value) -> PreparedInput { constant ?? Sender.prepared(value, send, index) }

        private static func prepared(
            _ value: Value, _ send: @escaping (Value, Any) -> Void, _ index: Int
        ) -> PreparedInput {
            PreparedInput { machine in
                guard let machine = machine as? AdaptedMachine else {
                    preconditionFailure("an input was prepared for an adapted machine, run on a \(type(of: machine))")
                }
                machine.withInput(index) { send(value, $0) }
            }
        }
    }
}
