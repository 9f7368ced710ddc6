import Access
import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// The names of stored sessions.
struct StoredNameTests {
    private let body = #"{"machine":"scripted","name":"main"}"#

    private func start(
        _ host: StoredHost, as requester: Requester = .apiKey("alice"), _ body: String? = nil
    ) -> PendingAnswer {
        host.harness.requester = requester
        return host.start(.post, "/v1/sessions", body: body ?? self.body)
    }

    private func open(
        _ host: StoredHost, as requester: Requester = .apiKey("alice"), _ body: String? = nil
    ) -> PendingAnswer {
        let pending = start(host, as: requester, body)
        host.store()
        return pending
    }

    private func location(_ answer: PendingAnswer) throws -> String {
        try #require(answer.response?.fields.value(.location))
    }

    @Test func `a name leads to the same session in the next process`() throws {
        let host = try StoredHost()
        let first = open(host)
        #expect(first.status == 201)
        let session = try location(first)
        #expect(host.send(.post, session + "/inputs/increment").status == 200)
        let next = try StoredHost(on: host.disk, after: 60)
        let again = open(next)
        #expect(again.status == 200)
        #expect(try location(again) == session)
        #expect(again.text.contains(#""name":"main","version":1"#))
        #expect(next.send(.get, session).text.contains(#""count":1"#))
        #expect(open(next, as: .apiKey("bob")).status == 201)
        #expect(host.disk.entries.count == 2)
        #expect(next.send(.get, session).status == 404)
    }

    @Test func `a session that was loaded by its id is found by its name`() throws {
        let host = try StoredHost()
        let session = try location(open(host))
        let next = try StoredHost(on: host.disk, after: 60)
        next.harness.requester = .apiKey("alice")
        #expect(next.send(.get, session).status == 200)
        let again = start(next)
        #expect(again.status == 200)
        #expect(try location(again) == session)
    }

    @Test func `of two simultaneous requests one creates the session, and the other waits until it is stored`() throws {
        let host = try StoredHost()
        let answers = (0..<3).map { _ in start(host) }
        // The names are looked up, and the session is created.
        host.step()
        #expect(answers.allSatisfy { $0.response == nil })
        host.store()
        #expect(answers.map(\.status) == [201, 200, 200])
        #expect(Set(try answers.map { try location($0) }).count == 1)
        #expect(host.disk.entries.count == 1)
    }

    @Test func `two simultaneous requests in the next process load the session once`() throws {
        let host = try StoredHost()
        let session = try location(open(host))
        let next = try StoredHost(on: host.disk, after: 60)
        let answers = (0..<3).map { _ in start(next) }
        let shown = next.start(.get, session)
        next.store()
        #expect(answers.map(\.status) == [200, 200, 200])
        #expect(shown.status == 200)
        #expect(Set(try answers.map { try location($0) }) == [session])
        #expect(next.harness.host.sessionCount == 1)
    }

    @Test func `a request whose session ends meanwhile gets a new one`() throws {
        let host = try StoredHost()
        let first = try location(open(host))
        let next = try StoredHost(on: host.disk, after: 60)
        next.harness.requester = .apiKey("alice")
        #expect(next.send(.get, first).status == 200)
        let deleted = next.start(.delete, first)
        let again = start(next)
        next.store()
        #expect(deleted.status == 204)
        #expect(again.status == 201)
        #expect(try location(again) != first)
        #expect(try location(open(next)) == location(again))
    }

    @Test func `a name is free in the next process if its session has ended`() throws {
        let host = try StoredHost()
        let first = try location(open(host))
        #expect(host.send(.delete, first).status == 204)
        let next = try StoredHost(on: host.disk, after: 60)
        #expect(open(next).status == 201)
        #expect(next.send(.get, first).status == 410)
    }

    @Test func `a name is free when its stored session has expired`() throws {
        let host = try StoredHost { $0.idleExpiry = .seconds(60) }
        let first = try location(open(host))
        let next = try StoredHost(on: host.disk, after: 3600) { $0.idleExpiry = .seconds(60) }
        next.advance(by: 120)
        let again = open(next)
        #expect(again.status == 201)
        #expect(try location(again) != first)
    }

    @Test func `other parameters are a conflict in the next process, too`() throws {
        func body(_ country: String) -> String {
            #"{"machine":"scripted","name":"main","parameters":{"country":"\#(country)"}}"#
        }
        let host = try StoredHost(of: cart("scripted"))
        #expect(open(host, body("FR")).status == 201)
        let next = try StoredHost(on: host.disk, after: 60, of: cart("scripted"))
        #expect(open(next, body("DE")).status == 409)
        #expect(open(next, body("FR")).status == 200)
    }

    @Test func `a session that sleeps is found by its name`() throws {
        let host = try StoredHost(hibernates: true) { $0.hibernateAfter = .seconds(10) }
        let first = open(host)
        let session = try location(first)
        host.advance(by: 30)
        #expect(host.harness.host.sessionCount == 0)
        #expect(host.send(.get, session).text.contains(#""name":"main""#))
        let again = open(host)
        #expect(again.status == 200)
        #expect(try location(again) == session)
    }

    @Test func `a session that a timer has woken has the id that its name leads to`() throws {
        let host = try StoredHost()
        let session = try location(open(host))
        #expect(host.send(.post, session + "/inputs/inAMinute").status == 200)
        let next = try StoredHost(on: host.disk, after: 50)
        next.advance(by: 30)
        #expect(next.harness.host.sessionCount == 1)
        #expect(try location(start(next)) == session)
    }

    @Test func `a session that cannot be restored keeps its name`() throws {
        let host = try StoredHost(version: 2)
        let session = try location(open(host))
        let older = try StoredHost(on: host.disk, after: 60)
        #expect(open(older).status == 503)
        let next = try StoredHost(on: host.disk, after: 120, version: 2)
        #expect(try location(open(next)) == session)
    }

    @Test func `a request waits for a journal that is not open yet`() throws {
        let host = try StoredHost()
        let session = try location(open(host))
        let next = try StoredHost(on: host.disk, after: 60, opens: false)
        let early = start(next)
        #expect(early.response == nil)
        next.harness.requester = .anonymous
        next.open()
        next.store()
        #expect(early.status == 200)
        #expect(try location(early) == session)
    }

    @Test func `sessions that end with the process have names as long as it lasts`() throws {
        let host = try StoredHost(durability: .memory)
        #expect(start(host).status == 201)
        #expect(start(host).status == 200)
        let next = try StoredHost(on: host.disk, after: 60, durability: .memory)
        #expect(start(next).status == 201)
    }
}
