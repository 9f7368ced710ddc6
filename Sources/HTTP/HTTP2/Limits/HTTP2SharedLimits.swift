/// Limits that many connections share, so that each idle connection holds less memory.
public final class HTTP2SharedLimits: Sendable {
    /// The limits.
    public let limits: HTTP2Limits

    /// Creates shared limits.
    public init(_ limits: HTTP2Limits) {
        self.limits = limits
    }
}
