import MachineAdapters
import MachineHost
import Ricemill
import StateCapture

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
        let store = (machine as? any SelfCapturing)?.capturedStore
        self.init(
            input: machine.input.base, output: machine.output.base, isOutputStore: machine.output.base is any StoreType,
            resumables: [machine as AnyObject, store].compactMap { $0 as? any Resumable })
    }

    /// Creates the parts of a machine, and registers the members of a machine that does not do so itself: a class of its
    /// own with an input and an output, which wires itself.
    ///
    /// Its members are put back after it was wired. Nothing has been sent until then, because sources send no values to a
    /// machine that is restored.
    init<M: MachineType>(capturing machine: M) {
        self.init(of: machine)
        guard !(machine is any SelfCapturing) else { return }
        CapturedParts.register(machine, named: "machine")
        CapturedParts.register(input: machine.input.base, of: machine)
        CapturedParts.register(output: machine.output.base, of: machine)
    }
}
