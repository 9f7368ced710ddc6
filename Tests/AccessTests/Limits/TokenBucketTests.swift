import HTTPModel
import Testing

@testable import Access

@Suite struct TokenBucketTests {
    private let limit = RateLimit("inputs", quota: 100, window: .seconds(60))

    private func time(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: 5_000_000_000) + .milliseconds(milliseconds)
    }

    @Test func `a burst takes the whole quota, and tokens come back evenly`() {
        var bucket = TokenBucket()
        for index in 0..<100 {
            let decision = bucket.take(of: limit, at: time(0))
            #expect(decision.isAllowed && decision.remaining == 99 - index && decision.retryAfter == .zero)
        }
        let rejected = bucket.take(of: limit, at: time(0))
        #expect(!rejected.isAllowed && rejected.remaining == 0)
        #expect(rejected.retryAfter == .milliseconds(600) && rejected.resetSeconds == 60)
        #expect(!bucket.take(of: limit, at: time(599)).isAllowed)
        #expect(bucket.take(of: limit, at: time(600)).isAllowed)
        #expect(!bucket.take(of: limit, at: time(1199)).isAllowed)
        #expect(bucket.take(of: limit, at: time(1200)).isAllowed)
        #expect(bucket.take(0, of: limit, at: time(31_200)).remaining == 50)
        #expect(bucket.take(0, of: limit, at: time(61_200)).remaining == 100)
        #expect(bucket.take(0, of: limit, at: time(10_000_000)).remaining == 100)
    }

    @Test func `a rejected request costs nothing`() {
        var bucket = TokenBucket()
        _ = bucket.take(100, of: limit, at: time(0))
        for _ in 0..<1000 { #expect(!bucket.take(of: limit, at: time(1)).isAllowed) }
        #expect(bucket.take(of: limit, at: time(600)).isAllowed)
    }

    @Test func `several tokens are taken together or not at all`() {
        var bucket = TokenBucket()
        #expect(bucket.take(60, of: limit, at: time(0)).isAllowed)
        let rejected = bucket.take(60, of: limit, at: time(0))
        #expect(!rejected.isAllowed && rejected.remaining == 40 && rejected.retryAfter == .seconds(12))
        #expect(bucket.take(40, of: limit, at: time(0)).isAllowed)
    }

    @Test(arguments: [101, 1_000_000, Int.max])
    func `more tokens than the quota are the whole quota`(count: Int) {
        var bucket = TokenBucket()
        #expect(bucket.take(count, of: limit, at: time(0)).isAllowed)
        #expect(bucket.take(0, of: limit, at: time(0)).remaining == 0)
        #expect(!bucket.take(count, of: limit, at: time(59_999)).isAllowed)
        #expect(bucket.take(count, of: limit, at: time(60_000)).isAllowed)
        #expect(bucket.take(0, of: limit, at: time(60_000)).isAllowed)
        #expect(bucket.take(-5, of: limit, at: time(60_000)).isAllowed)
    }

    @Test(arguments: [1, 3, 7, 999, 1_000_000])
    func `a quota that does not divide the window is not exceeded and not missed`(quota: Int) {
        let limit = RateLimit("x", quota: quota, window: .seconds(1))
        var bucket = TokenBucket()
        #expect(bucket.take(quota, of: limit, at: time(0)).isAllowed)
        #expect(!bucket.take(of: limit, at: time(0)).isAllowed)
        var allowed = 0
        for step in 1...1000 where bucket.take(of: limit, at: time(step)).isAllowed { allowed += 1 }
        #expect(abs(allowed - min(quota, 1000)) <= 1)
    }

    @Test func `extreme rates do not overflow`() {
        let limit = RateLimit("x", quota: .max, window: .seconds(Int64.max))
        var bucket = TokenBucket()
        #expect(bucket.take(of: limit, at: MonotonicTime(nanoseconds: 0)).isAllowed)
        #expect(RateLimit("x", quota: 0, window: .zero) == RateLimit("x", quota: 1, window: .seconds(1)))
        #expect(RateLimit("x", quota: -1, window: .milliseconds(100)).window == .seconds(1))
    }
}
