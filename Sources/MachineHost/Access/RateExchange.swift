import Access
import HTTPModel
import Locking

/// Where the loops of a host exchange their shares of rates. Shared by all loops.
final class RateExchange: Sendable {
    // By the raw values of the kinds; empty until the first loop has a rate. The lock is taken when a loop needs more of a
    // client's rate, at most every 20 ms, and never for a request.
    private let pools = Lock<[RatePool]>([])

    /// The number of clients that need other shares than even ones.
    var clientCount: Int { pools.withLock { $0.reduce(0) { $0 + $1.count } } }

    /// Adds a loop with a new table.
    func join(_ table: inout BucketTable, _ kind: RateKind, loops: Int, at now: MonotonicTime) {
        pools.withLock { pools in
            if pools.isEmpty { pools = RateKind.allCases.map { _ in RatePool(loops: loops) } }
            pools[kind.rawValue].join(&table, at: now)
        }
    }

    /// Removes the loop of a table that is no longer used.
    func leave(_ table: BucketTable, _ kind: RateKind) {
        pools.withLock { pools in
            if !pools.isEmpty { pools[kind.rawValue].leave(table) }
        }
    }

    /// Exchanges the shares of a loop.
    func visit(_ tables: inout RateTables, at now: MonotonicTime) -> RatePool.Outcome {
        pools.withLock { pools in
            var outcome = RatePool.Outcome()
            guard !pools.isEmpty else { return outcome }
            for kind in RateKind.allCases {
                tables.change(kind) { table in
                    guard var moved = table.take() else { return }
                    outcome.add(pools[kind.rawValue].visit(&moved, at: now))
                    table = moved
                }
            }
            return outcome
        }
    }
}

extension RatePool.Outcome {
    fileprivate mutating func add(_ other: RatePool.Outcome) {
        others.formUnion(other.others)
        isUnfinished = isUnfinished || other.isUnfinished
        guard let time = other.next else { return }
        next = min(next ?? time, time)
    }
}

// The rates of all loops.
extension SessionShard {
    /// Uses the configured rates from now on. Clients keep what they have used.
    func replaceRates() {
        var rates = access.rates ?? RateTables()
        let exchange = host.access.rates
        for kind in RateKind.allCases {
            rates.change(kind) { table in
                guard let limit = access.configuration.rates[kind] else {
                    if let former = table.take() { exchange.leave(former, kind) }
                    return
                }
                guard table == nil else {
                    table?.replace(limit)
                    return
                }
                var new = BucketTable(limit, loop: loop.index, of: loop.count)
                exchange.join(&new, kind, loops: loop.count, at: loop.now)
                table = new
            }
        }
        access.rates = rates.isEmpty ? nil : rates
    }

    /// Has the other loops take over the rates of this loop, which ends.
    func leaveRates() {
        guard var rates = access.rates.take() else { return }
        for kind in RateKind.allCases {
            rates.change(kind) { table in
                if let table { host.access.rates.leave(table, kind) }
            }
        }
    }

    /// Schedules an exchange, unless an earlier one is scheduled.
    func scheduleExchange(at time: MonotonicTime) {
        if let rateTimer {
            guard time < rateTimer.time else { return }
            rateTimer.timer.cancel()
        }
        let timer = loop.schedule(after: time - loop.now) { [backReference] in
            backReference.shard?.rateTimer = nil
            backReference.shard?.exchangeRates()
        }
        rateTimer = (time, timer)
    }

    /// Exchanges shares with other loops.
    func exchangeRates() {
        guard var rates = access.rates.take() else { return }
        let outcome = host.access.rates.visit(&rates, at: loop.now)
        access.rates = rates
        for index in outcome.others {
            guard let member = host.access.member(ofLoop: index) else { continue }
            member.loop.execute { member.shard.value.shard?.exchangeRates() }
        }
        let soon = loop.now + RatePool.interval
        if outcome.isUnfinished {
            scheduleExchange(at: soon)
        } else if let time = outcome.next {
            scheduleExchange(at: max(soon, time))
        }
    }
}
