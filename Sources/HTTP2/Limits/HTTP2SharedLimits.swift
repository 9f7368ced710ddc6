/// Limits that many connections have in common: an idle connection is to hold little, and they are a part of that.
public final class HTTP2SharedLimits: Sendable {
    /// The limits.
    public let limits: HTTP2Limits

    /// Limits to be shared.
    public init(_ limits: HTTP2Limits) {
        self.limits = limits
    }
}
