/// Divides the quotas of clients among event loops, in proportion to their requests. A pure function.
///
/// A loop starts with the whole quota for a client that it does not know, because clients usually use one loop. Until the
/// next division, a client that uses several loops may therefore get its quota on each of them.
package enum RateShares {
    /// The part of an even share that a loop keeps without requests, so that its next request is not rejected.
    private static let reserve = 0.1

    /// Returns the share of each loop for each key that it has reported.
    ///
    /// The parts of a key add up to 1, unless the quota has fewer tokens than there are loops: each loop has at least one.
    package static func rebalanced(
        _ reports: [[LimitKey: BucketTable.Usage]], limit: RateLimit
    ) -> [[LimitKey: BucketTable.Share]] {
        var totals: [LimitKey: (loops: Int, usage: BucketTable.Usage)] = [:]
        for report in reports {
            for (key, usage) in report {
                let total = totals[key] ?? (0, BucketTable.Usage(asked: 0, spent: 0))
                let sum = BucketTable.Usage(
                    asked: total.usage.asked + usage.asked, spent: total.usage.spent + usage.spent)
                totals[key] = (total.loops + 1, sum)
            }
        }
        return reports.map { report in
            var shares: [LimitKey: BucketTable.Share] = [:]
            for (key, usage) in report {
                guard let total = totals[key] else { continue }
                let part = part(of: usage.asked, in: total.usage.asked, loops: total.loops, limit)
                shares[key] = BucketTable.Share(part: part, spent: total.usage.spent)
            }
            return shares
        }
    }

    private static func part(of asked: Int, in total: Int, loops: Int, _ limit: RateLimit) -> Double {
        let even = 1 / Double(loops)
        let least = max(1 / Double(limit.quota), even * reserve)
        // With fewer tokens than loops, the parts add up to more than 1.
        guard least < even else { return least }
        guard total > 0 else { return even }
        return least + (1 - Double(loops) * least) * Double(asked) / Double(total)
    }
}
