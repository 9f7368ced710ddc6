import HTTPModel

/// The shares of one client's rate on all loops, and what none of them has at the moment.
struct PooledClient: Sendable {
    /// What the pool knows of a loop.
    private struct Holding {
        var share = RateShare.none
        /// The number of requested tokens, of which earlier ones count less.
        var demand = 0
        /// When the demand was determined.
        var measuredAt = MonotonicTime(nanoseconds: 0)
        /// Whether only what was requested since then counts.
        var isReviewed = false
        /// Whether the loop should visit.
        var isAwaited = false
        var isPresent: Bool
        /// Whether the loop has its even share again, and has forgotten the pool.
        var isSettled = false
    }

    private var holdings: [Holding]
    /// What no loop has.
    private var free = TokenBucket(.none)
    /// What the buckets can hold in addition to the whole quota, if it has fewer tokens than there are loops.
    private var excess: Int64
    /// The latest time that was passed in. The clocks of loops differ by milliseconds, in which nothing may flow in twice.
    private var time: MonotonicTime
    /// When a loop has needed more.
    private(set) var lastNeed: MonotonicTime

    /// Creates a client of which each present loop has its even share, used or not.
    init(_ limit: RateLimit, present: [Bool], at now: MonotonicTime) {
        holdings = present.map { Holding(isPresent: $0) }
        excess = 0
        (time, lastNeed) = (now, now)
        for loop in holdings.indices {
            let share = RateShare.initial(of: limit, loop: loop, of: present.count)
            if holdings[loop].isPresent { holdings[loop].share = share } else { free.add(share) }
        }
        let sum = holdings.reduce(free.share.capacity) { $0 + $1.share.capacity }
        excess = max(0, sum - RateShare.entire)
        // What no loop has used yet.
        free = TokenBucket(free.share)
        free.refill(limit, at: now)
    }

    /// Whether a loop should visit.
    func isAwaited(_ loop: Int) -> Bool { holdings[loop].isAwaited }

    /// Whether all loops have their even shares again.
    var isSettled: Bool { holdings.allSatisfy { $0.isSettled || !$0.isPresent } }

    /// Whether other loops than one have demand.
    func isDemanded(besides loop: Int) -> Bool {
        holdings.indices.contains { $0 != loop && holdings[$0].demand > 0 }
    }

    /// Adds a loop, which has nothing at first.
    mutating func join(_ loop: Int) { holdings[loop] = Holding(isPresent: true) }

    /// Removes a loop. What it had can be taken by others, but not what its bucket contained.
    mutating func leave(_ loop: Int) {
        free.add(holdings[loop].share)
        holdings[loop] = Holding(isPresent: false)
    }

    /// Adapts the share of a loop to the demand.
    mutating func exchange(
        _ loop: Int, _ entry: inout BucketTable.Entry, _ limit: RateLimit, isHungry: Bool, at now: MonotonicTime
    ) {
        time = max(time, now)
        if isHungry { lastNeed = time }
        free.refill(limit, at: time)
        entry.bucket.refill(limit, at: time)
        measure(loop, &entry)
        // While it gets nothing, its demand must not fade as that of loops that are no longer used does.
        if isHungry { holdings[loop].demand = max(1, holdings[loop].demand) }
        let demands = holdings.map(\.demand)
        let share = RateDivision.shares(demands, of: limit)[loop]
        let isEven = demands.allSatisfy { $0 == 0 }
        move(&entry.bucket, to: share)
        if isEven, entry.bucket.share != share, limit.quota < holdings.count {
            // The even shares of so few tokens are more than the whole.
            excess += max(0, share.capacity - entry.bucket.share.capacity)
            entry.bucket.add(RateShare(capacity: max(0, share.capacity - entry.bucket.share.capacity), inflow: 0))
        }
        holdings[loop].share = entry.bucket.share
        holdings[loop].isAwaited = false
        holdings[loop].isSettled = isEven && entry.bucket.share == share
        entry.isPooled = !holdings[loop].isSettled
    }

    private mutating func move(_ bucket: inout TokenBucket, to share: RateShare) {
        let present = bucket.share
        if present.inflow > share.inflow {
            bucket.moveInflow(present.inflow - share.inflow, to: &free)
        } else {
            free.moveInflow(share.inflow - present.inflow, to: &bucket)
        }
        var none: Int64 = 0
        if present.capacity > share.capacity {
            bucket.moveCapacity(present.capacity - share.capacity, to: &free, excess: &excess)
        } else {
            free.moveCapacity(share.capacity - present.capacity, to: &bucket, excess: &none)
        }
        free.moveContent(to: &bucket)
    }

    private mutating func measure(_ loop: Int, _ entry: inout BucketTable.Entry) {
        let isReviewed = holdings[loop].isReviewed
        let elapsed = time - holdings[loop].measuredAt
        // Several visits in a row pass on the same demand.
        guard isReviewed || elapsed >= RatePool.interval / 2 else { return }
        // Earlier demand is halved in each interval.
        let halvings =
            isReviewed ? 62 : min(62, max(1, elapsed.wholeMilliseconds / RatePool.interval.wholeMilliseconds))
        holdings[loop].demand = holdings[loop].demand >> halvings + entry.asked
        holdings[loop].measuredAt = time
        holdings[loop].isReviewed = false
        entry.asked = 0
    }

    /// Returns the loops that should visit and were not asked to yet: those that can give or take something, and those whose
    /// demand is outdated.
    ///
    /// - Parameter hungry: The loop that needs more; nil if none does.
    mutating func loopsToAwait(_ limit: RateLimit, isHungry hungry: Int?, at now: MonotonicTime) -> [Int] {
        let demands = holdings.map(\.demand)
        let isEven = demands.allSatisfy { $0 == 0 }
        let shares = RateDivision.shares(demands, of: limit)
        var loops: [Int] = []
        for (loop, holding) in holdings.enumerated() where holding.isPresent && !holding.isAwaited {
            let (present, share) = (holding.share, shares[loop])
            let canGive = present.capacity > share.capacity || present.inflow > share.inflow
            let canTake =
                present.capacity < share.capacity && free.share.capacity > 0
                || present.inflow < share.inflow && free.share.inflow > 0
            let isOutdated =
                hungry != nil && hungry != loop && holding.demand > 0
                && holding.measuredAt + RatePool.interval <= now
            // Not a loop whose share is still with others: they visit first.
            let canSettle = isEven && !holding.isSettled && (present == share || limit.quota < holdings.count)
            guard canGive || canTake || isOutdated || canSettle else { continue }
            holdings[loop].isAwaited = true
            loops.append(loop)
        }
        return loops
    }

    /// Has all loops state what was requested since their last visits. Returns those that were not asked to visit yet.
    mutating func beginReview(at now: MonotonicTime) -> [Int] {
        lastNeed = now
        var loops: [Int] = []
        for loop in holdings.indices where holdings[loop].isPresent {
            holdings[loop].isReviewed = true
            if !holdings[loop].isAwaited { loops.append(loop) }
            holdings[loop].isAwaited = true
        }
        return loops
    }
}
