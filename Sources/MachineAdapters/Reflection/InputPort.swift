import CombineCore
import MachineHost

/// An input of a machine, found once, when the machine is registered.
struct InputPort {
    let definition: InputDefinition
    /// Its place among the stored properties of the machine's input.
    let position: Int

    init(_ definition: InputDefinition, position: Int) {
        self.definition = definition
        self.position = position
    }

    /// The input that a stored property is; nil for a property that is none. `index` is its place among the inputs.
    init?(
        _ property: ReflectedProperty, position: Int, index: Int, isBindable: Bool, machine: String
    ) throws(MachineRegistrationError) {
        if let subject = property.value as? any Subject {
            definition = try Self.subject(subject, property.name, index, machine)
        } else if isBindable, let published = property.value as? any ReflectedPublished {
            definition = try Self.published(published, property.name, index, machine)
        } else {
            return nil
        }
        self.position = position
    }

    private static func subject<S: Subject>(
        _ subject: S, _ name: String, _ index: Int, _ machine: String
    ) throws(MachineRegistrationError) -> InputDefinition {
        try definition(name, index, machine) { (value: S.Output, port: Any) in
            (port as? S)?.send(value)
        }
    }

    private static func published<P: ReflectedPublished>(
        _ published: P, _ name: String, _ index: Int, _ machine: String
    ) throws(MachineRegistrationError) -> InputDefinition {
        try definition(name, index, machine) { (value: P.Value, port: Any) in
            (port as? P)?.wrappedValue = value
        }
    }

    /// The input whose values are sent to a stored property of the machine's input by the closure. Throws if they cannot
    /// be read.
    static func definition<Value>(
        _ name: String, _ index: Int, _ machine: String, send: @escaping (Value, Any) -> Void
    ) throws(MachineRegistrationError) -> InputDefinition {
        guard let reader = ValueReader<Value>() else {
            throw MachineRegistrationError(
                machine: machine,
                detail: "the values of its input \"\(name)\", of type \(Value.self), cannot be read from JSON: "
                    + "\(Value.self) has to be Decodable")
        }
        let sender = Sender(send: send)
        return InputDefinition(name: name, schema: reader.schema) { json throws(InputMismatch) in
            let value = try reader.read(json)
            return PreparedInput { machine in
                guard let machine = machine as? AdaptedMachine else {
                    preconditionFailure("an input was prepared for an adapted machine, run on a \(type(of: machine))")
                }
                machine.withInput(index) { sender.send(value, $0) }
            }
        }
    }

    /// Sendable because the closure captures nothing but types.
    private struct Sender<Value>: @unchecked Sendable {
        let send: (Value, Any) -> Void
    }
}
