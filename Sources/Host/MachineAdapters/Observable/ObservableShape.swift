import MachineHost

/// The inputs and outputs of an observable class, as its registration lists them.
struct ObservableShape<Root: AnyObject>: Sendable {
    let inputs: [InputDefinition]
    let ports: [ObservableOutput<Root>]
    /// Whether an input is asynchronous.
    let hasTasks: Bool
    /// The response to an error of a method.
    let rejection: (@Sendable (any Error) -> InputRejection)?

    init(
        _ outputs: [ObservableOutput<Root>], _ inputs: [ObservableInput<Root>],
        rejecting rejection: (@Sendable (any Error) -> InputRejection)?, named machine: String
    ) throws(MachineRegistrationError) {
        if rejection == nil, let input = inputs.first(where: \.canThrow) {
            throw MachineRegistrationError(
                machine: machine,
                detail: "its input \"\(input.name)\" throws: state the response to errors (rejecting:)")
        }
        if let output = outputs.first(where: { $0.unwritable != nil }), let type = output.unwritable {
            throw MachineRegistrationError(
                machine: machine,
                detail: "the values of its output \"\(output.name)\", of type \(type), cannot be written as JSON: "
                    + "\(type) must be Encodable")
        }
        try MachineShape.checkNames(inputs.map(\.name), of: "input", machine: machine)
        try MachineShape.checkNames(outputs.map(\.name), of: "output", machine: machine)
        self.inputs = inputs.map { input in
            InputDefinition(name: input.name, schema: input.schema) { json throws(InputMismatch) in
                let run = try input.prepare(json)
                return PreparedInput { machine throws(InputRefusal) in
                    guard let machine = machine as? ObservableMachine<Root> else {
                        preconditionFailure(
                            "an input was prepared for an observable machine, run on a \(type(of: machine))")
                    }
                    try machine.run(run)
                }
            }
        }
        ports = outputs
        hasTasks = inputs.contains(where: \.isAsynchronous)
        self.rejection = rejection
    }

    var outputs: [OutputDefinition] {
        ports.map {
            OutputDefinition(name: $0.name, schema: $0.schema, kind: $0.kind, isAlwaysPresent: $0.kind == .value)
        }
    }
}
