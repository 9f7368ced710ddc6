/// The part of a rate that one bucket has: of the quota, which is its burst, and of the tokens that flow in.
///
/// Parts are integers, so that loops can pass them on to each other without ever having more than the whole together.
package struct RateShare: Equatable, Sendable {
    /// The whole quota. A power of two that leaves room for the sum of the shares of 512 loops.
    static let entire: Int64 = 1 << 54
    /// The whole rate.
    package static let whole = RateShare(capacity: entire, inflow: entire)
    /// No part of a rate.
    static let none = RateShare(capacity: 0, inflow: 0)

    /// The part of the quota that the bucket holds at most.
    package internal(set) var capacity: Int64
    /// The part of the quota that flows in during the window.
    package internal(set) var inflow: Int64

    /// Returns the share with which a loop begins to count a client: an even one, but at least one token, because the first
    /// request of a client must not be rejected.
    static func initial(of limit: RateLimit, loop: Int, of loops: Int) -> RateShare {
        // The remainder is not lost: a client on one loop would otherwise miss a token of its quota.
        let even = entire / Int64(loops) + (loop == 0 ? entire % Int64(loops) : 0)
        return RateShare(capacity: max(even, limit.tokenCost), inflow: even)
    }
}

/// The shares that a client's loops should have, by their demand. A pure function.
enum RateDivision {
    /// Returns the shares of all loops.
    ///
    /// The tokens flow to the loops in proportion to their demand. Of the quota, each loop keeps one token, so that its next
    /// request is not rejected, and the rest is divided in proportion. If there are fewer tokens than loops, the loops
    /// with the highest demand get whole tokens, because less than a token permits nothing.
    ///
    /// - Parameter demands: A number for each loop. If all are 0, the shares are those with which loops begin.
    static func shares(_ demands: [Int], of limit: RateLimit) -> [RateShare] {
        let total = demands.reduce(0, +)
        let loops = demands.count
        guard total > 0 else { return demands.indices.map { .initial(of: limit, loop: $0, of: loops) } }
        let least = limit.quota >= loops ? limit.tokenCost : 0
        let rest = RateShare.entire - least * Int64(loops)
        var shares = demands.map { demand in
            RateShare(
                capacity: least + part(rest, demand, of: total), inflow: part(RateShare.entire, demand, of: total))
        }
        if least == 0 {
            let capacities = tokens(demands, limit)
            for index in shares.indices { shares[index].capacity = capacities[index] }
        }
        return shares
    }

    private static func tokens(_ demands: [Int], _ limit: RateLimit) -> [Int64] {
        let order = demands.indices.sorted { (demands[$0], $1) > (demands[$1], $0) }
        var capacities = demands.map { _ in Int64(0) }
        let total = demands.reduce(0, +)
        var left = limit.quota
        for index in order where left > 0 {
            let count = min(left, max(1, limit.quota * demands[index] / total))
            capacities[index] = limit.tokenCost * Int64(count)
            left -= count
        }
        // What does not make a token is not lost either.
        capacities[order[0]] += RateShare.entire - capacities.reduce(0, +)
        return capacities
    }

    private static func part(_ whole: Int64, _ demand: Int, of total: Int) -> Int64 {
        guard demand < total else { return whole }
        let product = whole.multipliedFullWidth(by: Int64(demand))
        return Int64(total).dividingFullWidth(product).quotient
    }
}
