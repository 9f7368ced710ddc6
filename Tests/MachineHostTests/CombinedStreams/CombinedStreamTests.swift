import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// Combined streams of sessions on one loop.
struct CombinedStreamTests {
    private let harness: LoopHarness
    private let client = CombinedClient()
    private let sessions: [String]

    init() throws {
        harness = try LoopHarness(1)
        sessions = [harness.makeSession(on: 0), harness.makeSession(on: 0), harness.makeSession(on: 0)]
    }

    @Test func `each session begins with its snapshot and continues with its changes`() throws {
        let response = try #require(harness.open("session=\(sessions[0])&session=\(sessions[1])"))
        #expect(response.status == .ok)
        #expect(
            response.fields == [
                .contentType: "text/event-stream", .cacheControl: "no-store, no-transform", .xAccelBuffering: "no",
            ])
        #expect(harness.connect(client, to: sessions))
        client.read()
        for session in sessions { #expect(client.names(of: session) == ["snapshot"]) }
        #expect(client.follower?.retry == .milliseconds(2000))
        harness.input(sessions[1], "increment")
        #expect(client.follower?.isReady == true)
        client.read()
        #expect(client.names(of: sessions[1]) == ["snapshot", "change"])
        #expect(client.outputs(of: sessions[1]) == ["count": "1", "isEven": "false"])
        #expect(client.names(of: sessions[0]) == ["snapshot"])
        #expect(client.follower?.text.hasPrefix("retry: 2000\n\nevent: snapshot\nid: ") == true)
    }

    @Test func `the id of an event is the position in all sessions, and is continued by session`() throws {
        harness.connect(client, to: sessions)
        client.read()
        harness.input(sessions[2], "increment")
        client.read()
        let positions = client.lastEventID.split(separator: "~")
        #expect(positions.count == 3)
        #expect(positions.map { $0.suffix(2) } == [".0", ".0", ".1"])
        client.cut()
        harness.input(sessions[0], "complain", "1")
        harness.input(sessions[2], "complain", "2")
        let added = harness.makeSession(on: 0)
        // In another order, without one session and with a new one.
        harness.connect(client, to: [sessions[2], added, sessions[0]])
        client.read()
        #expect(client.names(of: sessions[2]) == ["resume", "change"])
        #expect(client.names(of: sessions[0]) == ["resume", "change"])
        #expect(client.names(of: added) == ["snapshot"])
        #expect(client.names(of: sessions[1]).isEmpty)
        #expect(client.views[sessions[0]]?.emitted.count == 1)
        #expect(client.views.values.allSatisfy { $0.violations.isEmpty })
    }

    @Test func `positions of single streams and of combined ones continue each other`() throws {
        harness.connect(client, to: sessions)
        client.read()
        harness.input(sessions[1], "increment")
        let text = client.lastEventID
        let single = harness.send(
            HTTPRequest(
                method: .get, target: "/v1/sessions/\(sessions[1])/outputs?lastEventID=\(text)",
                fields: [.accept: "text/event-stream"]), on: 0)
        guard case .stream(let body)? = single?.body else {
            Issue.record("expected a stream")
            return
        }
        let follower = StreamFollower(body)
        follower.read()
        #expect(follower.events.map(\.event) == ["resume", "change"])
        let joined = harness.open("session=\(sessions[1])&session=\(sessions[0])&lastEventID=\(follower.lastEventID)")
        guard case .stream(let next)? = joined?.body else {
            Issue.record("expected a stream")
            return
        }
        client.connect(next)
        client.read()
        #expect(client.names(of: sessions[1]) == ["resume"])
        #expect(client.names(of: sessions[0]) == ["snapshot"])
    }

    @Test func `a position that is cut off before other sessions have begun keeps theirs`() throws {
        harness.connect(client, to: sessions)
        client.read()
        for session in sessions { harness.input(session, "complain", "1") }
        harness.connect(client, to: sessions.reversed())
        // Only the first session's events fit.
        client.readOnce(limit: 1)
        client.readOnce(limit: 1)
        #expect(client.events.count < 3)
        harness.connect(client, to: sessions)
        client.read()
        for session in sessions { #expect(client.views[session]?.emitted == ["{\"output\":\"error\",\"value\":1}"]) }
        #expect(client.views.values.allSatisfy { $0.violations.isEmpty })
    }

    @Test func `a session's own filter limits it`() throws {
        let query = "session=\(sessions[0])&only=count&session=\(sessions[1])&session=\(sessions[2])&only=isEven,late"
        guard case .stream(let body)? = harness.open(query)?.body else {
            Issue.record("expected a stream")
            return
        }
        client.connect(body)
        for session in sessions { harness.input(session, "add", "2") }
        client.read()
        #expect(client.outputs(of: sessions[0]) == ["count": "2"])
        #expect(client.outputs(of: sessions[1]) == ["count": "2", "isEven": "true"])
        #expect(client.outputs(of: sessions[2]) == ["isEven": "true"])
    }

    @Test func `sessions end one by one, and with the last one the stream`() throws {
        let unknown = SessionID.random(onLoop: 0, of: 1).text
        harness.delete(sessions[2])
        harness.connect(client, to: [sessions[0], unknown, sessions[1], sessions[2]])
        client.read()
        #expect(client.views[unknown]?.end == "{\"reason\":\"unknown\"}")
        #expect(client.views[sessions[2]]?.end == "{\"reason\":\"deleted\"}")
        harness.delete(sessions[0])
        client.read()
        #expect(client.views[sessions[0]]?.end == "{\"reason\":\"deleted\"}")
        #expect(client.follower?.hasFinished == false)
        harness.input(sessions[1], "increment")
        client.read()
        #expect(client.outputs(of: sessions[1])?["count"] == "1")
        harness.delete(sessions[1])
        client.read()
        #expect(client.follower?.hasFinished == true)
        #expect(client.events.last?.session == sessions[1])
        #expect(harness.host.streamCount == 0)
        // An `EventSource` reconnects by itself, and must stop.
        let again = harness.open(
            "session=\(sessions[0])&session=\(sessions[1])&session=\(unknown)", after: client.lastEventID)
        #expect(again?.status == .noContent)
        let added = harness.makeSession(on: 0)
        #expect(harness.open("session=\(sessions[0])&session=\(added)", after: client.lastEventID)?.status == .ok)
    }

    @Test(arguments: [
        "", "only=count", "session=short", "session=", "session", "session=%FF", "only=count&session=SESSION",
        "session=SESSION&session=SESSION", "session=SESSION&only=count&only=isEven", "session=SESSION&only=%FF",
    ])
    func `a query without 1 to 64 different sessions is refused`(query: String) throws {
        let response = harness.open(query.replacing("SESSION", with: sessions[0]))
        #expect(response?.status == .badRequest)
        #expect(harness.host.streamCount == 0)
    }

    @Test func `64 sessions are accepted, and 65 are not`() throws {
        let ids = (0..<65).map { _ in "session=" + SessionID.random(onLoop: 0, of: 1).text }
        #expect(harness.open(ids.joined(separator: "&"))?.status == .badRequest)
        guard case .stream(let body)? = harness.open(ids.prefix(64).joined(separator: "&"))?.body else {
            Issue.record("expected a stream")
            return
        }
        client.connect(body)
        client.read(limit: 100)
        #expect(client.views.values.filter { $0.end == "{\"reason\":\"unknown\"}" }.count == 64)
        #expect(client.follower?.hasFinished == true)
        #expect(client.lastEventID.utf8.count <= CombinedPosition.maxBytes)
    }

    @Test func `only an event stream is offered, and only for reading`() throws {
        let target = "/v1/outputs?session=\(sessions[0])"
        let json = harness.send(HTTPRequest(method: .get, target: target, fields: [.accept: "application/json"]), on: 0)
        #expect(json?.status == .notAcceptable)
        #expect(harness.send(HTTPRequest(method: .post, target: target), on: 0)?.status == .methodNotAllowed)
        let head = harness.send(HTTPRequest(method: .head, target: target), on: 0)
        #expect(head?.status == .ok)
        #expect(harness.host.streamCount == 0)
    }
}

/// The limits and times of combined streams.
struct CombinedStreamLimitTests {
    @Test func `a combined stream counts once for the server and once for each session`() throws {
        let harness = try LoopHarness(1) {
            $0.maxStreams = 2
            $0.maxStreamsPerSession = 1
        }
        let sessions = (0..<3).map { _ in harness.makeSession(on: 0) }
        let (first, second) = (CombinedClient(), CombinedClient())
        #expect(harness.connect(first, to: Array(sessions.prefix(2))))
        first.read()
        #expect(harness.host.streamCount == 1)
        #expect(harness.connect(second, to: Array(sessions.suffix(2))))
        second.read()
        #expect(second.views[sessions[1]]?.end == "{\"reason\":\"busy\"}")
        #expect(second.names(of: sessions[2]) == ["snapshot"])
        #expect(harness.open("session=\(sessions[2])")?.isRefusal == true)
        first.cut()
        #expect(harness.host.streamCount == 1)
        #expect(harness.connect(second, to: Array(sessions.suffix(2))))
        second.read()
        #expect(second.names(of: sessions[1]) == ["snapshot"])
        second.cut()
        #expect(harness.host.streamCount == 0)
    }

    @Test func `a stream whose sessions are all busy asks its client to come back`() throws {
        let harness = try LoopHarness(1) { $0.maxStreamsPerSession = 1 }
        let session = harness.makeSession(on: 0)
        let (first, second) = (CombinedClient(), CombinedClient())
        harness.connect(first, to: [session])
        first.read()
        harness.connect(second, to: [session])
        second.read()
        #expect(second.follower?.hasFinished == true)
        #expect(second.events.last?.session == "")
        #expect(second.events.last?.event.data == "{\"reason\":\"busy\"}")
        #expect(second.follower?.text.contains("\n\nretry: ") == true)
    }

    @Test func `a key that no feed has does not open a part of a stream`() throws {
        let harness = try LoopHarness(1) { $0.maxStreams = 1 }
        let session = harness.makeSession(on: 0)
        #expect(harness.connect(CombinedClient(), to: [session]))
        let answer = harness.send(
            HTTPRequest(
                method: .get, target: "/v1/sessions/\(session)/outputs?member=\(session)",
                fields: [.accept: "text/event-stream"]), on: 0)
        #expect(answer?.isRefusal == true)
        #expect(harness.shards[0].pending.isEmpty)
    }

    @Test func `a response that is never read releases its place`() throws {
        let harness = try LoopHarness(1)
        let session = harness.makeSession(on: 0)
        var response = harness.open("session=\(session)")
        #expect(response?.status == .ok)
        #expect(harness.host.streamCount == 1)
        response = nil
        #expect(harness.host.streamCount == 0)
    }

    @Test func `a silent stream gets one comment per interval, and keeps its sessions alive`() throws {
        let harness = try LoopHarness(2) { $0.idleExpiry = .seconds(20) }
        let sessions = [harness.makeSession(on: 0), harness.makeSession(on: 1)]
        let client = CombinedClient()
        harness.connect(client, to: sessions)
        harness.settle(client)
        let count = client.follower?.text.count ?? 0
        for _ in 0..<60 {
            harness.advance(by: 1)
            client.read()
        }
        let comments = client.follower?.text.dropFirst(count) ?? ""
        #expect(comments == Substring(String(repeating: ": keep-alive\n\n", count: comments.count / 14)))
        #expect((3...4).contains(comments.count / 14))
        client.cut()
        harness.advance(by: 30)
        #expect(harness.host.sessionCount == 0)
    }

    @Test func `a stream ends after its lifetime as a whole, and continues without a gap`() throws {
        let harness = try LoopHarness(2) { $0.streamLifetime = .seconds(100) }
        let sessions = [harness.makeSession(on: 0), harness.makeSession(on: 1)]
        let client = CombinedClient()
        harness.connect(client, to: sessions)
        harness.settle(client)
        var seconds = 0
        while client.follower?.hasFinished == false, seconds < 200 {
            seconds += 1
            harness.advance(by: 1)
            harness.settle(client)
        }
        #expect((90...112).contains(seconds))
        #expect(client.events.filter { $0.event.event == "end" }.count == 1)
        #expect(client.events.last?.event.data == "{\"reason\":\"rotated\"}")
        for session in sessions { harness.input(session, "complain", "1") }
        harness.connect(client, to: sessions)
        harness.settle(client)
        for session in sessions { #expect(client.names(of: session) == ["resume", "change"]) }
    }

    @Test func `a stream ends with the reason draining when its server does`() throws {
        let harness = try LoopHarness(3)
        let sessions = (0..<3).map { harness.makeSession(on: $0) }
        let client = CombinedClient()
        harness.connect(client, to: sessions, on: 1)
        harness.settle(client)
        harness.input(sessions[2], "increment")
        for shard in harness.shards.reversed() {
            shard.drain()
            harness.settle(client)
        }
        #expect(client.follower?.hasFinished == true)
        #expect(client.events.filter { $0.event.event == "end" }.map(\.event.data) == ["{\"reason\":\"draining\"}"])
        #expect(client.outputs(of: sessions[2])?["count"] == "1")
        // A client that comes back too early gets everything, and the end.
        harness.connect(client, to: sessions, on: 0)
        harness.settle(client)
        #expect(client.follower?.hasFinished == true)
        #expect(client.events.last?.event.data == "{\"reason\":\"draining\"}")
        for session in sessions { #expect(client.names(of: session) == ["resume"]) }
        #expect(harness.host.streamCount == 0)
    }
}
