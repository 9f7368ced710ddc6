import HTTPModel
import Testing

@testable import Access

/// The loops of a test: their tables, and the pool with which they exchange shares.
struct RateLoops {
    var pool: RatePool
    var tables: [BucketTable]
    /// The loops that should visit the pool.
    var waiting: Set<Int> = []

    init(_ limit: RateLimit, _ count: Int, present: Int? = nil, at now: MonotonicTime) {
        pool = RatePool(loops: count)
        tables = (0..<(present ?? count)).map { BucketTable(limit, loop: $0, of: count) }
        for index in tables.indices { pool.join(&tables[index], at: now) }
    }

    mutating func visit(_ loop: Int, at now: MonotonicTime) {
        waiting.remove(loop)
        waiting.formUnion(pool.visit(&tables[loop], at: now).others)
    }

    /// Lets all loops visit until none has anything to give or to take.
    mutating func exchange(at now: MonotonicTime) {
        for loop in tables.indices { visit(loop, at: now) }
        while let loop = waiting.min() { visit(loop, at: now) }
    }

    /// Takes tokens on a loop one by one until a request is rejected, and returns their number.
    mutating func drain(_ loop: Int, _ key: LimitKey, at now: MonotonicTime, most: Int = .max) -> Int {
        var count = 0
        while count < most, tables[loop].take(for: key, at: now).isAllowed { count += 1 }
        return count
    }
}

@Suite struct RatePoolTests {
    private let limit = RateLimit("inputs", quota: 100, window: .seconds(10))
    private let key = LimitKey.principal(PrincipalHash(bits: 1))

    private func time(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: 0) + .seconds(100) + .milliseconds(milliseconds)
    }

    @Test func `a client of one loop gets its whole quota after the others have visited`() {
        var loops = RateLoops(limit, 4, at: time(0))
        #expect(loops.drain(2, key, at: time(0)) == 25)
        loops.exchange(at: time(0))
        // Each of the other loops keeps a token for its next request.
        #expect(loops.drain(2, key, at: time(0)) == 72)
        for other in [0, 1, 3] { #expect(loops.drain(other, key, at: time(0)) == 1) }
        // From then on, nothing flows to the others.
        var count = 0
        for step in 1...1000 { count += loops.drain(2, key, at: time(step * 10)) }
        #expect((99...100).contains(count))
    }

    @Test func `loops with demand share in proportion, and together permit the quota and no more`() {
        var loops = RateLoops(limit, 2, at: time(0))
        var total = loops.drain(0, key, at: time(0)) + loops.drain(1, key, at: time(0))
        #expect(total == 100)
        for _ in 0..<300 { _ = loops.tables[0].take(for: key, at: time(0)) }
        loops.exchange(at: time(0))
        total = 0
        var shares = [0, 0]
        for step in 1...1000 {
            for loop in 0...1 { shares[loop] += loops.drain(loop, key, at: time(step * 10)) }
        }
        #expect((98...100).contains(shares[0] + shares[1]))
        #expect(shares[0] > 2 * shares[1] && shares[1] > 5)
    }

    @Test func `a client that pauses gets even shares again, and is forgotten`() {
        var loops = RateLoops(limit, 4, at: time(0))
        _ = loops.drain(2, key, at: time(0))
        loops.exchange(at: time(0))
        #expect(loops.pool.count == 1)
        // A review finds that the client is still there.
        _ = loops.tables[2].take(for: key, at: time(9000))
        loops.exchange(at: time(10_001))
        #expect(loops.pool.count == 1)
        loops.exchange(at: time(20_002))
        #expect(loops.pool.count == 0)
        for loop in 0..<4 { #expect(loops.drain(loop, key, at: time(40_000)) == 25) }
    }

    @Test func `even shares are restored without tokens for free`() {
        var loops = RateLoops(limit, 4, at: time(0))
        _ = loops.drain(0, key, at: time(0))
        loops.exchange(at: time(0))
        _ = loops.drain(0, key, at: time(0))
        // Nothing is asked for, but the content must not change either.
        loops.exchange(at: time(10_001))
        loops.exchange(at: time(10_001))
        let before = (0..<4).reduce(0) { $0 + loops.drain($1, key, at: time(10_001)) }
        #expect((98...100).contains(before))
    }

    @Test func `a loop that joins late has nothing of a client that others have divided`() {
        var loops = RateLoops(limit, 2, present: 1, at: time(0))
        #expect(loops.drain(0, key, at: time(0)) == 50)
        loops.exchange(at: time(0))
        #expect(loops.drain(0, key, at: time(0)) == 50)
        loops.tables.append(BucketTable(limit, loop: 1, of: 2))
        loops.pool.join(&loops.tables[1], at: time(0))
        #expect(loops.drain(1, key, at: time(0)) == 0)
        // The first loop is no longer used, so the other one gets its share.
        for step in 1...10 {
            loops.exchange(at: time(step * 20))
            _ = loops.drain(1, key, at: time(step * 20))
        }
        #expect((95...99).contains(loops.drain(1, key, at: time(12_000))))
    }

    @Test func `the loop of a table that was replaced is not removed with the old table`() {
        var loops = RateLoops(limit, 2, at: time(0))
        let old = loops.tables[1]
        loops.tables[1] = BucketTable(limit, loop: 1, of: 2)
        loops.pool.join(&loops.tables[1], at: time(0))
        loops.pool.leave(old)
        _ = loops.drain(1, key, at: time(0))
        loops.exchange(at: time(0))
        #expect(loops.drain(1, key, at: time(0)) == 49)
        loops.pool.leave(loops.tables[0])
        #expect(loops.pool.visit(&loops.tables[0], at: time(0)) == RatePool.Outcome())
    }

    @Test func `with fewer tokens than loops, each loop has one at first, and one loop gets all afterwards`() {
        let few = RateLimit("sessions", quota: 2, window: .seconds(10))
        var loops = RateLoops(few, 4, at: time(0))
        #expect((0..<4).reduce(0) { $0 + loops.drain($1, key, at: time(0)) } == 4)
        _ = loops.drain(3, key, at: time(0))
        loops.exchange(at: time(0))
        var count = 0
        for step in 1...1000 {
            count += loops.drain(3, key, at: time(step * 100))
            loops.exchange(at: time(step * 100))
        }
        // 100 s at 2 in 10 s.
        #expect((17...20).contains(count))
    }

    @Test func `a batch of the whole quota is permitted on the loop that has it`() {
        var loops = RateLoops(limit, 4, at: time(0))
        #expect(!loops.tables[1].take(100, for: key, at: time(0)).isAllowed)
        loops.exchange(at: time(0))
        #expect(loops.tables[1].take(100, for: key, at: time(0)).isAllowed)
        // What the others have kept is missing afterwards.
        #expect(!loops.tables[1].take(for: key, at: time(300)).isAllowed)
        #expect(loops.tables[1].take(for: key, at: time(401)).isAllowed)
    }

    @Test func `a full pool leaves further clients with even shares`() {
        var loops = RateLoops(limit, 2, at: time(0))
        loops.pool = RatePool(loops: 2, most: 1)
        for index in 0...1 { loops.pool.join(&loops.tables[index], at: time(0)) }
        let other = LimitKey.principal(PrincipalHash(bits: 2))
        for each in [key, other] { #expect(loops.drain(0, each, at: time(0)) == 50) }
        loops.exchange(at: time(0))
        #expect(loops.drain(0, key, at: time(0)) == 49)
        #expect(loops.drain(0, other, at: time(0)) == 0)
        #expect(loops.drain(1, other, at: time(0)) == 50)
    }

    @Test func `a changed rate leaves each bucket as full as it was`() {
        var table = BucketTable(limit)
        #expect(table.take(75, for: key, at: time(0)).isAllowed)
        table.replace(RateLimit("inputs", quota: 1000, window: .seconds(10)))
        #expect(table.take(0, for: key, at: time(0)).remaining == 250)
        table.replace(RateLimit("inputs", quota: 4, window: .seconds(10)))
        #expect(table.take(0, for: key, at: time(0)).remaining == 1)
    }

    @Test func `a rejection by an even share states a short wait, one by a share of the pool the whole wait`() {
        var loops = RateLoops(limit, 4, at: time(0))
        _ = loops.drain(2, key, at: time(0))
        let early = loops.tables[2].take(for: key, at: time(0))
        #expect(!early.isAllowed && early.remaining == 0 && early.retryAfter == .milliseconds(40))
        loops.exchange(at: time(0))
        #expect(loops.drain(2, key, at: time(0)) == 72)
        let late = loops.tables[2].take(for: key, at: time(0))
        #expect(!late.isAllowed && late.retryAfter > .milliseconds(90) && late.retryAfter <= .milliseconds(100))
        #expect(late.reset > .seconds(9) && late.reset <= .seconds(10))
    }

    @Test func `what remains is estimated for all loops while the shares are even`() {
        var loops = RateLoops(limit, 4, at: time(0))
        #expect(loops.tables[1].take(for: key, at: time(0)).remaining == 96)
        _ = loops.drain(1, key, at: time(0), most: 23)
        #expect(loops.tables[1].take(for: key, at: time(0)).remaining == 0)
    }
}
