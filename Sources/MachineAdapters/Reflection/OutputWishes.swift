import MachineHost

/// The options of a registration for outputs, by name.
struct OutputWishes {
    /// The listed outputs; nil for those that reflection finds.
    var listed: [ListedPort]?
    var events: Set<String> = []
    var values: Set<String> = []
    var hidden: Set<String> = []

    subscript(name: String) -> OutputWish {
        events.contains(name) ? .event : values.contains(name) ? .value : .none
    }

    /// Throws if a name does not exist or has contradicting options.
    func check(
        properties: Set<String>, outputs: Set<String>, machine: String
    ) throws(MachineRegistrationError) {
        func refuse(_ detail: String) -> MachineRegistrationError {
            MachineRegistrationError(machine: machine, detail: detail)
        }
        if listed != nil, let name = events.union(values).min() {
            throw refuse(
                "its outputs are listed, so that \"\(name)\" is made an event or a value by its list and nowhere else")
        }
        for unknown in hidden.subtracting(properties).sorted() {
            throw refuse("it has no \"\(unknown)\" that could be hidden")
        }
        for unknown in events.subtracting(outputs).sorted() {
            throw refuse("it has no output \"\(unknown)\" that could be an event")
        }
        for unknown in values.subtracting(outputs).sorted() {
            throw refuse("it has no output \"\(unknown)\" that could have a value")
        }
        for name in events.intersection(values).sorted() {
            throw refuse("its output \"\(name)\" cannot be both an event and a value")
        }
    }
}

/// The kind that a registration requests for an output.
enum OutputWish {
    /// An event, whatever its type.
    case event
    /// A value, whatever its type.
    case value
    /// The kind that follows from its type.
    case none
}
