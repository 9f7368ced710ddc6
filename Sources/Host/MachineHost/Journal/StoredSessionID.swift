/// The id of a session as it is stored.
///
/// The id that a client holds is a credential, so only a digest of it is stored. The digest cannot be reversed.
public struct StoredSessionID: Hashable, Sendable, Comparable {
    /// The first eight bytes of the digest, in network byte order.
    public let high: UInt64
    /// The other eight bytes.
    public let low: UInt64

    /// Creates an id from a digest.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Returns whether an id comes before another in ``Journal/sessions(after:limit:)``.
    public static func < (lhs: StoredSessionID, rhs: StoredSessionID) -> Bool {
        (lhs.high, lhs.low) < (rhs.high, rhs.low)
    }
}
