package import HTTPModel

/// The buckets of one rate by principal or address, for one event loop. Bounded: for a new bucket, the one that is full, or
/// will be full first, is removed. A value without a lock.
///
/// So a client that creates many buckets cannot get rid of its empty one: full ones, which mean the same as none, go first.
///
/// Each of several loops begins with an even share of a client's quota. A ``RatePool`` moves the shares to where they are
/// needed.
package struct BucketTable: Sendable {
    struct Entry: Sendable {
        var bucket: TokenBucket
        /// The number of tokens that were requested since they were last counted as demand.
        var asked = 0
        /// Whether the pool knows the bucket. It must stay, because the loop would begin with another share.
        var isPooled = false
        /// Whether the bucket is in ``hungry``.
        var isHungry = false
        /// By how much more requests were rejected than permitted since the bucket was full, up to a maximum.
        var excess: Int32 = 0
    }

    /// The excess of rejected requests from which a client is insistent. One that waits as it is told has hardly any.
    private static let patience: Int32 = 16

    /// The rate.
    package private(set) var limit: RateLimit
    let loop: Int
    /// The number of loops.
    let loops: Int
    /// The number that the pool has given to the table; 0 without a pool.
    var member = 0
    private let most: Int
    /// The bucket of a client that is not known.
    private var beginning: TokenBucket
    /// The part of the quota that the other loops keep in any case.
    private var reserve: Int64
    private var entries: [LimitKey: Entry] = [:]
    /// Each key once, with a time at which its bucket was going to be full; the actual time is the same or later.
    private var order = TimeHeap<LimitKey>()
    /// The keys that need more than their share on this loop, and could get more.
    private var hungry: [LimitKey] = []

    /// Creates a table with a maximum number of buckets, for one of several loops.
    package init(_ limit: RateLimit, loop: Int = 0, of loops: Int = 1, most: Int = 16_384) {
        self.limit = limit
        self.loop = loop
        self.loops = max(1, loops)
        self.most = max(1, most)
        (beginning, reserve) = BucketTable.beginning(limit, loop, self.loops)
    }

    private static func beginning(_ limit: RateLimit, _ loop: Int, _ loops: Int) -> (TokenBucket, reserve: Int64) {
        let share = loops == 1 ? RateShare.whole : .initial(of: limit, loop: loop, of: loops)
        return (TokenBucket(share), limit.quota >= loops ? limit.tokenCost * Int64(loops - 1) : 0)
    }

    /// The number of buckets.
    package var count: Int { entries.count }

    /// Whether a client needs more of its quota on this loop.
    package var needsMore: Bool { !hungry.isEmpty }

    /// Replaces the rate. Each bucket stays as full as it is, in proportion, so that nobody gets a full one.
    package mutating func replace(_ limit: RateLimit) {
        guard limit != self.limit else { return }
        self.limit = limit
        (beginning, reserve) = BucketTable.beginning(limit, loop, loops)
        for key in entries.keys where entries[key]?.isPooled == false {
            entries[key]?.bucket.limit(to: beginning.share)
        }
    }

    /// Takes tokens from the bucket of a key.
    package mutating func take(_ count: Int = 1, for key: LimitKey, at now: MonotonicTime) -> RateDecision {
        // One lookup for reading and writing.
        guard let place = entries.index(forKey: key) else {
            _ = insert(key, at: now)
            return take(count, for: key, at: now)
        }
        var entry = entries.values[place]
        var decision = entry.bucket.take(count, of: limit, reserve: reserve, at: now)
        note(&entry, &decision, count)
        if loops > 1 {
            entry.asked = min(entry.asked, 1 << 30) + min(max(0, count), min(limit.quota, 1 << 30))
            if !entry.isHungry, !decision.isAllowed || isLow(entry.bucket), entry.bucket.share.inflow < RateShare.entire
            {
                entry.isHungry = true
                hungry.append(key)
            }
            if !entry.isPooled { describe(entry, &decision) }
        }
        entries.values[place] = entry
        return decision
    }

    /// Notes whether the client waits when it is told to.
    private func note(_ entry: inout Entry, _ decision: inout RateDecision, _ count: Int) {
        guard decision.isAllowed else {
            // At most twice, so that a client that begins to wait soon gets its answers immediately again.
            entry.excess = min(entry.excess + 1, 2 * BucketTable.patience)
            decision.isInsistent = entry.excess > BucketTable.patience
            return
        }
        guard entry.excess > 0 else { return }
        let wasFull =
            entry.bucket.fill >= entry.bucket.share.capacity - limit.tokenCost * Int64(max(1, count))
        entry.excess = wasFull ? 0 : entry.excess - 1
    }

    /// Takes tokens from all buckets of a requester, or from none of them. Returns the strictest result; nil if the
    /// requester is not limited.
    package mutating func take(_ count: Int = 1, for keys: LimitKeys, at now: MonotonicTime) -> RateDecision? {
        guard let first = keys.first else { return keys.second.map { take(count, for: $0, at: now) } }
        guard let second = keys.second else { return take(count, for: first, at: now) }
        let before = entries[first]?.bucket
        let decision = take(count, for: first, at: now)
        guard decision.isAllowed else { return decision }
        let other = take(count, for: second, at: now)
        guard !other.isAllowed else { return other.remaining < decision.remaining ? other : decision }
        // The request is rejected, so it costs nothing. The bucket may have been removed for the second one.
        if entries[first] != nil { entries[first]?.bucket = before ?? beginning }
        return other
    }

    /// Whether at least half of the share of a loop is used.
    private func isLow(_ bucket: TokenBucket) -> Bool { bucket.fill <= bucket.share.capacity / 2 }

    /// Completes a decision from a share that the pool has not adapted yet.
    private func describe(_ entry: Entry, _ decision: inout RateDecision) {
        if !decision.isAllowed {
            // What is left on other loops arrives earlier than the next token of an even share.
            decision.retryAfter = min(decision.retryAfter, RatePool.interval * 2)
        } else if decision.remaining > 0, limit.quota >= loops {
            // The others are likely to have as much as this loop, or more.
            let part = entry.bucket.fill.multipliedFullWidth(by: Int64(loops))
            let estimate = limit.tokenCost.dividingFullWidth(part).quotient
            decision.remaining = min(limit.quota, Int(estimate))
        }
    }

    private mutating func insert(_ key: LimitKey, at now: MonotonicTime) -> Entry {
        if entries.count >= most { removeOne(at: now) }
        let entry = Entry(bucket: beginning)
        entries[key] = entry
        order.insert(key, at: now.nanoseconds)
        return entry
    }

    private mutating func removeOne(at now: MonotonicTime) {
        // Buckets of the pool, of which there are few, come up once in a window. If there are no others, one more is harmless.
        for _ in 0..<(2 * entries.count) {
            guard let (time, key) = order.first, let entry = entries[key] else { return order.removeFirst() }
            let actual =
                entry.isPooled
                ? max(time, now.nanoseconds) &+ limit.windowNanoseconds : entry.bucket.fullTime(limit)
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

// What the pool of all loops uses.
extension BucketTable {
    /// Returns some of the keys that need more than their share, and forgets that they do.
    mutating func takeHungry(most: Int) -> [LimitKey] {
        let taken = Array(hungry.prefix(most))
        hungry.removeFirst(taken.count)
        for key in taken { entries[key]?.isHungry = false }
        return taken
    }

    /// Notes that a key still needs more than its share.
    mutating func addHungry(_ key: LimitKey) {
        guard entries[key]?.isHungry == false else { return }
        entries[key]?.isHungry = true
        hungry.append(key)
    }

    /// Returns the bucket of a key, which is a new one if the key is not known.
    mutating func entry(of key: LimitKey, at now: MonotonicTime) -> Entry { entries[key] ?? insert(key, at: now) }

    /// Changes the bucket of a key that was returned before.
    mutating func set(_ entry: Entry, for key: LimitKey) { entries[key] = entry }

    /// Adds a bucket without any share, because the other loops have all of it.
    mutating func addEmpty(_ key: LimitKey, at now: MonotonicTime) {
        var entry = entry(of: key, at: now)
        _ = entry.bucket.takeShare()
        entry.isPooled = true
        entries[key] = entry
    }
}
