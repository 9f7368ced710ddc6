import HTTPModel
import Testing

@testable import Access

@Suite struct BucketTableTests {
    private let limit = RateLimit("inputs", quota: 10, window: .seconds(10))

    private func second(_ number: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(100 + number) }
    private func key(_ number: Int) -> LimitKey { .principal(PrincipalHash(bits: UInt128(number))) }
    private func address(_ text: String) -> LimitKey { .address(ClientTable.Client(text)) }

    private func keys(_ method: Principal.Method, _ id: String, _ address: String = "192.0.2.1") -> LimitKeys {
        LimitKeys(TestHash.requester(method, id), peer: HTTPPeer(address: address, port: 1))
    }

    @Test func `each key has its own bucket`() {
        var table = BucketTable(limit)
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

    @Test func `a cookie is counted for its principal and its address`() {
        var table = BucketTable(limit)
        for number in 0..<10 {
            #expect(table.take(for: keys(.cookie, "\(number)"), at: second(0))?.isAllowed == true)
        }
        // The address is empty, although the cookie is new. Nothing is taken from the cookie's bucket.
        let decision = table.take(for: keys(.cookie, "new"), at: second(0))
        #expect(decision?.isAllowed == false)
        #expect(table.take(10, for: keys(.cookie, "new", "192.0.2.2"), at: second(0))?.isAllowed == true)
        // And the other way round.
        #expect(table.take(for: keys(.cookie, "new", "192.0.2.3"), at: second(0))?.isAllowed == false)
        #expect(table.take(for: LimitKeys(.anonymous, peer: HTTPPeer(address: "::1", port: 1)), at: second(0)) == nil)
    }

    @Test func `the result for two buckets is the stricter one`() {
        var table = BucketTable(limit)
        let first = table.take(3, for: keys(.cookie, "a"), at: second(0))
        #expect(first?.remaining == 7)
        let other = table.take(for: keys(.cookie, "b"), at: second(0))
        #expect(other?.remaining == 6)
    }

    @Test func `a client that does not wait is insistent, and one that waits is not`() {
        var table = BucketTable(limit)
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
        var table = BucketTable(limit)
        #expect(table.take(10, for: key(1), at: second(0)).isAllowed)
        for _ in 0..<100 { _ = table.take(for: key(1), at: second(0)) }
        for time in 1...17 { #expect(table.take(for: key(1), at: second(time)).isAllowed) }
        #expect(!table.take(for: key(1), at: second(17)).isInsistent)
    }

    @Test func `a client with twice the rate is not insistent`() {
        var table = BucketTable(limit)
        #expect(table.take(10, for: key(1), at: second(0)).isAllowed)
        for time in 1...100 {
            #expect(table.take(for: key(1), at: second(time)).isAllowed)
            let refused = table.take(for: key(1), at: second(time))
            #expect(!refused.isAllowed && !refused.isInsistent)
        }
    }
}
