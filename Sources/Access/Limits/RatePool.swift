package import HTTPModel

/// Where loops exchange their shares of one rate. It knows the clients that have needed more than an even share on a loop.
/// A value in virtual time; its owner protects it, because loops visit it one at a time.
///
/// A loop visits with its table when it needs more, and when it has something to give. What a loop gives is in the pool
/// until another one takes it. So all loops together never permit more than the rate, whatever the order of their visits is.
package struct RatePool: Sendable {
    /// The time between two visits of a loop that needs more.
    package static let interval = Duration.milliseconds(20)
    /// The time without need after which the loops have even shares again, if the client sends nothing.
    static let rest = Duration.seconds(10)
    /// The maximum number of clients of a visit, so that a visit takes less than a millisecond.
    static let mostPerVisit = 256

    /// What follows from a visit.
    package struct Outcome: Equatable, Sendable {
        /// The other loops that should visit now.
        package var others: Set<Int> = []
        /// Whether there is more to do for this loop.
        package var isUnfinished = false
        /// The time at which this loop should visit again, if it does not before; nil if there is no need.
        package var next: MonotonicTime?

        /// Creates an outcome after which nothing has to be done.
        package init() {}
    }

    private let most: Int
    private var clients: [LimitKey: PooledClient] = [:]
    /// The clients for which each loop should visit.
    private var awaited: [[LimitKey]]
    /// The numbers of the tables of the loops; 0 for a loop without a table.
    private var members: [Int]
    private var lastMember = 0
    /// The time of the first review.
    private var nextReview = MonotonicTime(nanoseconds: .max)

    /// Creates a pool for a number of loops with a maximum number of clients.
    package init(loops: Int, most: Int = 4096) {
        self.most = most
        awaited = Array(repeating: [], count: max(1, loops))
        members = Array(repeating: 0, count: max(1, loops))
    }

    /// The number of clients.
    package var count: Int { clients.count }

    /// Adds a loop with a new table, in place of an earlier one. Without this, others get what the loop would have.
    package mutating func join(_ table: inout BucketTable, at now: MonotonicTime) {
        if members[table.loop] != 0 { remove(table.loop) }
        lastMember += 1
        members[table.loop] = lastMember
        table.member = lastMember
        for key in clients.keys {
            table.addEmpty(key, at: now)
            clients[key]?.join(table.loop)
        }
    }

    /// Removes the loop of a table that is no longer used.
    package mutating func leave(_ table: BucketTable) {
        // The loop of a restarted server has a new table.
        if members[table.loop] == table.member { remove(table.loop) }
    }

    private mutating func remove(_ loop: Int) {
        members[loop] = 0
        awaited[loop] = []
        for key in clients.keys { clients[key]?.leave(loop) }
    }

    /// Exchanges the shares of a loop.
    package mutating func visit(_ table: inout BucketTable, at now: MonotonicTime) -> Outcome {
        var outcome = Outcome()
        guard table.member != 0, members[table.loop] == table.member else { return outcome }
        review(at: now, &outcome)
        for key in table.takeHungry(most: RatePool.mostPerVisit) {
            exchange(key, &table, isHungry: true, at: now, &outcome)
        }
        let keys = awaited[table.loop].prefix(RatePool.mostPerVisit)
        awaited[table.loop].removeFirst(keys.count)
        for key in keys where clients[key]?.isAwaited(table.loop) == true {
            exchange(key, &table, isHungry: false, at: now, &outcome)
        }
        outcome.isUnfinished = table.needsMore || !awaited[table.loop].isEmpty
        outcome.others.remove(table.loop)
        outcome.next = clients.isEmpty ? nil : nextReview
        return outcome
    }

    private mutating func exchange(
        _ key: LimitKey, _ table: inout BucketTable, isHungry: Bool, at now: MonotonicTime, _ outcome: inout Outcome
    ) {
        if clients[key] == nil {
            // Without the pool, the loops keep their even shares.
            guard isHungry, clients.count < most else { return }
            clients[key] = PooledClient(table.limit, present: members.map { $0 != 0 }, at: now)
        }
        guard var client = clients.removeValue(forKey: key) else { return }
        var entry = table.entry(of: key, at: now)
        client.exchange(table.loop, &entry, table.limit, isHungry: isHungry, at: now)
        table.set(entry, for: key)
        if client.isSettled { return }
        if isHungry, entry.bucket.fill < table.limit.tokenCost, client.isDemanded(besides: table.loop) {
            // The other loops may no longer be used, which shows in the next intervals.
            table.addHungry(key)
        }
        for loop in client.loopsToAwait(table.limit, isHungry: isHungry ? table.loop : nil, at: now) {
            awaited[loop].append(key)
            outcome.others.insert(loop)
        }
        nextReview = min(nextReview, client.lastNeed + RatePool.rest)
        clients[key] = client
    }

    /// Looks which clients still need other shares than even ones.
    private mutating func review(at now: MonotonicTime, _ outcome: inout Outcome) {
        guard now >= nextReview else { return }
        nextReview = MonotonicTime(nanoseconds: .max)
        for (key, client) in clients {
            var client = client
            if client.lastNeed + RatePool.rest <= now {
                for loop in client.beginReview(at: now) {
                    awaited[loop].append(key)
                    outcome.others.insert(loop)
                }
                clients[key] = client
            }
            nextReview = min(nextReview, client.lastNeed + RatePool.rest)
        }
    }
}
