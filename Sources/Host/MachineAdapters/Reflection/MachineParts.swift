package import StateCapture

/// The objects or values that hold a machine's inputs and outputs.
package struct MachineParts {
    let input: Any
    let output: Any
    /// Whether the output is the machine's store, whose plain stored properties are private to the machine.
    package let isOutputStore: Bool
    /// The machine and its store, as far as they act after a restore.
    package let resumables: [any Resumable]

    package init(input: Any, output: Any, isOutputStore: Bool = false, resumables: [any Resumable]) {
        self.input = input
        self.output = output
        self.isOutputStore = isOutputStore
        self.resumables = resumables
    }
}
