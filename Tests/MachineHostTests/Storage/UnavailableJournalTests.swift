import Access
import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// A journal whose engine does not respond.
struct UnavailableJournalTests {
    private func setAvailable(_ isAvailable: Bool, _ host: StoredHost) {
        host.writer.noteAvailability(isAvailable)
        host.harness.loop.run()
    }

    @Test func `a client whose turn is not stored in time learns that its outcome is unknown, and may repeat its key`()
        throws
    {
        let host = try StoredHost()
        let session = host.makeSession()
        let answer = host.start(.post, session + "/inputs/increment", key: "k")
        #expect(answer.response == nil)
        setAvailable(false, host)
        #expect(answer.status == 503)
        #expect(answer.text.contains(#""outcome":"unknown""#))
        #expect(answer.response?.fields.value(.retryAfter) == "5")
        setAvailable(true, host)
        host.store()
        let repeated = host.send(.post, session + "/inputs/increment", key: "k")
        #expect(repeated.text == #"{"version":1,"changes":{"count":1,"isEven":false}}"#)
        #expect(repeated.response?.fields.contains(.idempotencyReplayed) == true)
    }

    @Test func `what would have to be stored is refused until the engine responds, and reads continue from memory`()
        throws
    {
        let host = try StoredHost()
        let session = host.makeSession()
        setAvailable(false, host)
        let refused = host.start(.post, session + "/inputs/increment")
        #expect(refused.status == 503)
        #expect(!refused.text.contains("outcome"))
        #expect(host.start(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#).status == 503)
        #expect(host.start(.get, session).status == 200)
        let health = host.start(.get, "/health/ready")
        #expect(health.status == 503)
        #expect(health.text.contains("the database of the sessions does not respond"))
        #expect(host.start(.get, "/health/live").status == 200)
        setAvailable(true, host)
        #expect(host.send(.get, "/health/ready").status == 200)
        #expect(host.send(.post, session + "/inputs/increment").text.hasPrefix(#"{"version":1"#))
    }

    @Test func `nobody sees a turn that is not stored`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        _ = host.start(.post, session + "/inputs/increment")
        let read = host.start(.get, session)
        #expect(read.response == nil)
        setAvailable(false, host)
        #expect(read.status == 503)
        let later = host.start(.get, session)
        #expect(later.status == 503)
        #expect(!later.text.contains("outcome"))
        let refused = host.start(.post, session + "/inputs/increment")
        #expect(refused.status == 503)
        #expect(!refused.text.contains("outcome"))
        setAvailable(true, host)
        host.store()
        #expect(host.send(.get, session).text.contains(#""version":1"#))
    }

    @Test func `a session that is not in memory is refused instead of awaited`() throws {
        let disk = TestDisk()
        let session = try StoredHost(on: disk).makeSession()
        let host = try StoredHost(on: disk)
        let waiting = host.start(.get, session)
        #expect(waiting.response == nil)
        setAvailable(false, host)
        #expect(waiting.status == 503)
        #expect(host.start(.get, session).status == 503)
        setAvailable(true, host)
        host.store()
        #expect(host.send(.get, session).status == 200)
    }

    @Test func `clients of other origins may read that the outcome is unknown`() {
        let former = HTTPResponse(
            status: .ok, fields: [.accessControlAllowOrigin: "https://example.com", .location: "/v1/sessions/1"])
        let response = ProblemDetails.outcomeUnknown.response(inPlaceOf: former)
        #expect(response.status == .serviceUnavailable)
        #expect(response.fields.value(.accessControlAllowOrigin) == "https://example.com")
        #expect(!response.fields.contains(.location))
    }
}
