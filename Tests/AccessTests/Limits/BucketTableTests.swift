import HTTPModel
import Testing

@testable import Access

@Suite struct BucketTableTests {
    private let limit = RateLimit("inputs", quota: 10, window: .seconds(10))

    private func second(_ number: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(100 + number) }
    private func key(_ number: Int) -> LimitKey { .principal(PrincipalHash(bits: UInt128(number))) }
    private func address(_ text: String) -> LimitKey { .address(ClientTable.Client(text)) }

    @Test func `each key has its own bucket`() {
        var table = BucketTable(limit, most: 16)
        #expect(table.take(10, for: key(1), at: second(0)).isAllowed)
        #expect(!table.take(for: key(1), at: second(0)).isAllowed)
        #expect(table.take(10, for: key(2), at: second(0)).isAllowed)
        #expect(table.take(10, for: address("192.0.2.1"), at: second(0)).isAllowed)
        #expect(!table.take(for: address("::ffff:192.0.2.1"), at: second(0)).isAllowed)
        #expect(table.take(10, for: address("2001:db8::1"), at: second(0)).isAllowed)
        #expect(!table.take(for: address("2001:db8::2"), at: second(0)).isAllowed)
    }

    @Test func `full buckets are removed first, then those that are full first`() {
        var table = BucketTable(limit, most: 3)
        _ = table.take(10, for: key(1), at: second(0))
        _ = table.take(1, for: key(2), at: second(0))
        _ = table.take(5, for: key(3), at: second(0))
        // At this time, 2 is full again.
        _ = table.take(9, for: key(4), at: second(2))
        #expect(table.count == 3)
        #expect(table.take(for: key(1), at: second(2)).remaining == 1)
        #expect(table.take(for: key(3), at: second(2)).remaining == 6)
        // None is full now; 3 would be first.
        _ = table.take(10, for: key(5), at: second(2))
        #expect(table.take(for: key(4), at: second(2)).remaining == 0)
        #expect(table.take(for: key(1), at: second(2)).remaining == 0)
        #expect(table.count == 3)
    }

    @Test func `a flood of clients does not free one that is over its rate`() {
        var table = BucketTable(limit, most: 16)
        #expect(table.take(10, for: key(0), at: second(0)).isAllowed)
        for number in 1...10_000 {
            _ = table.take(for: key(number), at: second(0))
            if number % 100 == 0 { #expect(!table.take(for: key(0), at: second(0)).isAllowed) }
        }
        #expect(table.count == 16)
    }

    @Test func `a client that does not wait is insistent, and one that waits is not`() {
        var table = BucketTable(limit, most: 16)
        #expect(table.take(10, for: key(1), at: second(0)).isAllowed)
        for _ in 0..<16 { #expect(!table.take(for: key(1), at: second(0)).isInsistent) }
        for _ in 0..<100 { #expect(table.take(for: key(1), at: second(0)).isInsistent) }
        // Others are not concerned.
        #expect(table.take(10, for: key(2), at: second(0)).isAllowed)
        #expect(!table.take(for: key(2), at: second(0)).isInsistent)
        // A token that has come back does not change what the client is.
        #expect(table.take(for: key(1), at: second(1)).isAllowed)
        #expect(table.take(for: key(1), at: second(1)).isInsistent)
        // It waits until the bucket is full again.
        #expect(table.take(for: key(1), at: second(12)).isAllowed)
        #expect(table.take(9, for: key(1), at: second(12)).isAllowed)
        for _ in 0..<16 { #expect(!table.take(for: key(1), at: second(12)).isInsistent) }
    }

    @Test func `a client that sends only what is permitted stops being insistent`() {
        var table = BucketTable(limit, most: 16)
        #expect(table.take(10, for: key(1), at: second(0)).isAllowed)
        for _ in 0..<100 { _ = table.take(for: key(1), at: second(0)) }
        for time in 1...17 { #expect(table.take(for: key(1), at: second(time)).isAllowed) }
        #expect(!table.take(for: key(1), at: second(17)).isInsistent)
    }

    @Test func `a client with twice the rate is not insistent`() {
        var table = BucketTable(limit, most: 16)
        #expect(table.take(10, for: key(1), at: second(0)).isAllowed)
        for time in 1...100 {
            #expect(table.take(for: key(1), at: second(time)).isAllowed)
            let refused = table.take(for: key(1), at: second(time))
            #expect(!refused.isAllowed && !refused.isInsistent)
        }
    }

    @Test func `a refusal is known in advance, and costs nothing`() {
        var table = BucketTable(limit, most: 16)
        #expect(table.refusal(of: key(1), at: second(0)) == nil && table.count == 0)
        #expect(table.take(9, for: key(1), at: second(0)).isAllowed)
        #expect(table.refusal(of: key(1), at: second(0)) == nil)
        #expect(table.take(for: key(1), at: second(0)).isAllowed)
        #expect(table.refusal(of: key(1), at: second(0))?.retryAfter == .seconds(1))
        #expect(table.refusal(of: key(1), at: second(1)) == nil)
    }

    @Test func `a changed rate leaves each bucket as full as it was`() {
        var table = BucketTable(RateLimit("inputs", quota: 100, window: .seconds(10)), most: 16)
        #expect(table.take(75, for: key(1), at: second(0)).isAllowed)
        table.replace(RateLimit("inputs", quota: 1000, window: .seconds(10)))
        #expect(table.take(0, for: key(1), at: second(0)).remaining == 250)
        table.replace(RateLimit("inputs", quota: 4, window: .seconds(10)))
        #expect(table.take(0, for: key(1), at: second(0)).remaining == 1)
    }
}
