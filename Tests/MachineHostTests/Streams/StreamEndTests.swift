import HTTPModel
import MachineHost
import MachineTesting
import Testing

struct StreamEndTests {
    @Test func `deleting a session ends its streams and stops clients that reconnect`() throws {
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

    @Test func `an idle stream receives a comment, and an event restarts the wait`() throws {
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

    @Test func `an unused session expires, one with a stream does not`() throws {
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

    @Test func `the idle time of a session starts when its last stream ends`() throws {
        let harness = try HostHarness.counting { $0.idleExpiry = .seconds(60) }
        let session = harness.makeSession()
        let (first, last) = (harness.follow(session), harness.follow(session))
        harness.loop.advance(by: .seconds(300))
        first.cut()
        harness.loop.advance(by: .seconds(300))
        last.cut()
        harness.loop.advance(by: .seconds(59))
        // A request to the session would restart its idle time.
        #expect(harness.host.sessionCount == 1)
        harness.loop.advance(by: .seconds(3))
        #expect(harness.host.sessionCount == 0)
    }

    @Test func `streams that were opened together do not end together`() throws {
        let harness = try HostHarness.counting {
            $0.streamLifetime = .seconds(1_000)
            $0.maxStreamsPerSession = 50
        }
        let session = harness.makeSession()
        let followers = (0..<50).map { _ in harness.follow(session) }
        for follower in followers { follower.read() }
        var ends: [Int: Int] = [:]
        for second in 1...1_102 {
            harness.loop.advance(by: .seconds(1))
            for follower in followers where !follower.hasFinished {
                follower.read()
                if follower.hasFinished { ends[second, default: 0] += 1 }
            }
        }
        #expect(ends.values.reduce(0, +) == 50)
        #expect(ends.keys.allSatisfy { (899...1_102).contains($0) })
        #expect(ends.count > 20)
        #expect(ends.keys.contains { $0 < 1_000 } && ends.keys.contains { $0 > 1_000 })
    }

    @Test func `a stream that reaches its maximum age ends and tells the client to reconnect`() throws {
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

    @Test func `draining ends all streams, including new ones, and creates no sessions`() throws {
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

    @Test func `streams above the limits are rejected until others end`() throws {
        let harness = try HostHarness.counting {
            $0.maxStreamsPerSession = 2
            $0.maxStreams = 3
        }
        let (one, other) = (harness.makeSession(), harness.makeSession())
        let fields: HTTPFields = [.accept: "text/event-stream", .prefer: "status"]
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

    @Test func `a stream that is released before it is read is not counted`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        _ = harness.send(.get, session + "/outputs", fields: [.accept: "text/event-stream"])
        #expect(harness.host.streamCount == 0)
    }

    @Test func `HEAD does not open a stream`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let answer = harness.send(.head, session + "/outputs", fields: [.accept: "text/event-stream"])
        #expect(answer.fields.value(.contentType) == "text/event-stream")
        #expect(answer.stream == nil)
    }

    @Test func `a stream whose session ends before the first read only ends`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let opened = harness.send(.get, session + "/outputs", fields: [.accept: "text/event-stream"])
        let followed = harness.follow(session)
        _ = harness.send(.delete, session)
        let late = StreamFollower(try #require(opened.stream))
        for follower in [late, followed] {
            follower.read()
            #expect(follower.events.map(\.event) == ["end"])
            #expect(follower.view.end == "{\"reason\":\"deleted\"}")
            #expect(follower.hasFinished)
        }
    }

    @Test func `a stream receives the changes that its session made before it ended`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        for _ in 0..<3 { harness.input(session, "increment") }
        _ = harness.send(.delete, session)
        follower.read(limit: 1)
        #expect(follower.events.map(\.event) == ["snapshot", "change", "change", "change", "end"])
        #expect(follower.view.outputs["count"] == "3")
    }

    @Test func `clients that are disconnected together get different reconnection times`() throws {
        let harness = try HostHarness.counting { $0.maxStreamsPerSession = 100 }
        let session = harness.makeSession()
        let followers = (0..<50).map { _ in harness.follow(session) }
        harness.shard.drain()
        for follower in followers { follower.read() }
        let retries = followers.compactMap(\.retry)
        #expect(retries.allSatisfy { $0 >= .seconds(1) && $0 <= .seconds(3) })
        #expect(Set(retries).count > 10)
    }

    @Test func `streams that outlive their host send nothing more`() throws {
        var harness: HostHarness? = try HostHarness.counting()
        let session = try #require(harness?.makeSession())
        let opened = harness?.send(.get, session + "/outputs", fields: [.accept: "text/event-stream"]).stream
        let unread = try #require(opened)
        let followers = [try #require(harness?.follow(session)), try #require(harness?.follow(session))]
        followers[0].read()
        let host = harness?.host
        harness = nil
        for follower in followers + [StreamFollower(unread)] {
            let before = follower.bytes.count
            follower.read()
            #expect(follower.bytes.count == before)
            #expect(follower.hasFinished)
        }
        #expect(host?.sessionCount == 0)
        #expect(host?.streamCount == 0)
    }

    @Test func `a stream that is cut off after its host was deallocated is released`() throws {
        var harness: HostHarness? = try HostHarness.counting()
        let session = try #require(harness?.makeSession())
        let follower = try #require(harness?.follow(session))
        let host = harness?.host
        harness = nil
        follower.cut()
        #expect(host?.streamCount == 0)
    }
}
