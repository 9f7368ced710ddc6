import MachineHost
import MachineTesting
import Testing

/// Machines of each style continue in another process.
struct ResumptionTests {
    @Test func `a machine with hidden members and a debounce is resumable`() throws {
        try assertResumable(DiaryMachine.definition())
    }

    @Test func `an observable object that wires itself is resumable`() throws {
        try assertResumable(ThermostatMachine.definition())
    }

    @Test func `a machine whose outputs send a value to each subscriber is resumable`() throws {
        try assertResumable(ReplayMachine.definition())
    }

    @Test func `a machine with subjects and an object of its own is resumable`() throws {
        try assertResumable(PagesMachine.definition())
    }

    @Test func `a machine with an operator over an enumeration is resumable`() throws {
        try assertResumable(PhaseMachine.definition())
    }

    @Test func `a store with collections, a navigation path and an alert is resumable`() throws {
        try assertResumable(
            Notebook.definition(),
            choosing: [
                "add", "remove", "push", "pop", "open", "editor.presented.type", "write 2", "write 5", "warn",
                .wait(.milliseconds(70)),
            ])
    }
}
