/// A machine that cannot be hosted, found out when it is registered.
public struct MachineRegistrationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The name under which it was to be registered.
    public var machine: String
    /// What was expected and what came, naming the property: a whole sentence without its full stop.
    public var detail: String

    /// A machine and what is wrong with it.
    public init(machine: String, detail: String) {
        self.machine = machine
        self.detail = detail
    }

    /// One line for people.
    public var description: String { "machine \"\(machine)\" cannot be hosted: \(detail)" }
}
