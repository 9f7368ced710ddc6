import MachineHost

/// What is said about the outputs of a machine when it is registered, by name.
struct OutputWishes {
    /// The outputs; nil for those that are found.
    var listed: [ListedPort]?
    var events: Set<String> = []
    var values: Set<String> = []
    var hidden: Set<String> = []

    subscript(name: String) -> OutputWish {
        events.contains(name) ? .event : values.contains(name) ? .value : .none
    }

    /// Throws if a name is not that of anything, or is wished to be two things.
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

/// What an output is wished to be.
enum OutputWish {
    /// An event, whatever it would be otherwise.
    case event
    /// A value, whatever it would be otherwise.
    case value
    /// What it is by its type.
    case none
}
