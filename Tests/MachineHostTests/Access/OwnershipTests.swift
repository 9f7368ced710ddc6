import Access
import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// Sessions that belong to a principal.
struct OwnershipTests {
    private let access: TestAccess

    init() throws { access = try TestAccess() }

    /// What a response tells its client, apart from the number of a random incident.
    private func summary(_ answer: HarnessAnswer) -> String { "\(answer.status.code) \(answer.fields) \(answer.text)" }

    @Test(arguments: [
        (HTTPMethod.get, ""), (.head, ""), (.delete, ""), (.options, ""), (.put, ""), (.post, "/inputs/speak"),
        (.post, "/inputs/unknown"), (.post, "/inputs"), (.get, "/outputs"), (.get, "/outputs?only=nothing"),
        (.post, "/tickets"), (.delete, "/tickets"),
    ])
    func `to others, a session is like one that does not exist`(method: HTTPMethod, path: String) throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let none = "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA"
        let body = method == .post ? "[]" : nil
        for fields in [access.bob, [:]] {
            let answer = harness.send(method, session + path, body: body, fields: fields)
            let missing = harness.send(method, none + path, body: body, fields: fields)
            #expect(answer.status == .notFound)
            #expect(summary(answer) == summary(missing))
        }
        #expect(harness.send(.get, session, fields: access.ada).status == .ok)
    }

    @Test func `a stream of another principal's session gets 404, before and after its end`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        func open(_ fields: HTTPFields) -> HTTPStatus {
            var fields = fields
            fields.append(.accept, "text/event-stream")
            fields.append(.lastEventID, "1.0")
            return harness.send(.get, session + "/outputs", fields: fields).status
        }
        #expect(open(access.bob) == .notFound)
        #expect(harness.host.streamCount == 0)
        #expect(harness.send(.delete, session, fields: access.ada).status == .noContent)
        #expect(open(access.ada) == .noContent)
        #expect(open(access.bob) == .notFound)
        #expect(open([:]) == .notFound)
        #expect(harness.send(.get, session, fields: access.ada).status == .gone)
        #expect(harness.send(.get, session, fields: access.bob).status == .notFound)
    }

    @Test func `a request of a stranger does not keep a session from expiring`() throws {
        let harness = try access.harness { $0.idleExpiry = .seconds(60) }
        let session = harness.makeSession(as: access.ada)
        harness.loop.advance(by: .seconds(50))
        #expect(harness.send(.get, session, fields: access.bob).status == .notFound)
        harness.loop.advance(by: .seconds(15))
        #expect(harness.send(.get, session, fields: access.ada).status == .gone)
    }

    @Test func `a session without an owner is for everyone who knows its id`() throws {
        let harness = try access.harness()
        let session = harness.makeSession()
        #expect(harness.send(.get, session, fields: access.ada).status == .ok)
        #expect(harness.send(.get, session).status == .ok)
    }

    @Test func `the key of a creation belongs to its principal`() throws {
        let harness = try access.harness()
        let key = "a-key-of-more-than-22-characters"
        let first = harness.makeSession(as: access.ada, key: key)
        let others = [harness.makeSession(as: access.bob, key: key), harness.makeSession(as: [:], key: key)]
        #expect(Set(others + [first]).count == 3)
        let again = harness.create(as: access.ada, key: key)
        #expect(again.fields.value(.location) == first)
        #expect(again.fields.value(.idempotencyReplayed) == "true")
        // Only a capability needs a long key.
        #expect(harness.create(as: access.ada, key: "short").status == .created)
        #expect(harness.create(as: [:], key: "short").status == .badRequest)
    }

    @Test func `the keys of two senders in one session are different keys`() throws {
        let harness = try access.harness()
        let session = harness.makeSession()
        for fields in [access.ada, access.bob, access.ada, [:]] {
            var fields = fields
            fields.append(.idempotencyKey, "k")
            #expect(harness.send(.post, session + "/inputs/speak", fields: fields).status == .ok)
        }
        #expect(harness.send(.get, session).text.contains(#""senders":"ada;bob;nobody;""#))
    }

    @Test func `the machine knows its creator, and the sender of each input`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        #expect(harness.send(.post, session + "/inputs/speak", fields: access.ada).status == .ok)
        let batch = #"[{"input":"speak"},{"input":"speak"}]"#
        #expect(harness.send(.post, session + "/inputs", body: batch, fields: access.ada).status == .ok)
        let text = harness.send(.get, session, fields: access.ada).text
        #expect(text.contains(#""creator":"ada","senders":"ada;ada;ada;""#))
        _ = harness.send(.post, session + "/inputs/later", fields: access.ada)
        #expect(harness.send(.get, session, fields: access.ada).text.contains(#""senders":"nobody""#))
    }
}
