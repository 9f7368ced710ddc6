public import MachineHost

extension ParametersDefinition {
    /// Creates the definition of parameters that a type decodes.
    ///
    /// The schema is that of the type: members that it reads only if present are optional, and unknown members are rejected.
    public init<Parameters: Decodable & Sendable>(_ type: Parameters.Type) {
        let reader = ValueReader<Parameters>(decoding: type)
        self.init(schema: reader.schema) { json throws(InputMismatch) in try reader.read(json) }
    }
}

/// The parameters that a registration names, and the factory that receives them.
package struct TypedParameters<Parameters: Decodable & Sendable>: Sendable {
    let definition: ParametersDefinition
    private let sample: Parameters

    /// Creates the parameters of a registration.
    ///
    /// - Parameter sample: The parameters of the machine that is inspected at registration; nil for those of which the type accepts
    ///   empty or short values.
    package init(
        _ type: Parameters.Type, sample: Parameters?, machine: String
    ) throws(MachineRegistrationError) {
        definition = ParametersDefinition(type)
        guard let sample = sample ?? JSONSchema.sample(of: type) else {
            throw MachineRegistrationError(
                machine: machine,
                detail:
                    "its parameters, of type \(type), accept no sample value: pass one as sample, for the machine that "
                    + "is inspected at registration")
        }
        self.sample = sample
    }

    /// Returns a factory that receives the parameters of its session.
    package func factory<Machine>(
        _ make: @escaping @Sendable (SessionContext, Parameters) throws -> Machine
    ) -> @Sendable (SessionContext) throws -> Machine {
        { [sample] context in
            let usesSample = context.isInspected && !context.hasParameters
            return try make(context, usesSample ? sample : context.parameters(as: Parameters.self))
        }
    }

    package func add(to machine: MachineDefinition) -> MachineDefinition {
        var machine = machine
        machine.parameters = definition
        return machine
    }
}
