package import HTTPModel

/// A token bucket: it holds the quota of a ``RateLimit``, and is filled evenly over the window. A value in virtual time.
///
/// It stores the time at which it is full again, which each request moves by its cost. So an unused bucket needs no upkeep,
/// and rounding does not accumulate (the generic cell rate algorithm, ITU-T I.371).
package struct TokenBucket: Equatable, Sendable {
    private var fullTime: UInt64 = 0
    /// The part of the quota that this bucket has, if several loops share the quota.
    private var share = 1.0

    /// Creates a full bucket.
    package init() {}

    /// The time at which the bucket is full.
    package var fullAt: MonotonicTime { MonotonicTime(nanoseconds: fullTime) }

    /// Takes tokens, or none if there are too few.
    ///
    /// - Parameter count: The number of tokens. More than the whole quota are taken as the quota, as otherwise the request
    ///   would never be permitted.
    package mutating func take(_ count: Int = 1, of limit: RateLimit, at now: MonotonicTime) -> RateDecision {
        let window = limit.windowNanoseconds
        let (cost, overflow) = tokenCost(limit).multipliedReportingOverflow(by: UInt64(max(0, count)))
        let start = max(fullTime, now.nanoseconds)
        let end = start &+ (overflow ? window : min(cost, window))
        let missing = end &- now.nanoseconds > window ? end &- now.nanoseconds &- window : 0
        if missing == 0 { fullTime = end }
        return RateDecision(
            isAllowed: missing == 0, remaining: remaining(limit, at: now),
            retryAfter: .nanoseconds(Int64(clamping: missing)),
            reset: .nanoseconds(Int64(clamping: debt(at: now))))
    }

    /// Returns the number of tokens in the bucket.
    package func remaining(_ limit: RateLimit, at now: MonotonicTime) -> Int {
        let (window, debt) = (limit.windowNanoseconds, debt(at: now))
        return debt >= window ? 0 : Int((window - debt) / tokenCost(limit))
    }

    /// Returns the number of tokens that are missing until the bucket is full.
    func spent(_ limit: RateLimit, at now: MonotonicTime) -> Double {
        Double(debt(at: now)) / Double(limit.windowNanoseconds) * Double(limit.quota) * share
    }

    /// Sets the part of the quota that this bucket has, and how many tokens of the whole quota are missing.
    mutating func set(share: Double, spent: Double, of limit: RateLimit, at now: MonotonicTime) {
        self.share = min(1, max(share, 1 / Double(limit.quota)))
        let fraction = min(1, max(0, spent / Double(limit.quota)))
        fullTime = now.nanoseconds &+ UInt64(fraction * Double(limit.windowNanoseconds))
    }

    private func debt(at now: MonotonicTime) -> UInt64 {
        fullTime > now.nanoseconds ? fullTime - now.nanoseconds : 0
    }

    /// The time in which a token is filled in. Rounded down, so that the whole quota fits into the window.
    private func tokenCost(_ limit: RateLimit) -> UInt64 {
        if share == 1 { return max(1, limit.windowNanoseconds / UInt64(limit.quota)) }
        return max(1, UInt64(Double(limit.windowNanoseconds) / (Double(limit.quota) * share)))
    }
}
