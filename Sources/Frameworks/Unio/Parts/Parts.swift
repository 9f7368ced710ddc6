/// The inputs of a stream: a structure or class of relays and subjects.
public protocol InputType {}

/// The state of a stream, visible only to its logic: usually a structure of behavior relays.
public protocol StateType {}

/// The state of a stream without state.
public struct NoState: StateType {
    /// Creates an empty value.
    public init() {}
}

/// The outputs of a stream: a structure or class of observables, relays, properties and computed values.
public protocol OutputType {}

/// The external dependencies of a stream: clients, schedulers, other streams.
public protocol ExtraType {}

/// The extra of a stream without external dependencies.
public struct NoExtra: ExtraType {
    /// Creates an empty value.
    public init() {}
}
