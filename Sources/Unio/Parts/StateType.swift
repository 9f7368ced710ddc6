/// The state of a stream, visible only to its logic: usually a structure of behavior relays.
public protocol StateType {}

/// The state of a stream without state.
public struct NoState: StateType {
    /// Creates an empty value.
    public init() {}
}
