/// What is looked at of a machine: the objects or values that hold its inputs and its outputs.
struct MachineParts {
    let input: Any
    let output: Any
    /// Whether the output is the machine's store: then its plain stored properties are the machine's own business.
    var isOutputStore = false
}
