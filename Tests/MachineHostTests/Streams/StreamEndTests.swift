import HTTPModel
import MachineHost
import MachineTesting
import Testing

struct StreamEndTests {
    @Test func `deleting a session ends its streams, and those who come back are told to stop`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        harness.input(session, "increment")
        #expect(harness.send(.delete, session).status == .noContent)
        follower.read()
        #expect(follower.hasFinished)
        #expect(follower.events.map(\.event) == ["snapshot", "change", "end"])
        #expect(follower.view.end == "{\"reason\":\"deleted\"}")
        #expect(follower.retry == .milliseconds(2000))
        #expect(harness.send(.get, session + "/outputs", fields: [.accept: "text/event-stream"]).status == .noContent)
        #expect(harness.send(.get, session).status == .gone)
        #expect(harness.input(session, "increment").status == .gone)
        #expect(harness.send(.delete, session).status == .gone)
        #expect(harness.host.streamCount == 0)
        #expect(harness.host.sessionCount == 0)
    }

    @Test func `a quiet stream gets a comment, and one that had an event waits anew`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        let start = follower.bytes.count
        harness.loop.advance(by: .seconds(10))
        harness.input(session, "increment")
        follower.read()
        let events = follower.bytes.count
        harness.loop.advance(by: .seconds(14))
        follower.read()
        #expect(follower.bytes.count == events)
        harness.loop.advance(by: .seconds(2))
        #expect(follower.isReady)
        follower.read()
        #expect(follower.text.hasSuffix("\n\n: keep-alive\n\n"))
        #expect(events > start)
        harness.loop.advance(by: .seconds(15))
        follower.read()
        #expect(follower.text.hasSuffix("\n\n: keep-alive\n\n: keep-alive\n\n"))
    }

    @Test func `a session that nobody uses expires, one with a stream does not`() throws {
        let harness = try HostHarness.counting { $0.idleExpiry = .seconds(60) }
        let (used, idle, followed) = (harness.makeSession(), harness.makeSession(), harness.makeSession())
        let follower = harness.follow(followed)
        follower.read()
        harness.loop.advance(by: .seconds(50))
        #expect(harness.send(.get, used).status == .ok)
        harness.loop.advance(by: .seconds(15))
        #expect(harness.send(.get, idle).status == .gone)
        #expect(harness.send(.get, used).status == .ok)
        harness.loop.advance(by: .seconds(600))
        #expect(harness.send(.get, followed + "/outputs").status == .ok)
        follower.cut()
        harness.loop.advance(by: .seconds(62))
        #expect(harness.send(.get, followed).status == .gone)
        #expect(harness.host.sessionCount == 0)
    }

    @Test func `a stream ends by itself and is told to come back`() throws {
        let harness = try HostHarness.counting { $0.streamLifetime = .seconds(100) }
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        harness.loop.advance(by: .seconds(89))
        follower.read()
        #expect(!follower.hasFinished)
        harness.loop.advance(by: .seconds(22))
        follower.read()
        #expect(follower.hasFinished)
        #expect(follower.view.end == "{\"reason\":\"rotated\"}")
        let retry = try #require(follower.retry)
        #expect(retry >= .seconds(1) && retry <= .seconds(3))
        let next = harness.follow(session, after: follower.lastEventID)
        next.read()
        #expect(next.events.map(\.event) == ["resume"])
    }

    @Test func `draining ends every stream, those that come too, and makes no session`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        #expect(harness.send(.get, "/health/ready").status == .ok)
        harness.shard.drain()
        follower.read()
        #expect(follower.view.end == "{\"reason\":\"draining\"}")
        let late = harness.follow(session)
        late.read()
        #expect(late.events.map(\.event) == ["snapshot", "end"])
        #expect(harness.input(session, "increment").status == .ok)
        let refused = harness.send(.post, "/v1/sessions", body: "{\"machine\":\"scripted\"}")
        #expect(refused.status == .serviceUnavailable)
        #expect(refused.fields.value(.retryAfter) == "5")
        #expect(harness.send(.get, "/health/ready").status == .serviceUnavailable)
        #expect(harness.send(.get, "/health/live").status == .ok)
    }

    @Test func `streams over the limits are refused until others end`() throws {
        let harness = try HostHarness.counting {
            $0.maxStreamsPerSession = 2
            $0.maxStreams = 3
        }
        let (one, other) = (harness.makeSession(), harness.makeSession())
        let fields: HTTPFields = [.accept: "text/event-stream"]
        let first = harness.follow(one)
        let second = harness.follow(one)
        let refused = harness.send(.get, one + "/outputs", fields: fields)
        #expect(refused.status == .tooManyRequests)
        #expect(refused.fields.contains(.retryAfter))
        let third = harness.follow(other)
        #expect(harness.send(.get, other + "/outputs", fields: fields).status == .tooManyRequests)
        first.cut()
        #expect(harness.send(.get, one + "/outputs", fields: fields).status == .ok)
        second.cut()
        third.cut()
        #expect(harness.host.streamCount == 0)
    }

    @Test func `a stream that was never read is not counted for ever`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        _ = harness.send(.get, session + "/outputs", fields: [.accept: "text/event-stream"])
        #expect(harness.host.streamCount == 0)
    }

    @Test func `HEAD of a stream opens none`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let answer = harness.send(.head, session + "/outputs", fields: [.accept: "text/event-stream"])
        #expect(answer.fields.value(.contentType) == "text/event-stream")
        #expect(answer.stream == nil)
    }
}
