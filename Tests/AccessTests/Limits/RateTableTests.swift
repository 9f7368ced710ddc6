import HTTPModel
import Testing

@testable import Access

@Suite struct RateTableTests {
    private let limit = RateLimit("inputs", quota: 10, window: .seconds(10))

    private func second(_ number: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(100 + number) }

    private func keys(_ method: Principal.Method, _ id: String, _ address: String = "192.0.2.1") -> LimitKeys {
        LimitKeys(TestHash.requester(method, id), peer: HTTPPeer(address: address, port: 1))
    }

    @Test func `a cookie is counted for its principal and its address`() {
        let table = RateTable(limit)
        for number in 0..<10 {
            #expect(table.take(for: keys(.cookie, "\(number)"), at: second(0))?.decision.isAllowed == true)
        }
        // The address is empty, although the cookie is new. Nothing is taken from the cookie's bucket.
        #expect(table.take(for: keys(.cookie, "new"), at: second(0))?.decision.isAllowed == false)
        #expect(table.take(10, for: keys(.cookie, "new", "192.0.2.2"), at: second(0))?.decision.isAllowed == true)
        // And the other way round.
        #expect(table.take(for: keys(.cookie, "new", "192.0.2.3"), at: second(0))?.decision.isAllowed == false)
        #expect(table.take(for: LimitKeys(.anonymous, peer: HTTPPeer(address: "::1", port: 1)), at: second(0)) == nil)
    }

    @Test func `the result for two buckets is the stricter one`() {
        let table = RateTable(limit)
        #expect(table.take(3, for: keys(.cookie, "a"), at: second(0))?.decision.remaining == 7)
        #expect(table.take(for: keys(.cookie, "b"), at: second(0))?.decision.remaining == 6)
    }

    @Test func `threads together get the quota, no more and no less`() async {
        let table = RateTable(RateLimit("inputs", quota: 1000, window: .seconds(10)))
        let keys = keys(.token, "a")
        let permitted = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<400).count { _ in table.take(for: keys, at: second(0))?.decision.isAllowed == true }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(permitted == 1000)
    }

    @Test func `a loop whose clock is behind gets nothing twice`() {
        let table = RateTable(limit)
        let keys = keys(.token, "a")
        #expect(table.take(10, for: keys, at: second(0))?.decision.isAllowed == true)
        #expect(table.take(for: keys, at: second(1))?.decision.isAllowed == true)
        for time in [0, 1, 0, 1] { #expect(table.take(for: keys, at: second(time))?.decision.isAllowed == false) }
    }

    @Test func `the number of buckets is limited`() {
        let table = RateTable(limit, most: 128)
        for number in 0..<5000 { _ = table.take(for: keys(.token, "\(number)"), at: second(0)) }
        #expect(table.count <= 128 && table.count > 64)
    }

    @Test func `a changed rate holds for all clients`() {
        let table = RateTable(limit)
        for number in 0..<100 { _ = table.take(5, for: keys(.token, "\(number)"), at: second(0)) }
        table.replace(RateLimit("inputs", quota: 2, window: .seconds(10)))
        for number in 0..<100 {
            let result = table.take(for: keys(.token, "\(number)"), at: second(0))
            #expect(result?.decision.remaining == 0 && result?.decision.isAllowed == true && result?.limit.quota == 2)
        }
    }
}
