/// What is looked at of a machine: the objects or values that hold its inputs and its outputs.
struct MachineParts {
    let input: Any
    let output: Any
}
