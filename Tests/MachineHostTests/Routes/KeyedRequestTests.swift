import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// The guarantees for requests with an `Idempotency-Key`.
struct KeyedRequestTests {
    private let create = "{\"machine\":\"scripted\"}"

    private func key(_ text: String) throws -> HTTPFields { [.idempotencyKey: try #require(HTTPFieldValue(text))] }

    /// A key that is long enough not to be guessed.
    private func long(_ number: Int) -> String { "0123456789-0123456789-\(number)" }

    private func text(_ size: Int) -> String { "\"" + String(repeating: "x", count: size - 2) + "\"" }

    @Test func `a large request does not evict any key`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let first = harness.input(session, "increment", fields: try key("first"))
        let large = harness.input(session, "late", text(20_000), fields: try key("large"))
        #expect(large.status == .ok)
        harness.loop.advance(by: .seconds(599))
        let again = harness.input(session, "increment", fields: try key("first"))
        #expect(again.text == first.text)
        #expect(again.fields.value(.idempotencyReplayed) == "true")
        #expect(harness.input(session, "late", text(20_000), fields: try key("large")).text == large.text)
        let other = harness.input(session, "late", text(20_001), fields: try key("large"))
        #expect(other.status == .unprocessableContent)
    }

    @Test func `a key that was received within a second is remembered for its whole time`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        harness.loop.advance(by: .milliseconds(900))
        let first = harness.input(session, "increment", fields: try key("first"))
        let made = harness.send(.post, "/v1/sessions", body: create, fields: try key(long(1)))
        harness.loop.advance(by: .milliseconds(599_999))
        #expect(harness.input(session, "increment", fields: try key("first")).text == first.text)
        #expect(harness.send(.post, "/v1/sessions", body: create, fields: try key(long(1))).text == made.text)
        harness.loop.advance(by: .milliseconds(1))
        #expect(harness.input(session, "increment", fields: try key("first")).text != first.text)
        #expect(harness.send(.post, "/v1/sessions", body: create, fields: try key(long(1))).text != made.text)
    }

    @Test func `a key above the limit is rejected with the time to retry`() throws {
        let harness = try HostHarness.counting { $0.idempotencyKeys = 3 }
        let session = harness.makeSession()
        for number in 0..<3 {
            harness.input(session, "increment", fields: try key("\(number)"))
            harness.loop.advance(by: .seconds(10))
        }
        let refused = harness.input(session, "increment", fields: try key("more"))
        #expect(refused.status == .tooManyRequests)
        #expect(refused.fields.value(.retryAfter) == "570")
        #expect(refused.text.contains("/problems/too-many-keys"))
        #expect(harness.input(session, "increment").text.hasPrefix("{\"version\":4,"))
        for number in 0..<3 {
            let again = harness.input(session, "increment", fields: try key("\(number)"))
            #expect(again.fields.contains(.idempotencyReplayed))
        }
        harness.loop.advance(by: .seconds(570))
        #expect(harness.input(session, "increment", fields: try key("more")).text.hasPrefix("{\"version\":5,"))
    }

    @Test func `a response that is too large is repeated without its changes`() throws {
        let harness = try HostHarness.counting { $0.idempotencyBytes = 40_000 }
        let session = harness.makeSession()
        for (name, size) in [("a", 11_000), ("b", 200_000)] {
            let first = harness.input(session, "late", text(size), fields: try key(name))
            #expect(first.text.contains(text(size)))
            let again = harness.input(session, "late", text(size), fields: try key(name))
            #expect(again.status == .ok)
            #expect(again.fields.value(.idempotencyReplayed) == "true")
            #expect(again.text == first.text.replacing("{\"late\":\(text(size))}", with: "null"))
        }
        let fits = harness.input(session, "late", text(9000), fields: try key("c"))
        #expect(harness.input(session, "late", text(9000), fields: try key("c")).text == fits.text)
    }

    @Test func `a session without keys has no window`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        harness.input(session, "increment")
        #expect(harness.session(at: session)?.idempotency == nil)
        #expect(harness.shard.creations.count == 0)
    }

    @Test func `a keyed session is created once`() throws {
        let harness = try HostHarness.counting()
        let first = harness.send(.post, "/v1/sessions", body: create, fields: try key(long(1)))
        #expect(first.status == .created)
        #expect(!first.fields.contains(.idempotencyReplayed))
        let path = try #require(first.fields.value(.location))
        harness.input(path, "increment")
        let again = harness.send(.post, "/v1/sessions", body: create, fields: try key("\"\(long(1))\""))
        #expect(again.status == .created)
        #expect(again.text == first.text)
        #expect(again.fields.value(.location) == path)
        #expect(again.fields.contains(.eTag) && again.fields[.eTag] == first.fields[.eTag])
        #expect(again.fields.value(.idempotencyReplayed) == "true")
        #expect(harness.host.sessionCount == 1)
        let other = harness.send(.post, "/v1/sessions", body: create + " ", fields: try key(long(1)))
        #expect(other.status == .unprocessableContent)
        #expect(other.text.contains("/problems/idempotency-mismatch"))
        _ = harness.send(.delete, path)
        #expect(harness.send(.post, "/v1/sessions", body: create, fields: try key(long(1))).text == first.text)
        #expect(harness.host.sessionCount == 0)
        harness.loop.advance(by: .seconds(600))
        let anew = harness.send(.post, "/v1/sessions", body: create, fields: try key(long(1)))
        #expect(anew.status == .created)
        #expect(anew.fields.value(.location) != path)
    }

    @Test func `a key for creating a session must be hard to guess`() throws {
        let harness = try HostHarness.counting()
        for text in ["", "k", String(repeating: "k", count: 21), "\"" + String(repeating: "k", count: 21) + "\""] {
            let answer = harness.send(.post, "/v1/sessions", body: create, fields: try key(text))
            #expect(answer.status == .badRequest)
            #expect(answer.text.contains("22"))
        }
        let shortest = try key(String(repeating: "k", count: 22))
        #expect(harness.send(.post, "/v1/sessions", body: create, fields: shortest).status == .created)
        let off = try HostHarness.counting { $0.idempotencyKeys = 0 }
        #expect(off.send(.post, "/v1/sessions", body: create, fields: try key("k")).status == .created)
    }

    @Test func `a request that created no session does not consume its key`() throws {
        let harness = try HostHarness.counting { $0.maxSessions = 1 }
        let session = harness.makeSession()
        let key = try key(long(1))
        #expect(harness.send(.post, "/v1/sessions", body: create, fields: key).status == .serviceUnavailable)
        #expect(harness.send(.post, "/v1/sessions", body: "{}", fields: key).status == .unprocessableContent)
        #expect(harness.send(.post, "/v1/sessions", body: "{\"machine\":\"no\"}", fields: key).status == .notFound)
        _ = harness.send(.delete, session)
        let made = harness.send(.post, "/v1/sessions", body: create, fields: key)
        #expect(made.status == .created)
        #expect(!made.fields.contains(.idempotencyReplayed))
    }

    @Test func `keys for creating sessions are limited and counted`() throws {
        let harness = try HostHarness.counting { $0.creationKeys = 2 }
        let before = harness.host.retainedByteCount
        for number in 0..<2 {
            let made = harness.send(.post, "/v1/sessions", body: create, fields: try key(long(number)))
            _ = harness.send(.delete, try #require(made.fields.value(.location)))
        }
        #expect(harness.host.retainedByteCount > before)
        let refused = harness.send(.post, "/v1/sessions", body: create, fields: try key(long(3)))
        #expect(refused.status == .tooManyRequests)
        #expect(refused.fields.value(.retryAfter) == "600")
        #expect(harness.send(.post, "/v1/sessions", body: create).status == .created)
        #expect(harness.send(.post, "/v1/sessions", body: create, fields: try key(long(0))).status == .created)
        harness.loop.advance(by: .seconds(600))
        #expect(harness.shard.creations.count == 0)
        #expect(harness.send(.post, "/v1/sessions", body: create, fields: try key(long(3))).status == .created)
    }

    @Test func `the keys of one client do not keep others from creating sessions`() throws {
        let harness = try HostHarness.counting { $0.creationKeys = 20 }
        func make(_ number: Int, _ address: String) throws -> HarnessAnswer {
            harness.send(
                .post, "/v1/sessions", body: create, fields: try key(long(number)),
                from: HTTPPeer(address: address, port: 1))
        }
        for number in 0..<20 {
            let made = try make(number, "192.0.2.1")
            _ = harness.send(.delete, try #require(made.fields.value(.location)))
        }
        #expect(try make(20, "192.0.2.1").status == .tooManyRequests)
        let other = try make(21, "192.0.2.2")
        #expect(other.status == .created)
        #expect(try make(21, "192.0.2.2").fields.value(.location) == other.fields.value(.location))
        #expect(try make(20, "192.0.2.1").status == .tooManyRequests)
        #expect(harness.shard.creations.count == 20)
    }

    @Test func `the repeated response for a session with large outputs omits them`() throws {
        let large = text(100_000)
        let harness = try HostHarness([
            ScriptedMachine.definition(outputs: ["a"], made: { $0.set("a", to: large) })
        ])
        let first = harness.send(.post, "/v1/sessions", body: create, fields: try key(long(1)))
        #expect(first.text.contains(large))
        let again = harness.send(.post, "/v1/sessions", body: create, fields: try key(long(1)))
        #expect(again.text == first.text.replacing("{\"a\":\(large)}", with: "null"))
        #expect(again.fields.value(.location) == first.fields.value(.location))
    }

    @Test func `a key for creating a session belongs to one loop`() throws {
        let host = try SessionHost([counter()])
        let shards = (0..<4).map { host.makeShard(on: VirtualEventLoop(index: $0, count: 4)) }
        var places: Set<Int> = []
        for number in 0..<64 {
            let request = HTTPRequest(
                method: .post, target: "/v1/sessions", fields: try key(long(number)), body: Array(create.utf8))
            let found = Set(shards.flatMap { shard in (0..<3).map { _ in shard.placement(of: request) } })
            #expect(found.count == 1)
            places.formUnion(found.compactMap(\.self))
        }
        #expect(places == [0, 1, 2, 3])
    }
}
