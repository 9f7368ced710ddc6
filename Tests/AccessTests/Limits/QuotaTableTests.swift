import HTTPModel
import Testing

@testable import Access

@Suite struct QuotaTableTests {
    private func keys(_ method: Principal.Method, _ id: String, _ address: String = "192.0.2.1") -> LimitKeys {
        LimitKeys(TestHash.requester(method, id), peer: HTTPPeer(address: address, port: 1))
    }

    @Test func `each principal has its own limit of each resource`() {
        var table = QuotaTable(own: .init(sessions: 2, bytes: 100))
        let (ada, bob) = (keys(.token, "ada"), keys(.token, "bob"))
        table.restore(of: .sessions, for: ada)
        #expect(table.limitReached(.sessions, by: ada) == nil)
        table.restore(of: .sessions, for: ada)
        #expect(table.limitReached(.sessions, by: ada) == 2)
        table.restore(99, of: .bytes, for: ada)
        #expect(table.limitReached(.bytes, by: ada) == nil)
        table.restore(of: .bytes, for: ada)
        #expect(table.limitReached(.bytes, by: ada) == 100)
        #expect(table.limitReached(.sessions, by: bob) == nil)
        table.release(of: .sessions, for: ada)
        #expect(table.limitReached(.sessions, by: ada) == nil)
    }

    @Test func `a resource without a limit is not limited`() {
        var table = QuotaTable(own: .init(sessions: 1))
        let ada = keys(.token, "ada")
        for _ in 0..<2 { table.restore(.max, of: .bytes, for: ada) }
        #expect(ada.first.map { table.held(.bytes, by: $0) } == .max)
        #expect(table.limitReached(.bytes, by: ada) == nil)
    }

    @Test func `a cookie counts by its address, too`() {
        var table = QuotaTable(own: .init(sessions: 3))
        for number in 0..<3 { table.restore(of: .sessions, for: keys(.cookie, "\(number)")) }
        #expect(table.limitReached(.sessions, by: keys(.cookie, "new")) == 3)
        #expect(table.limitReached(.sessions, by: keys(.cookie, "new", "192.0.2.2")) == nil)
        #expect(table.limitReached(.sessions, by: keys(.token, "ada")) == nil)
        table.release(of: .sessions, for: keys(.cookie, "1"))
        #expect(table.limitReached(.sessions, by: keys(.cookie, "new")) == nil)
    }

    @Test func `requesters without limits are not counted`() {
        var table = QuotaTable(own: .init(sessions: 1))
        let local = LimitKeys(.anonymous, peer: HTTPPeer(address: "unix", port: 0))
        table.restore(2, of: .sessions, for: local)
        #expect(table.limitReached(.sessions, by: local) == nil)
        #expect(table.count == 0)
    }

    @Test func `releasing more than is held leaves nothing`() {
        var table = QuotaTable(own: .init(sessions: 1))
        let ada = keys(.token, "ada")
        table.restore(5, of: .sessions, for: ada)
        #expect(table.limitReached(.sessions, by: ada) == 1)
        table.release(9, of: .sessions, for: ada)
        #expect(table.limitReached(.sessions, by: ada) == nil)
        #expect(table.count == 0)
    }

    @Test func `problems state the limit`() {
        let own = ProblemDetails.overQuota(.streams, .tooMany(limit: 5))
        #expect(own.status == .tooManyRequests && own.detail.contains("5 streams"))
        #expect(own.fields.contains(.retryAfter))
        #expect(ProblemDetails.overQuota(.sessions, .overShare).status == .tooManyRequests)
    }
}
