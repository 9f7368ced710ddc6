/// A stream's state, which its logic alone sees: usually a structure of behavior relays.
public protocol StateType {}

/// The state of a stream that keeps none.
public struct NoState: StateType {
    /// Nothing.
    public init() {}
}
