import MachineAdapters
public import MachineHost

extension MachineDefinition {
    /// Returns the demo of a plain observable class.
    ///
    /// - Throws: `MachineRegistrationError` if it cannot be hosted. The tests of the demos rule this out.
    public static func observableCounter() throws(MachineRegistrationError) -> MachineDefinition {
        try .observable(
            "observable-counter", summary: "The smallest machine: a plain observable class.",
            outputs: [.value("count", \.count)],
            inputs: [.call("increment", ObservableCounter.increment), .call("decrement", ObservableCounter.decrement)]
        ) { _ in ObservableCounter() }
    }
}
