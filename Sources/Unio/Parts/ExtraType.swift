/// The external dependencies of a stream: clients, schedulers, other streams.
public protocol ExtraType {}

/// The extra of a stream without external dependencies.
public struct NoExtra: ExtraType {
    /// Creates an empty value.
    public init() {}
}
