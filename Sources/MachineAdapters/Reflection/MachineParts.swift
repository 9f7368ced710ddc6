import StateCapture

/// The objects or values that hold a machine's inputs and outputs.
struct MachineParts {
    let input: Any
    let output: Any
    /// Whether the output is the machine's store, whose plain stored properties are private to the machine.
    var isOutputStore = false
    /// The machine and its store, as far as they act after a restore.
    var resumables: [any Resumable] = []
}
