/// The objects or values that hold a machine's inputs and outputs.
struct MachineParts {
    let input: Any
    let output: Any
    /// Whether the output is the machine's store, whose plain stored properties are private to the machine.
    var isOutputStore = false
}
