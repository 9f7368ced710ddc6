import Access
import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// Sessions that pass to the process that replaces this one, or come back.
struct SuspensionTests {
    private let service = FakeService()

    @Test func `a suspended host takes no turns and continues when it is resumed`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/inAMinute")
        host.suspend()
        host.store()
        let answer = host.start(.post, session + "/inputs/increment")
        host.advance(by: 120)
        #expect(answer.response == nil)
        // Another process finds the session as it was.
        #expect(host.disk.entries.map(\.snapshot?.summary.version) == [0])
        host.resume()
        host.store()
        #expect(answer.text.hasPrefix(#"{"version":2,"changes":{"count":2"#))
        #expect(host.disk.failures.withLock { $0.isEmpty })
    }

    @Test func `what was acknowledged before the suspension is stored, and its streams send it`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let follower = host.harness.follow(session)
        follower.read()
        let answer = host.start(.post, session + "/inputs/increment")
        host.suspend()
        host.store()
        #expect(answer.status == 200)
        host.writer.leave()
        host.harness.shard.drain()
        host.harness.loop.run()
        follower.read()
        #expect(follower.view.version == 1)
        #expect(follower.view.end == #"{"reason":"draining"}"#)
        let next = try StoredHost(on: host.disk)
        let resumed = try #require(next.stream(session, after: follower.lastEventID))
        resumed.read()
        #expect(resumed.events.map(\.event) == ["resume"])
    }

    @Test func `the stream of a sleeping session ends with draining, and continues in the next process`() throws {
        let (host, session, stream) = try asleepWithStream()
        host.suspend()
        host.store()
        host.writer.leave()
        host.harness.shard.drain()
        host.harness.loop.run()
        stream.read()
        #expect(stream.view.end == #"{"reason":"draining"}"#)
        #expect(host.slots.isEmpty)
        #expect(host.harness.host.streamCount == 0)
        let next = try StoredHost.hibernating(on: host.disk, after: 70)
        let resumed = try #require(next.stream(session, after: stream.lastEventID))
        resumed.read()
        #expect(resumed.events.map(\.event) == ["resume"])
        #expect(next.awakeCount == 0)
        _ = next.send(.post, session + "/inputs/increment")
        resumed.read()
        #expect(resumed.events.map(\.event) == ["resume", "change"])
        #expect(resumed.events.last?.data == #"{"count":2,"isEven":true}"#)
        #expect(next.awakeCount == 1)
    }

    @Test func `the stream of a sleeping session goes on if no other process continues the session`() throws {
        let (host, session, stream) = try asleepWithStream()
        host.suspend()
        host.store()
        let waiting = host.start(.post, session + "/inputs/increment")
        host.resume()
        host.store()
        #expect(waiting.text.hasPrefix(#"{"version":2"#))
        stream.read()
        #expect(stream.events.map(\.event) == ["snapshot", "change"])
        #expect(host.awakeCount == 1)
    }

    /// Returns a host with a session at version 1 that sleeps, and its open stream.
    private func asleepWithStream() throws -> (StoredHost, String, StreamFollower) {
        let host = try StoredHost.hibernating()
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/increment")
        let stream = try #require(host.stream(session))
        stream.read()
        host.advance(by: 70)
        stream.read()
        try #require(host.awakeCount == 0 && host.slots.count == 1)
        return (host, session, stream)
    }

    @Test func `a suspension that follows a resumption immediately leaves no turns running`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        host.suspend()
        host.store()
        host.resume()
        host.writer.suspend(within: .seconds(1)) {
            try? $0?.close()
        } abandoned: {
        }
        host.store()
        let waiting = host.start(.post, session + "/inputs/increment")
        host.store()
        #expect(waiting.response == nil)
        host.resume()
        host.store()
        #expect(waiting.text.hasPrefix(#"{"version":1"#))
    }

    @Test func `requests that wait are refused when another process continues the sessions`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        host.suspend()
        host.store()
        let waiting = host.start(.post, session + "/inputs/increment", key: "k")
        host.writer.leave()
        host.harness.loop.run()
        #expect(waiting.status == 503)
        #expect(waiting.response?.fields.value(.retryAfter) == "1")
        #expect(host.start(.get, session).status == 503)
        #expect(host.start(.get, "/health/live").status == 200)
        let next = try StoredHost(on: host.disk)
        #expect(next.send(.post, session + "/inputs/increment", key: "k").text.hasPrefix(#"{"version":1"#))
    }

    @Test func `requests are forwarded to the process that continues the sessions, and streams end`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        host.suspend()
        host.store()
        let waiting = host.start(.post, session + "/inputs/increment")
        host.writer.leave(forwarding: { request, received in
            guard !request.target.hasSuffix("lost") else { return received(.failure(.unanswered)) }
            received(
                request.method == .get
                    ? .failure(.unanswered) : .success(HTTPResponse(status: .created, body: .bytes(request.body))))
        })
        host.harness.loop.run()
        #expect(waiting.status == 201)
        #expect(host.start(.post, session + "/inputs/late", body: "7").text == "7")
        #expect(host.start(.get, session).status == 503)
        // It may have been performed.
        #expect(host.start(.post, session + "/inputs/lost").status == 504)
        let request = HTTPRequest(
            method: .get, target: session + "/outputs", fields: [.accept: "text/event-stream"], peer: .unknown)
        guard case .response(let stream) = host.harness.shard.respond(to: request) else {
            Issue.record("expected a stream")
            return
        }
        #expect(stream.status == .ok)
        let text = String(decoding: stream.body.bytes ?? [], as: UTF8.self)
        #expect(text == "event: end\ndata: {\"reason\":\"draining\"}\n\n")
    }

    @Test func `a forwarded response has the fields of the policy once, those of the other process`() throws {
        var access = HostAccess()
        access.cors = CORSPolicy([try #require(OriginPattern("https://app.example"))], usesCookies: true)
        access.rates.inputs = RateLimit("inputs", quota: 5, window: .seconds(60))
        let host = try StoredHost(access: access)
        let session = host.makeSession()
        host.suspend()
        host.store()
        let origin: HTTPFields = [.origin: "https://app.example"]
        let waiting = host.start(.post, session + "/inputs/increment", fields: origin)
        host.writer.leave(forwarding: { request, received in
            guard request.target.hasSuffix("increment") else { return received(.failure(.unsent)) }
            let fields: HTTPFields = [.accessControlAllowOrigin: "theirs", .rateLimit: "theirs"]
            received(.success(HTTPResponse(status: .ok, fields: fields)))
        })
        host.harness.loop.run()
        let late = host.start(.post, session + "/inputs/increment", fields: origin)
        for answer in [waiting, late] {
            #expect(answer.response?.fields.list(.accessControlAllowOrigin) == "theirs")
            #expect(answer.response?.fields.list(.rateLimit) == "theirs")
        }
        // A response of this process has those of its own policy.
        let refused = host.start(.post, session + "/inputs/other", fields: origin)
        #expect(refused.status == 503)
        #expect(refused.response?.fields.list(.accessControlAllowOrigin) == "https://app.example")
    }

    @Test func `turns run again if a loop does not stop in time, or if the suspension is cancelled`() throws {
        for isCancelled in [false, true] {
            let host = try StoredHost()
            let session = host.makeSession()
            // A loop with a turn that does not end.
            let stuck = JournalListener(
                loop: 0, loopCount: 1, journalWasOpened: {}, changesWereStored: { _ in }, sessionsAreDue: { _ in },
                snapshotWasRenewed: { _, _ in }, endSession: { _, _ in }, forgetEnd: { _ in }, countEffects: { _ in },
                suspend: { _ in }, resume: {}, journalIsUnavailable: {}, leave: {})
            _ = host.writer.addLoop(stuck)
            let calls = Lock<[String]>([])
            host.writer.awaitEffects(within: .seconds(2), isCancelled: { isCancelled }) {
                calls.withLock { $0.append("awaited") }
            }
            host.advance(by: 4)
            #expect(calls.withLock { $0 } == ["awaited"])
            host.writer.suspend(within: .seconds(isCancelled ? 100 : 2), isCancelled: { isCancelled }) { _ in
                calls.withLock { $0.append("suspended") }
            } abandoned: {
                calls.withLock { $0.append("abandoned") }
            }
            let waiting = host.start(.post, session + "/inputs/increment")
            host.advance(by: 4)
            #expect(calls.withLock { $0 } == ["awaited", "abandoned"])
            #expect(waiting.status == 200)
            #expect(host.disk.failures.withLock { $0.isEmpty })
        }
    }

    @Test func `a session that is being loaded when turns stop is loaded again`() throws {
        let first = try StoredHost()
        let session = first.makeSession()
        let host = try StoredHost(on: first.disk)
        let answer = host.start(.post, session + "/inputs/increment")
        let created = host.start(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, key: "0123456789012345678901")
        host.suspend()
        host.store()
        #expect(answer.response == nil && created.response == nil)
        #expect(host.harness.host.sessionCount == 0)
        host.resume()
        host.store()
        #expect(answer.status == 200 && created.status == 201)
    }

    @Test func `a session does not expire while it is suspended`() throws {
        let host = try StoredHost { $0.idleExpiry = .seconds(60) }
        let session = host.makeSession()
        host.suspend()
        host.store()
        host.advance(by: 120)
        let next = try StoredHost(on: host.disk) { $0.idleExpiry = .seconds(60) }
        #expect(next.send(.get, session).status == 200)
        host.resume()
        host.advance(by: 2)
        #expect(host.harness.host.sessionCount == 0)
    }

    @Test func `the release waits for effects in flight, but not forever`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        _ = host.makeSession()
        let (isDone, isOver) = (Lock(false), Lock(false))
        host.writer.awaitEffects(within: .seconds(3)) { isOver.withLock { $0 = true } }
        host.advance(by: 2)
        #expect(!isOver.withLock { $0 })
        host.advance(by: 2)
        #expect(isOver.withLock { $0 })
        host.writer.awaitEffects(within: .seconds(30)) { isDone.withLock { $0 = true } }
        host.advance(by: 2)
        #expect(!isDone.withLock { $0 })
        service.answer(0, "found")
        host.advance(by: 1)
        #expect(isDone.withLock { $0 })
        let isCancelled = Lock(false)
        host.writer.awaitEffects(within: .seconds(30), isCancelled: { true }) { isCancelled.withLock { $0 = true } }
        host.advance(by: 1)
        #expect(isCancelled.withLock { $0 })
    }

    @Test(arguments: [true, false])
    func `an effect of the last stored turn does not begin, unless the sessions come back`(isResumed: Bool) throws {
        let host = try StoredHost(of: .askingLatest(service))
        let session = host.makeSession()
        _ = host.start(.post, session + "/inputs/ask", body: #""swift""#)
        host.suspend()
        host.store()
        #expect(service.questions == [])
        if isResumed { host.resume() } else { host.writer.leave() }
        host.harness.loop.run()
        host.store()
        #expect(service.questions.count == (isResumed ? 1 : 0))
    }

    @Test func `a journal is used only when the process before has consented`() throws {
        let first = try StoredHost()
        let session = first.makeSession()
        let host = try StoredHost(on: first.disk, opens: false)
        let answer = host.start(.get, session)
        let isConfirmed = Lock(false)
        host.open { isConfirmed.withLock { $0 = true } }
        #expect(isConfirmed.withLock { $0 })
        #expect(answer.status == 200)
    }

    @Test func `an operator cannot end a session that another process continues`() throws {
        let host = try StoredHost()
        _ = host.makeSession()
        let summary = try #require(host.disk.entries.first?.snapshot?.summary)
        host.suspend()
        host.store()
        #expect(host.end(summary).withLock { $0 } == false)
    }
}
