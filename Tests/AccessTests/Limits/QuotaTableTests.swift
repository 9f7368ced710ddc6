import HTTPModel
import Testing

@testable import Access

@Suite struct QuotaTableTests {
    private func keys(_ method: Principal.Method, _ id: String, _ address: String = "192.0.2.1") -> LimitKeys {
        LimitKeys(TestHash.requester(method, id), peer: HTTPPeer(address: address, port: 1))
    }

    private func refusal(
        _ table: inout QuotaTable, _ keys: LimitKeys, _ resource: QuotaResource = .sessions, _ amount: Int = 1
    ) -> QuotaTable.Refusal? {
        do throws(QuotaTable.Refusal) {
            try table.reserve(amount, of: resource, for: keys)
            return nil
        } catch {
            return error
        }
    }

    @Test func `each principal has its own limit of each resource`() {
        var table = QuotaTable(own: .init(sessions: 2, streams: 1))
        let (ada, bob) = (keys(.token, "ada"), keys(.token, "bob"))
        #expect(refusal(&table, ada) == nil)
        #expect(refusal(&table, ada) == nil)
        #expect(refusal(&table, ada) == .tooMany(limit: 2))
        #expect(refusal(&table, ada, .streams) == nil)
        #expect(refusal(&table, ada, .streams) == .tooMany(limit: 1))
        #expect(refusal(&table, ada, .bytes, 1 << 40) == nil)
        #expect(refusal(&table, bob) == nil)
        table.release(of: .sessions, for: ada)
        #expect(refusal(&table, ada) == nil)
    }

    @Test func `a cookie counts by its address, too`() {
        var table = QuotaTable(own: .init(sessions: 3))
        for number in 0..<3 { #expect(refusal(&table, keys(.cookie, "\(number)")) == nil) }
        #expect(refusal(&table, keys(.cookie, "new")) == .tooMany(limit: 3))
        #expect(refusal(&table, keys(.cookie, "new", "192.0.2.2")) == nil)
        #expect(refusal(&table, keys(.token, "ada")) == nil)
        table.release(of: .sessions, for: keys(.cookie, "1"))
        #expect(refusal(&table, keys(.cookie, "new")) == nil)
    }

    @Test func `bytes are limited by amount`() {
        var table = QuotaTable(own: .init(bytes: 100))
        let ada = keys(.token, "ada")
        #expect(refusal(&table, ada, .bytes, 60) == nil)
        #expect(refusal(&table, ada, .bytes, 41) == .tooMany(limit: 100))
        #expect(refusal(&table, ada, .bytes, 40) == nil)
        table.release(100, of: .bytes, for: ada)
        #expect(table.count == 0 && table.held(.bytes) == 0)
    }

    @Test func `near the limit of the server, only those with more than their share are rejected`() {
        var table = QuotaTable(own: .init(), total: .init(sessions: 100))
        let (greedy, modest) = (keys(.token, "greedy"), keys(.token, "modest"))
        for _ in 0..<5 { #expect(refusal(&table, modest) == nil) }
        for _ in 0..<85 { #expect(refusal(&table, greedy) == nil) }
        #expect(refusal(&table, greedy) == .overShare)
        #expect(refusal(&table, keys(.token, "stranger")) == nil)
        for _ in 0..<9 { #expect(refusal(&table, modest) == nil) }
        #expect(refusal(&table, modest) == .full)
        #expect(refusal(&table, keys(.token, "stranger")) == .full)
    }

    @Test func `a refusal reserves nothing`() {
        var table = QuotaTable(own: .init(sessions: 1))
        let cookie = keys(.cookie, "a")
        #expect(refusal(&table, cookie) == nil)
        #expect(refusal(&table, keys(.cookie, "b")) != nil)
        #expect(table.count == 2 && table.held(.sessions) == 1)
    }

    @Test func `requesters without limits count for the server only`() {
        var table = QuotaTable(own: .init(sessions: 1), total: .init(sessions: 2))
        let local = LimitKeys(.anonymous, peer: HTTPPeer(address: "unix", port: 0))
        #expect(refusal(&table, local) == nil)
        #expect(refusal(&table, local) == nil)
        #expect(refusal(&table, local) == .full)
        #expect(table.count == 0)
    }

    @Test func `stored sessions count after a restart without being refused`() {
        var table = QuotaTable(own: .init(sessions: 1))
        let ada = keys(.token, "ada")
        table.restore(5, of: .sessions, for: ada)
        #expect(refusal(&table, ada) == .tooMany(limit: 1))
        table.release(9, of: .sessions, for: ada)
        #expect(table.count == 0 && table.held(.sessions) == 0)
    }

    @Test func `problems state the limit and when to try again`() {
        let own = ProblemDetails.overQuota(.streams, .tooMany(limit: 5))
        #expect(own.status == .tooManyRequests && own.detail.contains("5 streams"))
        #expect(ProblemDetails.overQuota(.sessions, .overShare).status == .tooManyRequests)
        let full = ProblemDetails.overQuota(.sessions, .full)
        #expect(full.status == .serviceUnavailable && full.fields.contains(.retryAfter))
    }
}
