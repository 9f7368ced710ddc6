/// The types of a machine, as `granary types --swift` prints them.
///
/// The generated type is an enumeration without cases, named after the machine: `Counter`, with the nested types
/// `Counter.Inputs` and `Counter.Outputs`. Use it as the parameter of ``RemoteMachine``.
public protocol MachineSchema: Sendable {
    /// The parameters of a new session.
    associatedtype Parameters: Encodable & Sendable = NoParameters
    /// The inputs, one case each.
    associatedtype Inputs: MachineInputs
    /// The outputs that have a value, one property each.
    associatedtype Outputs: MachineOutputs
    /// The outputs that only happen, one case each.
    associatedtype Events: MachineEvents = NoEvents

    /// The name under which the server hosts the machine.
    static var machineName: String { get }
}

/// The inputs of a machine.
public protocol MachineInputs: Sendable {
    /// Returns the name of the input and its value.
    func inputMessage() -> InputMessage
}

/// The outputs of a machine that have a value.
///
/// All outputs that a turn changes are changed in one call, so no view sees a part of a turn.
public protocol MachineOutputs: Sendable, Equatable {
    /// Creates the outputs from a snapshot.
    ///
    /// - Throws: An error if an output is missing that is always present, or has a value of another type.
    init(_ values: OutputValues) throws

    /// Sets the outputs that a turn has changed. Outputs that the type does not have are ignored.
    ///
    /// - Throws: An error if an output has a value of another type.
    mutating func merge(_ values: OutputValues) throws
}

/// The outputs of a machine that only happen.
public protocol MachineEvents: Sendable, Equatable {
    /// Returns an event; nil for an output that the type does not have.
    ///
    /// - Throws: An error if the value is of another type.
    static func read(_ event: EmittedEvent) throws -> Self?
}

/// The parameters of a machine that takes none.
public struct NoParameters: Encodable, Sendable {
    /// Creates the value.
    public init() {}
}

/// The events of a machine that emits none.
public enum NoEvents: MachineEvents {
    /// Returns nil: a machine that emits events since its types were written is used as before.
    public static func read(_ event: EmittedEvent) -> NoEvents? { nil }
}
