import HTTPModel
import Testing

@testable import Access

@Suite struct SessionHoldingsTests {
    private typealias Holdings = SessionHoldings<Int>

    private func keys(_ method: Principal.Method, _ id: String, _ address: String = "192.0.2.1") -> LimitKeys {
        LimitKeys(TestHash.requester(method, id), peer: HTTPPeer(address: address, port: 1))
    }

    private func refusal(_ holdings: inout Holdings, _ id: Int, _ keys: LimitKeys) -> Holdings.Refusal? {
        do throws(Holdings.Refusal) {
            try holdings.create(id, for: keys)
            return nil
        } catch {
            return error
        }
    }

    @Test func `sessions count until they end`() {
        var holdings = Holdings(.init(sessions: 2))
        let ada = keys(.token, "ada")
        #expect(refusal(&holdings, 1, ada) == nil && refusal(&holdings, 2, ada) == nil)
        #expect(refusal(&holdings, 3, ada) == .init(resource: .sessions, limit: 2))
        #expect(refusal(&holdings, 3, keys(.token, "bob")) == nil)
        holdings.end(1)
        holdings.end(1)
        #expect(refusal(&holdings, 4, ada) == nil)
        #expect(refusal(&holdings, 5, ada) != nil)
    }

    @Test func `bytes follow the stored size, and a client at its limit neither creates nor grows`() {
        var holdings = Holdings(.init(bytes: 100))
        let ada = keys(.token, "ada")
        #expect(refusal(&holdings, 1, ada) == nil && refusal(&holdings, 2, keys(.token, "bob")) == nil)
        holdings.setSize(of: 1, 60)
        holdings.grow(1, by: 39)
        #expect(holdings.refusalToGrow(1) == nil && !holdings.isAnyFull)
        holdings.grow(1, by: 1)
        #expect(holdings.isAnyFull)
        #expect(holdings.refusalToGrow(1) == .init(resource: .bytes, limit: 100))
        #expect(holdings.refusalToGrow(2) == nil && holdings.refusalToGrow(9) == nil)
        #expect(refusal(&holdings, 3, ada) == .init(resource: .bytes, limit: 100))
        #expect(refusal(&holdings, 3, keys(.token, "bob")) == nil)
        // A snapshot takes the place of the rows.
        holdings.setSize(of: 1, 60)
        #expect(!holdings.isAnyFull && holdings.refusalToGrow(1) == nil)
        holdings.end(1)
        #expect(ada.all.allSatisfy { holdings.held(.bytes, by: $0) == 0 })
    }

    @Test func `a session that is found in the storage counts once, whatever the limits are`() {
        var holdings = Holdings(.init(sessions: 1, bytes: 10))
        let ada = keys(.token, "ada")
        holdings.restore(1, for: ada, bytes: 50)
        holdings.restore(2, for: ada, bytes: 50)
        holdings.restore(2, for: ada, bytes: 50)
        #expect(ada.all.map { holdings.held(.bytes, by: $0) } == [100])
        #expect(ada.all.map { holdings.held(.sessions, by: $0) } == [2])
        #expect(refusal(&holdings, 3, ada) != nil)
        // What is not known is not counted.
        holdings.grow(7, by: 5)
        holdings.setSize(of: 7, 5)
        #expect(holdings.count == 2)
    }

    @Test func `discarding a cookie does not help against the address`() {
        var holdings = Holdings(.init(sessions: 2, bytes: 100))
        #expect(refusal(&holdings, 1, keys(.cookie, "a")) == nil)
        #expect(refusal(&holdings, 2, keys(.cookie, "b")) == nil)
        #expect(refusal(&holdings, 3, keys(.cookie, "c")) == .init(resource: .sessions, limit: 2))
        holdings.end(2)
        holdings.grow(1, by: 100)
        #expect(refusal(&holdings, 3, keys(.cookie, "c")) == .init(resource: .bytes, limit: 100))
        #expect(refusal(&holdings, 3, keys(.cookie, "c", "192.0.2.2")) == nil)
    }

    @Test func `clients without limits are not counted, and changed limits apply at once`() {
        var holdings = Holdings(.init(sessions: 0))
        let local = LimitKeys(.anonymous, peer: HTTPPeer(address: "127.0.0.1", port: 1))
        #expect(refusal(&holdings, 1, local) == nil && holdings.count == 0)
        let ada = keys(.token, "ada")
        #expect(refusal(&holdings, 2, ada) != nil)
        holdings.limits = .init(bytes: 10)
        #expect(refusal(&holdings, 2, ada) == nil)
        holdings.setSize(of: 2, 20)
        #expect(holdings.isAnyFull)
        holdings.limits = .init(bytes: 30)
        #expect(!holdings.isAnyFull)
        holdings.limits = .init(bytes: 20)
        #expect(holdings.isAnyFull)
    }

    @Test func `problems of quotas have the fields of the quota`() {
        let bytes = ProblemDetails.overQuota(.bytes, .tooMany(limit: 1000))
        #expect(bytes.status == .tooManyRequests && bytes.detail.contains("1000 bytes of stored sessions"))
        #expect(bytes.fields.value("ratelimit-policy") == #""stored-bytes";q=1000;qu="content-bytes""#)
        #expect(bytes.fields.value("ratelimit") == #""stored-bytes";r=0"#)
        let streams = ProblemDetails.overQuota(.streams, .tooMany(limit: 5))
        #expect(streams.fields.value("ratelimit-policy") == #""stream-count";q=5;qu="concurrent-requests""#)
        let sessions = ProblemDetails.overQuota(.sessions, .tooMany(limit: 5))
        #expect(sessions.fields.value("ratelimit-policy") == #""session-count";q=5"#)
        #expect(!ProblemDetails.overQuota(.sessions, .overShare).fields.contains("ratelimit"))
    }
}
