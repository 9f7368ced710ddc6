import HTTPModel
import Locking
import MachineHost
import MachineTesting
import Testing

struct ConditionTests {
    @Test func `If-Match accepts an input at the given version only`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        #expect(harness.input(session, "increment", fields: [.ifMatch: "\"0\""]).status == .ok)
        let refused = harness.input(session, "increment", fields: [.ifMatch: "\"0\""])
        #expect(refused.status == .preconditionFailed)
        #expect(refused.text.hasSuffix("\"version\":1}"))
        #expect(
            harness.input(session, "increment", fields: [.ifMatch: "W/\"1\""]).status
                == .preconditionFailed)
        #expect(harness.input(session, "increment", fields: [.ifMatch: "1"]).status == .badRequest)
        #expect(
            harness.input(session, "increment", fields: [.ifMatch: "*"]).text.hasPrefix("{\"version\":2"))
        #expect(harness.input(session, "increment", fields: [.ifMatch: "\"7\", \"2\""]).status == .ok)
    }

    @Test func `an entity tag is the position of a version in the stream`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        harness.input(session, "increment")
        let stream = try #require(
            harness.send(.get, session + "/outputs", fields: [.accept: "text/event-stream"]).stream)
        let follower = StreamFollower(stream)
        follower.read()
        let position = follower.lastEventID
        for target in [session, session + "/outputs"] {
            #expect(harness.send(.get, target).fields.value(.eTag) == "\"\(position)\"")
        }
        let tag = try #require(HTTPFieldValue("\"\(position)\""))
        #expect(harness.input(session, "increment", fields: [.ifMatch: tag]).status == .ok)
        let refused = harness.input(session, "increment", fields: [.ifMatch: tag])
        #expect(refused.status == .preconditionFailed)
        // What the client needs to decide again.
        #expect(refused.fields[.eTag] == harness.send(.get, session).fields[.eTag])
    }

    @Test func `a version of another epoch does not match`() throws {
        let harness = try HostHarness.counting()
        let (session, other) = (harness.makeSession(), harness.makeSession())
        let tag = try #require(harness.send(.get, other).fields[.eTag])
        #expect(harness.send(.get, session, fields: [.ifNoneMatch: tag]).status == .ok)
        #expect(harness.input(session, "increment", fields: [.ifMatch: tag]).status == .preconditionFailed)
    }

    @Test func `If-None-Match omits the body that the client already has`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        for target in [session, session + "/outputs"] {
            let current = try #require(harness.send(.get, target).fields[.eTag])
            for tag: HTTPFieldValue in [current, "\"0\"", "W/\"0\"", "*", "\"9\", \"0\""] {
                let answer = harness.send(.get, target, fields: [.ifNoneMatch: tag])
                #expect(answer.status == .notModified)
                #expect(answer.text.isEmpty)
                #expect(answer.fields[.eTag] == current)
            }
            #expect(harness.send(.get, target, fields: [.ifNoneMatch: "\"1\""]).status == .ok)
        }
    }

    @Test func `a keyed request runs once, and its response is repeated`() throws {
        let harness = try HostHarness.counting()
        let (session, other) = (harness.makeSession(), harness.makeSession())
        let key: HTTPFields = [.idempotencyKey: "\"k\""]
        let first = harness.input(session, "add", "1", fields: key)
        #expect(first.text == "{\"version\":1,\"changes\":{\"count\":1,\"isEven\":false}}")
        #expect(!first.fields.contains(.idempotencyReplayed))
        harness.input(session, "increment")
        let again = harness.input(session, "add", "1", fields: key)
        #expect(again.text == first.text)
        #expect(again.fields.value(.idempotencyReplayed) == "true")
        #expect(harness.input(session, "add", "2", fields: key).status == .unprocessableContent)
        #expect(harness.input(session, "increment", "1", fields: key).status == .unprocessableContent)
        #expect(!harness.input(other, "add", "1", fields: key).fields.contains(.idempotencyReplayed))
        #expect(harness.send(.get, session + "/outputs").text.hasPrefix("{\"count\":2"))
    }

    @Test
    func `a key is remembered for the window, and a rejected request does not consume it`()
        throws
    {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let fields: HTTPFields = [.idempotencyKey: "k", .ifMatch: "\"1\""]
        #expect(harness.input(session, "increment", fields: fields).status == .preconditionFailed)
        harness.input(session, "increment")
        #expect(harness.input(session, "increment", fields: fields).text.hasPrefix("{\"version\":2"))
        #expect(
            harness.input(session, "increment", fields: fields).fields.contains(.idempotencyReplayed))
        harness.loop.advance(by: .seconds(601))
        #expect(harness.input(session, "increment", fields: fields).status == .preconditionFailed)
        #expect(
            harness.input(session, "increment", fields: [.idempotencyKey: ""]).status == .badRequest)
    }

    @Test func `a condition may span several field lines, and a malformed one is rejected`()
        throws
    {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        #expect(
            harness.input(session, "increment", fields: [.ifMatch: "\"9\"", .ifMatch: "\"0\""]).status
                == .ok)
        for value: HTTPFieldValue in ["", "1", "\"1", "*, \"1\"", "\"1\" \"2\"", ","] {
            let answer = harness.input(session, "increment", fields: [.ifMatch: value])
            #expect(answer.status == .badRequest, "\(value.string)")
            #expect(answer.text.contains("/problems/malformed-request"))
        }
        let seen: HTTPFields = [.ifNoneMatch: "\"9\"", .ifNoneMatch: "\"1\""]
        #expect(harness.send(.get, session, fields: seen).status == .notModified)
        #expect(harness.send(.get, session, fields: [.ifNoneMatch: "1"]).status == .ok)
    }

    @Test func `conditions apply to a batch, to deleting a session and to reading it`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let (stale, current): (HTTPFields, HTTPFields) = ([.ifMatch: "\"1\""], [.ifMatch: "\"0\""])
        let batch = "[{\"input\":\"nothing\"}]"
        #expect(
            harness.send(.post, session + "/inputs", body: batch, fields: stale).status
                == .preconditionFailed)
        #expect(harness.send(.post, session + "/inputs", body: batch, fields: current).status == .ok)
        for target in [session, session + "/outputs"] {
            #expect(harness.send(.get, target, fields: stale).status == .preconditionFailed)
            #expect(harness.send(.get, target, fields: current).status == .ok)
        }
        #expect(harness.send(.delete, session, fields: stale).status == .preconditionFailed)
        #expect(harness.send(.delete, session, fields: current).status == .noContent)
    }

    @Test func `If-None-Match rejects an input at a version that it names`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        for tag: HTTPFieldValue in ["*", "\"0\"", "W/\"0\""] {
            let answer = harness.input(session, "increment", fields: [.ifNoneMatch: tag])
            #expect(answer.status == .preconditionFailed)
            #expect(answer.text.hasSuffix("\"version\":0}"))
        }
        #expect(harness.input(session, "increment", fields: [.ifNoneMatch: "\"1\""]).status == .ok)
    }

    @Test(arguments: ["", "\"\"", String(repeating: "k", count: 256)])
    func `a key has 1 to 255 characters`(key: String) throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let fields: HTTPFields = [.idempotencyKey: try #require(HTTPFieldValue(key))]
        #expect(harness.input(session, "increment", fields: fields).status == .badRequest)
        #expect(
            harness.input(session, "increment", fields: [.idempotencyKey: "a", .idempotencyKey: "a"])
                .status == .badRequest)
        #expect(harness.send(.get, session).text.contains("\"version\":0,"))
        let longest: HTTPFields = [
            .idempotencyKey: try #require(HTTPFieldValue(String(repeating: "k", count: 255)))
        ]
        #expect(harness.input(session, "increment", fields: longest).status == .ok)
    }

    @Test
    func `a key is the same with and without quotes, and applies to batches as well as inputs`()
        throws
    {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let batch = "[{\"input\":\"increment\"}]"
        let first = harness.send(
            .post, session + "/inputs", body: batch, fields: [.idempotencyKey: "\"k\""])
        let again = harness.send(
            .post, session + "/inputs", body: batch, fields: [.idempotencyKey: "k"])
        #expect(again.text == first.text)
        #expect(again.fields.value(.idempotencyReplayed) == "true")
        let other = harness.send(
            .post, session + "/inputs", body: batch + " ", fields: [.idempotencyKey: "k"])
        #expect(other.status == .unprocessableContent)
        #expect(other.text.contains("/problems/idempotency-mismatch"))
    }

    @Test func `a rejected value does not consume its key`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let key: HTTPFields = [.idempotencyKey: "k"]
        #expect(harness.input(session, "add", "true", fields: key).status == .unprocessableContent)
        #expect(harness.input(session, "add", "1", fields: key).status == .ok)
    }

    @Test func `no keys are remembered if the configuration disables them`() throws {
        let off = try HostHarness.counting { $0.idempotencyKeys = 0 }
        let unkeyed = off.makeSession()
        for version in 1...2 {
            let answer = off.input(unkeyed, "increment", fields: [.idempotencyKey: "a"])
            #expect(answer.text.hasPrefix("{\"version\":\(version)"))
        }
    }

    @Test func `reusing a key while its first request is running is a conflict`() throws {
        let inner = Lock<[HTTPStatus]>([])
        let host = Lock<Unshared?>(nil)
        let harness = try HostHarness([
            ScriptedMachine.definition(
                outputs: ["count"],
                inputs: [
                    "again": { _, _ in
                        guard let (shard, request) = host.withLock({ $0 })?.value else { return }
                        guard case .response(let answer) = shard.respond(to: request) else { return }
                        inner.withLock { $0.append(answer.status) }
                    }
                ])
        ])
        let session = harness.makeSession()
        let fields: HTTPFields = [.idempotencyKey: "k"]
        let request = HTTPRequest(method: .post, target: session + "/inputs/again", fields: fields)
        host.withLock { $0 = Unshared(value: (harness.shard, request)) }
        #expect(harness.input(session, "again", fields: fields).status == .ok)
        #expect(inner.withLock { $0 } == [.conflict])
        #expect(harness.input(session, "again", fields: fields).fields.contains(.idempotencyReplayed))
        host.withLock { $0 = nil }
    }

    @Test func `a session describes itself`() throws {
        let harness = try HostHarness.counting { $0.idleExpiry = .seconds(3600) }
        let made = harness.send(.post, "/v1/sessions", body: "{\"machine\":\"scripted\"}")
        #expect(made.status == .created)
        let tag = try #require(made.fields.value(.eTag))
        #expect(tag.hasSuffix(".0\"") && tag.utf8.count == 10)
        #expect(made.fields.value(.cacheControl) == "no-store")
        let path = try #require(made.fields.value(.location))
        let id = path.dropFirst("/v1/sessions/".count)
        #expect(id.utf8.count == 22)
        #expect(
            made.text == """
                {"id":"\(id)","machine":"scripted","version":0,"durability":"memory","outputs":{"count":0,"isEven":true},\
                "created":"2026-01-01T00:00:00Z","expires":"2026-01-01T01:00:00Z"}
                """)
        #expect(harness.send(.get, path).text == made.text)
        #expect(harness.send(.head, path).fields.value(.eTag) == tag)
    }

    @Test func `the outputs are JSON unless the client requests another type`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        for accept: HTTPFieldValue in ["*/*", "application/json", "application/*;q=0.1, text/html"] {
            let answer = harness.send(.get, session + "/outputs", fields: [.accept: accept])
            #expect(answer.text == "{\"count\":0,\"isEven\":true}")
            #expect(answer.fields.value(.contentType) == "application/json")
        }
        #expect(harness.send(.get, session + "/outputs?only=isEven").text == "{\"isEven\":true}")
    }

    @Test func `machines are described with their inputs and outputs`() throws {
        let harness = try HostHarness([
            ScriptedMachine.definition("one", outputs: ["a"], events: ["b"], inputs: ["c": { _, _ in }])
        ])
        let one = """
            {"name":"one","summary":"A machine for tests.","durability":"memory","inputs":[{"name":"c","schema":true}],\
            "outputs":[{"name":"a","kind":"value","schema":true},{"name":"b","kind":"event","schema":true}]}
            """
        #expect(harness.send(.get, "/v1/machines/one").text == one)
        #expect(harness.send(.get, "/v1/machines").text == "{\"machines\":[\(one)]}")
    }
}

/// A shard of a host and a request for it.
///
/// Sendable because tests use it on the loop's thread only.
private struct Unshared: @unchecked Sendable {
    let value: (SessionShard, HTTPRequest)
}
