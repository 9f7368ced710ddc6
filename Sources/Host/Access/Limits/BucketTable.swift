package import HTTPModel

/// The buckets of one rate by principal or address. Bounded: for a new bucket, the one that is full, or will be full first, is
/// removed. A value without a lock.
///
/// So a client that creates many buckets cannot get rid of its empty one: full ones, which mean the same as none, go first.
package struct BucketTable: Sendable {
    private struct Entry {
        var bucket = TokenBucket()
        /// By how much more requests were rejected than permitted since the bucket was full, up to a maximum.
        var excess: Int32 = 0
    }

    /// The excess of rejected requests from which a client is insistent. One that waits for the stated time has hardly any.
    private static let patience: Int32 = 16

    package private(set) var limit: RateLimit
    private let most: Int
    private var entries: [LimitKey: Entry] = [:]
    /// Each key once, with a time at which its bucket was going to be full; the actual time is the same or later.
    private var order = TimeHeap<LimitKey>()

    package init(_ limit: RateLimit, most: Int) {
        self.limit = limit
        self.most = max(1, most)
    }

    package var count: Int { entries.count }

    /// Replaces the rate. Each bucket stays as full as it is, in proportion, so that nobody gets a full one.
    package mutating func replace(_ limit: RateLimit) { self.limit = limit }

    /// Takes tokens from the bucket of a key.
    package mutating func take(_ count: Int = 1, for key: LimitKey, at now: MonotonicTime) -> RateDecision {
        // One lookup for reading and writing.
        guard let place = entries.index(forKey: key) else {
            insert(key, at: now)
            return take(count, for: key, at: now)
        }
        var entry = entries.values[place]
        var decision = entry.bucket.take(count, of: limit, at: now)
        note(&entry, &decision, count)
        entries.values[place] = entry
        return decision
    }

    /// Returns the decision about one more request, which is not counted. Nil if it is permitted.
    package func refusal(of key: LimitKey, at now: MonotonicTime) -> RateDecision? {
        guard var bucket = entries[key]?.bucket else { return nil }
        let decision = bucket.take(of: limit, at: now)
        return decision.isAllowed ? nil : decision
    }

    /// Gives tokens back to the bucket of a key.
    package mutating func giveBack(_ count: Int, to key: LimitKey) { entries[key]?.bucket.giveBack(count, of: limit) }

    /// Notes whether the client waits for the stated time.
    private func note(_ entry: inout Entry, _ decision: inout RateDecision, _ count: Int) {
        guard decision.isAllowed else {
            // At most twice, so that a client that begins to wait soon gets its answers immediately again.
            entry.excess = min(entry.excess + 1, 2 * BucketTable.patience)
            decision.isInsistent = entry.excess > BucketTable.patience
            return
        }
        guard entry.excess > 0 else { return }
        let wasFull = entry.bucket.fill >= TokenBucket.capacity - TokenBucket.cost(max(1, count), of: limit)
        entry.excess = wasFull ? 0 : entry.excess - 1
    }

    private mutating func insert(_ key: LimitKey, at now: MonotonicTime) {
        if entries.count >= most { removeOne() }
        entries[key] = Entry()
        order.insert(key, at: now.nanoseconds)
    }

    private mutating func removeOne() {
        while let (time, key) = order.first, let actual = entries[key]?.bucket.fullTime(limit) {
            guard actual > time else {
                order.removeFirst()
                entries[key] = nil
                return
            }
            // Each such step follows a request to this bucket, which did not update the order.
            order.delayFirst(until: actual)
        }
    }
}
