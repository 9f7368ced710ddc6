import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// A key creates one session, also when the server crashes.
struct StoredCreationTests {
    private static let body = #"{"machine":"scripted"}"#
    private static let key = "a-key-of-22-characters"

    @Test func `a repeated creation waits until the session is stored`() throws {
        let host = try StoredHost()
        _ = host.start(.post, "/v1/sessions", body: Self.body, key: Self.key)
        host.store()
        let other = "another-key-of-22-characters"
        let first = host.start(.post, "/v1/sessions", body: Self.body, key: other)
        // The journal is asked whether an earlier process has created the session.
        host.step()
        #expect(host.harness.host.sessionCount == 2)
        let again = host.start(.post, "/v1/sessions", body: Self.body, key: other)
        #expect(first.response == nil)
        #expect(again.response == nil)
        host.store()
        #expect(again.status == 201)
        #expect(again.response?.fields.value(.location) == first.response?.fields.value(.location))
    }

    @Test func `a creation that is repeated in the next process finds its session`() throws {
        let host = try StoredHost()
        let first = host.send(.post, "/v1/sessions", body: Self.body, key: Self.key)
        let session = try #require(first.response?.fields.value(.location))
        _ = host.send(.post, session + "/inputs/increment")
        let next = try StoredHost(on: host.disk)
        let again = next.send(.post, "/v1/sessions", body: Self.body, key: Self.key)
        #expect(again.status == 201)
        #expect(again.response?.fields.value(.location) == session)
        #expect(again.response?.fields.contains(.idempotencyReplayed) == true)
        #expect(again.text.contains(#""version":1"#))
        #expect(next.harness.host.sessionCount == 1)
    }

    @Test func `a creation that was not stored creates the session in the next process`() throws {
        let host = try StoredHost()
        let lost = host.start(.post, "/v1/sessions", body: Self.body, key: Self.key)
        #expect(lost.response == nil)
        let next = try StoredHost(on: host.disk)
        let again = next.send(.post, "/v1/sessions", body: Self.body, key: Self.key)
        #expect(again.status == 201)
        #expect(again.response?.fields.contains(.idempotencyReplayed) == false)
    }

    @Test func `the key of a deleted session creates no other one`() throws {
        let host = try StoredHost()
        let first = host.send(.post, "/v1/sessions", body: Self.body, key: Self.key)
        _ = host.send(.delete, first.response?.fields.value(.location) ?? "")
        let next = try StoredHost(on: host.disk)
        #expect(next.send(.post, "/v1/sessions", body: Self.body, key: Self.key).status == 410)
    }
}
