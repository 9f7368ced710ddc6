package import HTTPModel

/// A token bucket: it holds the quota of a ``RateLimit``, and is filled evenly over the window. A value in virtual time.
///
/// It stores its content at the last permitted request. So an unused bucket needs no upkeep. The content is a part of the quota
/// and no number of requests, so that a changed limit makes no bucket full.
package struct TokenBucket: Equatable, Sendable {
    /// The content of a full bucket.
    static let capacity: Int64 = 1 << 54

    /// The content.
    private(set) var fill = TokenBucket.capacity
    /// The time of ``fill``, in nanoseconds.
    private var time: UInt64 = 0

    /// Creates a full bucket.
    package init() {}

    /// Takes tokens, or none if there are too few.
    ///
    /// - Parameter count: The number of tokens. More than the whole quota are taken as the quota, as otherwise the request
    ///   would never be permitted.
    package mutating func take(_ count: Int = 1, of limit: RateLimit, at now: MonotonicTime) -> RateDecision {
        var filled = self
        filled.refill(limit, at: now)
        let cost = TokenBucket.cost(count, of: limit)
        let missing = max(0, cost - filled.fill)
        if missing == 0 {
            filled.fill -= cost
            // A rejection changes nothing, so many of them do not add up what is rounded.
            self = filled
        }
        return RateDecision(
            isAllowed: missing == 0, remaining: filled.tokens(limit),
            retryAfter: .nanoseconds(filled.timeToGain(missing, limit)),
            resetNanoseconds: filled.timeToGain(TokenBucket.capacity - filled.fill, limit))
    }

    /// Gives back what was taken for a request that is not permitted for another reason.
    mutating func giveBack(_ count: Int, of limit: RateLimit) {
        fill = min(TokenBucket.capacity, fill + TokenBucket.cost(count, of: limit))
    }

    /// Returns the time at which the bucket is full, in nanoseconds.
    func fullTime(_ limit: RateLimit) -> UInt64 {
        let (sum, overflow) = time.addingReportingOverflow(UInt64(timeToGain(TokenBucket.capacity - fill, limit)))
        return overflow ? .max : sum
    }

    /// Adds what has flowed in until a time. An earlier time changes nothing.
    private mutating func refill(_ limit: RateLimit, at now: MonotonicTime) {
        guard now.nanoseconds > time else { return }
        defer { time = now.nanoseconds }
        guard fill < TokenBucket.capacity else { return }
        let product = (now.nanoseconds - time).multipliedFullWidth(by: UInt64(TokenBucket.capacity))
        guard product.high < limit.windowNanoseconds else { return fill = TokenBucket.capacity }
        let inflow = limit.windowNanoseconds.dividingFullWidth(product).quotient
        fill = inflow < UInt64(TokenBucket.capacity - fill) ? fill + Int64(inflow) : TokenBucket.capacity
    }

    /// Returns the nanoseconds in which a part of the quota flows in, rounded up.
    private func timeToGain(_ part: Int64, _ limit: RateLimit) -> Int64 {
        guard part > 0 else { return 0 }
        let product = UInt64(part).multipliedFullWidth(by: limit.windowNanoseconds)
        let (time, rest) = UInt64(TokenBucket.capacity).dividingFullWidth(product)
        return Int64(clamping: rest == 0 ? time : time &+ 1)
    }

    /// Returns the content that a number of tokens has, at most the whole quota.
    static func cost(_ count: Int, of limit: RateLimit) -> Int64 {
        min(limit.tokenCost * Int64(min(max(0, count), limit.quota)), capacity)
    }

    private func tokens(_ limit: RateLimit) -> Int { min(limit.quota, Int(fill / limit.tokenCost)) }
}
