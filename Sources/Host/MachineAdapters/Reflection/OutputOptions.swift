import MachineHost

/// The options of a registration for outputs, by name.
package struct OutputOptions {
    /// The listed outputs; nil for those that reflection finds.
    let listed: [ListedPort]?
    let events: Set<String>
    let values: Set<String>
    let hidden: Set<String>

    package init(
        listed: [ListedPort]?, events: Set<String>, values: Set<String> = [], hidden: Set<String>
    ) {
        self.listed = listed
        self.events = events
        self.values = values
        self.hidden = hidden
    }

    subscript(name: String) -> RequestedKind {
        events.contains(name) ? .event : values.contains(name) ? .value : .none
    }

    /// Throws if a name does not exist or has contradictory options.
    func check(
        properties: Set<String>, outputs: Set<String>, machine: String
    ) throws(MachineRegistrationError) {
        func refuse(_ detail: String) -> MachineRegistrationError {
            MachineRegistrationError(machine: machine, detail: detail)
        }
        if listed != nil, let name = events.union(values).min() {
            throw refuse(
                "its outputs are listed, so the list alone decides whether \"\(name)\" is an event or a value")
        }
        for unknown in hidden.subtracting(properties).sorted() {
            throw refuse("it has no property \"\(unknown)\" to hide")
        }
        for unknown in events.subtracting(outputs).sorted() {
            throw refuse("it has no output \"\(unknown)\" to make an event")
        }
        for unknown in values.subtracting(outputs).sorted() {
            throw refuse("it has no output \"\(unknown)\" to make a value")
        }
        for name in events.intersection(values).sorted() {
            throw refuse("its output \"\(name)\" cannot be both an event and a value")
        }
    }
}

/// The kind that a registration requests for an output.
package enum RequestedKind {
    /// An event, regardless of its type.
    case event
    /// A value, regardless of its type.
    case value
    /// The kind is derived from the type.
    case none
}
