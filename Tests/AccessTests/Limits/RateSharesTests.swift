import HTTPModel
import Testing

@testable import Access

@Suite struct RateSharesTests {
    private let limit = RateLimit("inputs", quota: 100, window: .seconds(10))
    private let key = LimitKey.principal(PrincipalHash(bits: 1))

    private func second(_ number: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(100 + number) }

    private func usage(_ asked: Int, _ spent: Double) -> [LimitKey: BucketTable.Usage] {
        [key: BucketTable.Usage(asked: asked, spent: spent)]
    }

    private func parts(_ reports: [[LimitKey: BucketTable.Usage]], _ limit: RateLimit) -> [Double] {
        RateShares.rebalanced(reports, limit: limit).compactMap { $0[key]?.part }
    }

    @Test func `shares are in proportion to requests, with a reserve, and add up to the quota`() {
        let parts = parts([usage(90, 50), usage(10, 5), usage(0, 1)], limit)
        #expect(abs(parts.reduce(0, +) - 1) < 1e-9)
        #expect(parts[0] > 0.8 && parts[1] > parts[2] && parts[2] > 0.03)
    }

    @Test func `a client of one loop keeps its whole quota`() {
        #expect(parts([usage(90, 50), [:]], limit) == [1])
    }

    @Test func `loops without requests share evenly`() {
        #expect(parts([usage(0, 50), usage(0, 20)], limit) == [0.5, 0.5])
    }

    @Test func `each loop has at least one token`() {
        #expect(
            parts([usage(9, 1), usage(0, 1), usage(0, 1)], RateLimit("x", quota: 2, window: .seconds(1))) == [
                0.5, 0.5, 0.5,
            ])
    }

    @Test func `the spent tokens of all loops count for each`() throws {
        let shares = RateShares.rebalanced([usage(1, 30), usage(1, 20)], limit: limit)
        #expect(shares.map { $0[key]?.spent } == [50, 50])
    }

    @Test func `after a division, loops together permit the quota and no more`() {
        var tables = [BucketTable(limit), BucketTable(limit)]
        func divide(at now: MonotonicTime) {
            let shares = RateShares.rebalanced(tables.indices.map { tables[$0].report(at: now) }, limit: limit)
            for index in tables.indices { tables[index].apply(shares[index], at: now) }
        }
        func allowed(_ index: Int, at now: MonotonicTime) -> Int {
            var count = 0
            while tables[index].take(for: key, at: now).isAllowed { count += 1 }
            return count
        }
        #expect(tables[0].take(30, for: key, at: second(0)).isAllowed)
        #expect(tables[1].take(10, for: key, at: second(0)).isAllowed)
        divide(at: second(0))
        let total = allowed(0, at: second(0)) + allowed(1, at: second(0))
        #expect((58...60).contains(total))
        divide(at: second(0))
        #expect(allowed(0, at: second(0)) + allowed(1, at: second(0)) == 0)
        // Half of the window brings half of the quota.
        let later = allowed(0, at: second(5)) + allowed(1, at: second(5))
        #expect((48...52).contains(later))
    }

    @Test func `a report contains the keys that matter`() {
        var table = BucketTable(limit)
        _ = table.take(10, for: key, at: second(0))
        let report = table.report(at: second(0))
        #expect(report[key]?.asked == 10)
        #expect(abs((report[key]?.spent ?? 0) - 10) < 1e-6)
        #expect(table.report(at: second(0))[key]?.asked == 0)
        #expect(table.report(at: second(20)).isEmpty)
    }
}
