import MachineHost
import Ricemill

extension MachineShape {
    /// Inspects a Ricemill machine. Throws if it cannot be hosted.
    init<M: MachineType>(
        of machine: M, named name: String, options: OutputOptions
    ) throws(MachineRegistrationError) {
        if let defect = machine.output.defect {
            throw MachineRegistrationError(machine: name, detail: defect.description)
        }
        let isBindable = machine.input.base is any BindableInputType
        try self.init(
            of: MachineParts(of: machine), named: name, options: options,
            findInput: { property, position, index throws(MachineRegistrationError) in
                try InputPort(property, position: position, index: index, isBindable: isBindable, machine: name)
            },
            findOutput: { property, requested throws(MachineRegistrationError) in
                try OutputShape(property, requested, machine: name)
            })
    }
}

extension MachineParts {
    init<M: MachineType>(of machine: M) {
        self.init(
            input: machine.input.base, output: machine.output.base, isOutputStore: machine.output.base is any StoreType)
    }
}
