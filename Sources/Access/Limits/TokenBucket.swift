package import HTTPModel

/// A token bucket: it holds the quota of a ``RateLimit`` or a share of it, and is filled evenly over the window. A value in
/// virtual time.
///
/// It stores its content at the last permitted request. So an unused bucket needs no upkeep.
package struct TokenBucket: Equatable, Sendable {
    /// The part of the rate that this bucket has.
    private(set) var share: RateShare
    /// The content, in parts of the whole quota. Negative after a request for more than the bucket can hold.
    private(set) var fill: Int64
    /// The time of ``fill``, in nanoseconds.
    private var time: UInt64 = 0

    /// Creates a full bucket for the whole quota.
    package init() { self.init(.whole) }

    /// Creates a full bucket for a share of the quota.
    init(_ share: RateShare) {
        self.share = share
        fill = share.capacity
    }

    /// Takes tokens, or none if there are too few.
    ///
    /// - Parameters:
    ///   - count: The number of tokens. More than the whole quota are taken as the quota, as otherwise the request would
    ///     never be permitted.
    ///   - reserve: The part of the quota that other loops keep in any case. A request for nearly the whole quota is
    ///     permitted without it, and what is missing is filled in before the next request.
    package mutating func take(
        _ count: Int = 1, of limit: RateLimit, reserve: Int64 = 0, at now: MonotonicTime
    ) -> RateDecision {
        var filled = self
        filled.refill(limit, at: now)
        let cost = limit.tokenCost * Int64(min(max(0, count), limit.quota))
        // Only one loop at a time has all of the inflow.
        let needed = share.inflow == RateShare.entire ? min(cost, RateShare.entire - reserve) : cost
        let missing = max(0, needed - filled.fill)
        if missing == 0 { filled.fill -= cost }
        // A rejection changes nothing, so many of them do not add up what is rounded.
        if missing == 0 { self = filled }
        return RateDecision(
            isAllowed: missing == 0, remaining: filled.tokens(limit),
            retryAfter: missing == 0 ? .zero : .nanoseconds(filled.timeToGain(missing, limit)),
            resetNanoseconds: filled.timeToGain(share.capacity - filled.fill, limit))
    }

    /// Returns the number of tokens in the bucket.
    package func remaining(_ limit: RateLimit, at now: MonotonicTime) -> Int {
        var filled = self
        filled.refill(limit, at: now)
        return filled.tokens(limit)
    }

    /// Returns the time at which the bucket is full, in nanoseconds.
    func fullTime(_ limit: RateLimit) -> UInt64 {
        let (sum, overflow) = time.addingReportingOverflow(UInt64(timeToGain(share.capacity - fill, limit)))
        return overflow ? .max : sum
    }

    /// Adds what has flowed in until a time. An earlier time changes nothing.
    mutating func refill(_ limit: RateLimit, at now: MonotonicTime) {
        guard now.nanoseconds > time else { return }
        defer { time = now.nanoseconds }
        guard fill < share.capacity else { return }
        let product = (now.nanoseconds - time).multipliedFullWidth(by: UInt64(share.inflow))
        guard product.high < limit.windowNanoseconds else { return fill = share.capacity }
        let inflow = limit.windowNanoseconds.dividingFullWidth(product).quotient
        fill = inflow < UInt64(share.capacity - fill) ? fill + Int64(inflow) : share.capacity
    }

    /// Returns the nanoseconds in which a part of the quota flows in, rounded up; at most the window if nothing flows in,
    /// because another loop then has all of it.
    private func timeToGain(_ part: Int64, _ limit: RateLimit) -> Int64 {
        guard part > 0 else { return 0 }
        let inflow = UInt64(share.inflow > 0 ? share.inflow : RateShare.entire)
        let product = UInt64(part).multipliedFullWidth(by: limit.windowNanoseconds)
        guard product.high < inflow else { return .max }
        let (time, rest) = inflow.dividingFullWidth(product)
        return Int64(clamping: rest == 0 ? time : time &+ 1)
    }

    private func tokens(_ limit: RateLimit) -> Int { min(limit.quota, Int(max(0, fill) / limit.tokenCost)) }
}

// Parts that move from one bucket to another. Both have to be filled up to the same time before.
extension TokenBucket {
    /// Sets the share of a bucket whose limit was changed, and removes what it can no longer hold.
    mutating func limit(to share: RateShare) {
        self.share = share
        fill = min(fill, share.capacity)
    }

    /// Moves inflow to another bucket, at most as much as there is.
    mutating func moveInflow(_ part: Int64, to other: inout TokenBucket) {
        let part = min(part, share.inflow)
        share.inflow -= part
        other.share.inflow += part
    }

    /// Moves capacity to another bucket, at most as much as there is, with the content that no longer fits.
    ///
    /// - Parameter excess: What all buckets together can hold in addition to the whole quota. This much is not moved.
    mutating func moveCapacity(_ part: Int64, to other: inout TokenBucket, excess: inout Int64) {
        let part = min(part, share.capacity)
        let lost = min(part, excess)
        excess -= lost
        share.capacity -= part
        other.share.capacity += part - lost
        let surplus = max(0, fill - share.capacity)
        fill -= surplus
        other.fill = min(other.fill + surplus, other.share.capacity)
    }

    /// Moves content to another bucket, as much as it can hold.
    mutating func moveContent(to other: inout TokenBucket) {
        let part = max(0, min(fill, other.share.capacity - other.fill))
        fill -= part
        other.fill += part
    }

    /// Removes the share and the content, and returns the share.
    mutating func takeShare() -> RateShare {
        defer { (share, fill) = (.none, min(fill, 0)) }
        return share
    }

    /// Adds a share without content.
    mutating func add(_ share: RateShare) {
        self.share.capacity += share.capacity
        self.share.inflow += share.inflow
    }
}
