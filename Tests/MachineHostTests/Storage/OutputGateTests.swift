import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// Nothing that depends on a turn leaves the server before the journal has stored the turn.
struct OutputGateTests {
    @Test func `the response to an input waits until the turn is stored`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let answer = host.start(.post, session + "/inputs/increment")
        #expect(answer.response == nil)
        host.store()
        #expect(answer.text == #"{"version":1,"changes":{"count":1,"isEven":false}}"#)
    }

    @Test func `a new session is announced when it is stored`() throws {
        let host = try StoredHost()
        let answer = host.start(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#)
        #expect(answer.response == nil)
        host.store()
        #expect(answer.status == 201)
    }

    @Test(arguments: [("GET", ""), ("GET", "/outputs"), ("POST", "/inputs/unknown")])
    func `a response that shows a turn waits for it`(method: String, path: String) throws {
        let host = try StoredHost()
        let session = host.makeSession()
        _ = host.start(.post, session + "/inputs/increment")
        let answer = host.start(method == "GET" ? .get : .post, session + path)
        #expect(answer.response == nil)
        host.store()
        #expect(answer.response != nil)
    }

    @Test func `another session's response does not wait`() throws {
        let host = try StoredHost()
        let (changed, other) = (host.makeSession(), host.makeSession())
        _ = host.start(.post, changed + "/inputs/increment")
        #expect(host.start(.get, other).status == 200)
        #expect(host.start(.get, "/v1/machines").status == 200)
    }

    @Test func `a stream sends a change when it is stored`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let follower = host.harness.follow(session)
        follower.read()
        #expect(follower.view.version == 0)
        _ = host.start(.post, session + "/inputs/increment")
        #expect(!follower.isReady)
        follower.read()
        #expect(follower.events.count == 1)
        host.store()
        #expect(follower.isReady)
        follower.read()
        #expect(follower.view.version == 1)
    }

    @Test func `a snapshot shows the version that it waited for, also after a further turn`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let follower = host.harness.follow(session)
        _ = host.start(.post, session + "/inputs/increment")
        follower.read()
        #expect(follower.events.isEmpty)
        _ = host.start(.post, session + "/inputs/increment")
        host.store()
        follower.read()
        #expect(follower.events.map(\.event) == ["snapshot", "change"])
        #expect(follower.events.first?.data.contains(#""count":1"#) == true)
        #expect(follower.view.version == 2)
    }

    @Test func `the end of a session is sent and acknowledged when it is stored`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let follower = host.harness.follow(session)
        follower.read()
        let answer = host.start(.delete, session)
        let second = host.start(.get, session)
        follower.read()
        #expect(answer.response == nil)
        #expect(second.response == nil)
        #expect(!follower.hasFinished)
        host.store()
        follower.read()
        #expect(answer.status == 204)
        #expect(second.status == 410)
        #expect(follower.hasFinished)
    }

    @Test func `a stream that starts after the end learns of it when it is stored`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let fields: HTTPFields = [.accept: "text/event-stream"]
        let request = HTTPRequest(
            method: .get, target: session + "/outputs", fields: fields, body: [], peer: .unknown)
        guard case .response(let response) = host.harness.shard.respond(to: request),
            case .stream(let body) = response.body
        else {
            Issue.record("expected a stream")
            return
        }
        _ = host.start(.delete, session)
        let follower = StreamFollower(body)
        follower.read()
        #expect(!follower.hasFinished)
        #expect(follower.view.end == nil)
        host.store()
        follower.read()
        #expect(follower.view.end?.contains("deleted") == true)
        #expect(follower.hasFinished)
    }

    @Test func `a repeated key waits for the first request`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let first = host.start(.post, session + "/inputs/increment", key: "k")
        let again = host.start(.post, session + "/inputs/increment", key: "k")
        #expect(first.response == nil)
        #expect(again.response == nil)
        host.store()
        #expect(first.text == again.text)
        #expect(again.response?.fields.contains(.idempotencyReplayed) == true)
    }

    @Test func `a history keeps changes that no stream could send`() throws {
        let host = try StoredHost { $0.historyChanges = 2 }
        let session = host.makeSession()
        let follower = host.harness.follow(session)
        follower.read()
        for _ in 0..<5 { _ = host.start(.post, session + "/inputs/increment") }
        host.store()
        follower.read()
        #expect(follower.events.map(\.event) == ["snapshot"] + Array(repeating: "change", count: 5))
    }
}
