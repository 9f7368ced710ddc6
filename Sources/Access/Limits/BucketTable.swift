package import HTTPModel

/// The buckets of one rate by principal or address, for one event loop. Bounded: for a new bucket, the one that is full, or
/// will be full first, is removed. A value without a lock.
///
/// So a client that creates many buckets cannot get rid of its empty one: full ones, which mean the same as none, go first.
package struct BucketTable: Sendable {
    private struct Entry {
        var bucket = TokenBucket()
        /// The number of tokens that were requested since the last report.
        var asked = 0
    }

    /// The rate.
    package let limit: RateLimit
    private let most: Int
    private var entries: [LimitKey: Entry] = [:]
    /// Each key once, with a time at which its bucket was going to be full; the actual time is the same or later.
    private var order = TimeHeap<LimitKey>()

    /// Creates a table with a maximum number of buckets.
    package init(_ limit: RateLimit, most: Int = 16_384) {
        self.limit = limit
        self.most = max(1, most)
    }

    /// The number of buckets.
    package var count: Int { entries.count }

    /// Takes tokens from the bucket of a key.
    package mutating func take(_ count: Int = 1, for key: LimitKey, at now: MonotonicTime) -> RateDecision {
        if entries[key] == nil { insert(key, at: now) }
        var entry = entries[key] ?? Entry()
        let decision = entry.bucket.take(count, of: limit, at: now)
        entry.asked = min(entry.asked, Int.max / 2) + min(max(0, count), limit.quota)
        entries[key] = entry
        return decision
    }

    /// Takes tokens from all buckets of a requester, or from none of them. Returns the strictest result; nil if the
    /// requester is not limited.
    package mutating func take(_ count: Int = 1, for keys: LimitKeys, at now: MonotonicTime) -> RateDecision? {
        guard let first = keys.first else { return keys.second.map { take(count, for: $0, at: now) } }
        let before = entries[first]
        let decision = take(count, for: first, at: now)
        guard decision.isAllowed, let second = keys.second else { return decision }
        let other = take(count, for: second, at: now)
        guard !other.isAllowed else { return other.remaining < decision.remaining ? other : decision }
        // The request is rejected, so it costs nothing. The bucket may have been removed for the second one.
        if entries[first] != nil { entries[first]?.bucket = before?.bucket ?? TokenBucket() }
        return other
    }

    private mutating func insert(_ key: LimitKey, at now: MonotonicTime) {
        if entries.count >= most { removeOne() }
        entries[key] = Entry()
        order.insert(key, at: now.nanoseconds)
    }

    private mutating func removeOne() {
        while let (time, key) = order.first {
            let actual = entries[key]?.bucket.fullAt.nanoseconds ?? 0
            if actual <= time {
                order.removeFirst()
                entries[key] = nil
                return
            }
            // Each such step follows a request to this bucket, which did not update the order.
            order.delayFirst(until: actual)
        }
    }
}

// Sharing between loops.
extension BucketTable {
    /// What a loop has observed of a key since the last report.
    package struct Usage: Equatable, Sendable {
        /// The number of tokens that were requested.
        package var asked: Int
        /// The number of tokens that are missing in the loop's bucket.
        package var spent: Double
    }

    /// The bucket of a key on one loop.
    package struct Share: Equatable, Sendable {
        /// The part of the quota.
        package var part: Double
        /// The number of tokens of the whole quota that are missing on all loops together.
        package var spent: Double
    }

    /// Returns the usage of the keys that are not full or were used since the last report.
    package mutating func report(at now: MonotonicTime) -> [LimitKey: Usage] {
        var usages: [LimitKey: Usage] = [:]
        for (key, entry) in entries where entry.asked > 0 || entry.bucket.fullAt > now {
            usages[key] = Usage(asked: entry.asked, spent: entry.bucket.spent(limit, at: now))
            entries[key]?.asked = 0
        }
        return usages
    }

    /// Sets the shares that ``RateShares/rebalanced(_:limit:)`` has computed for this loop.
    package mutating func apply(_ shares: [LimitKey: Share], at now: MonotonicTime) {
        for (key, share) in shares {
            entries[key]?.bucket.set(share: share.part, spent: share.spent, of: limit, at: now)
        }
    }
}
