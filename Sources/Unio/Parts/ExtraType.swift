/// What a stream needs from outside: clients, schedulers, other streams.
public protocol ExtraType {}

/// The extra of a stream that needs nothing.
public struct NoExtra: ExtraType {
    /// Nothing.
    public init() {}
}
