/// An error thrown at registration for a machine that cannot be hosted.
public struct MachineRegistrationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The name of the machine.
    public var machine: String
    /// The reason, with the name of the property and the expected and received value, as a clause without a full stop.
    public var detail: String

    /// Creates an error.
    public init(machine: String, detail: String) {
        self.machine = machine
        self.detail = detail
    }

    /// The error as one line.
    public var description: String { "machine \"\(machine)\" cannot be hosted: \(detail)" }
}
