import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// What a session is like in the next process.
struct StoredSessionTests {
    @Test func `a session continues with its version and outputs`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        for _ in 0..<3 { _ = host.send(.post, session + "/inputs/increment") }
        let before = host.send(.get, session)
        let next = try StoredHost(on: host.disk)
        let after = next.send(.get, session)
        #expect(after.text == before.text)
        #expect(next.send(.post, session + "/inputs/increment").text.hasPrefix(#"{"version":4,"changes":{"count":4"#))
    }

    @Test func `a stream resumes where it was cut`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let follower = host.harness.follow(session)
        follower.read()
        _ = host.send(.post, session + "/inputs/increment")
        follower.read()
        let position = follower.lastEventID
        _ = host.send(.post, session + "/inputs/complain", body: "\"no\"")
        let next = try StoredHost(on: host.disk)
        let resumed = try #require(next.stream(session, after: position))
        resumed.read()
        #expect(resumed.events.map(\.event) == ["resume", "change"])
        #expect(resumed.events.last?.data == #"{"$emitted":[{"output":"error","value":"no"}]}"#)
    }

    @Test func `a key is remembered for its whole time`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let first = host.send(.post, session + "/inputs/increment", key: "k")
        let next = try StoredHost(on: host.disk)
        let again = next.send(.post, session + "/inputs/increment", key: "k")
        #expect(again.text == first.text)
        #expect(again.response?.fields.contains(.idempotencyReplayed) == true)
        next.harness.loop.advance(by: .seconds(601))
        #expect(next.send(.post, session + "/inputs/increment", key: "k").text.hasPrefix(#"{"version":2"#))
    }

    @Test func `a key with a large response repeats what was remembered`() throws {
        let host = try StoredHost { $0.idempotencyBytes = 4000 }
        let session = host.makeSession()
        let text = "\"" + String(repeating: "x", count: 3000) + "\""
        _ = host.send(.post, session + "/inputs/late", body: text, key: "k")
        let next = try StoredHost(on: host.disk)
        #expect(
            next.send(.post, session + "/inputs/late", body: text, key: "k").text == #"{"version":1,"changes":null}"#)
    }

    @Test func `a deleted session stays deleted`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        #expect(host.send(.delete, session).status == 204)
        let next = try StoredHost(on: host.disk)
        #expect(next.send(.get, session).status == 410)
        #expect(next.send(.post, session + "/inputs/increment").status == 410)
    }

    @Test func `what was not stored did not happen`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let lost = host.start(.post, session + "/inputs/increment", key: "k")
        let next = try StoredHost(on: host.disk)
        #expect(lost.response == nil)
        #expect(next.send(.post, session + "/inputs/increment", key: "k").text.hasPrefix(#"{"version":1"#))
    }

    @Test func `an unknown session is unknown in every process`() throws {
        let host = try StoredHost()
        #expect(host.send(.get, "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA").status == 404)
    }

    @Test func `a session with many turns is the same from its snapshot`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        for _ in 0..<700 { _ = host.start(.post, session + "/inputs/increment") }
        let before = host.send(.get, session)
        #expect(host.disk.rows < 256)
        let next = try StoredHost(on: host.disk)
        #expect(next.send(.get, session).text == before.text)
        #expect(
            next.send(.post, session + "/inputs/increment").text.hasPrefix(#"{"version":701,"changes":{"count":701"#))
    }

    @Test func `a large output is the same in the next process`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let text = "\"" + String(repeating: "x", count: 300_000) + "\""
        _ = host.send(.post, session + "/inputs/late", body: text)
        let next = try StoredHost(on: host.disk)
        let follower = try #require(next.stream(session))
        follower.read()
        #expect(follower.view.outputs["late"] == text)
    }

    @Test func `requests that arrive while a session is loaded are answered in order`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let next = try StoredHost(on: host.disk)
        let first = next.start(.post, session + "/inputs/increment")
        let second = next.start(.post, session + "/inputs/increment")
        next.store()
        #expect(first.text.hasPrefix(#"{"version":1"#))
        #expect(second.text.hasPrefix(#"{"version":2"#))
    }

    @Test func `a stored session expires without being loaded`() throws {
        let host = try StoredHost { $0.idleExpiry = .seconds(60) }
        let session = host.makeSession()
        let next = try StoredHost(on: host.disk, after: 10) { $0.idleExpiry = .seconds(60) }
        next.store()
        // Reads are not stored, so the idle time begins again with the process.
        next.advance(by: 58)
        #expect(host.disk.content.withLock { $0.sessions(after: nil, limit: 1).first?.hasEnded } == false)
        next.advance(by: 5)
        #expect(next.harness.host.sessionCount == 0)
        #expect(next.send(.get, session).status == 410)
    }

    @Test func `a session that was used in time does not expire in the journal`() throws {
        let host = try StoredHost { $0.idleExpiry = .seconds(60) }
        let session = host.makeSession()
        host.advance(by: 40)
        _ = host.send(.get, session)
        host.advance(by: 40)
        #expect(host.send(.get, session).status == 200)
    }

    @Test func `a turn postpones the expiry in the next process`() throws {
        let host = try StoredHost { $0.idleExpiry = .seconds(60) }
        let session = host.makeSession()
        host.advance(by: 50)
        _ = host.send(.post, session + "/inputs/increment")
        let next = try StoredHost(on: host.disk, after: 55) { $0.idleExpiry = .seconds(60) }
        next.advance(by: 45)
        #expect(next.send(.get, session).status == 200)
        let last = try StoredHost(on: host.disk, after: 55) { $0.idleExpiry = .seconds(60) }
        last.advance(by: 65)
        #expect(last.send(.get, session).status == 410)
    }

    @Test func `a session that is being loaded when its time is over continues`() throws {
        let host = try StoredHost { $0.idleExpiry = .seconds(60) }
        let session = host.makeSession()
        let next = try StoredHost(on: host.disk, after: 100) { $0.idleExpiry = .seconds(60) }
        next.advance(by: 29)
        // The writer looks up what is due, and then loads the session, before the loop learns of either.
        next.harness.loop.advance(by: .seconds(1))
        let input = next.start(.post, session + "/inputs/increment")
        next.store()
        #expect(input.status == 200)
        let last = try StoredHost(on: host.disk, after: 131) { $0.idleExpiry = .seconds(60) }
        #expect(last.send(.get, session).text.contains(#""version":1"#))
    }

    @Test func `clients of a session that was only read have time to connect again`() throws {
        let host = try StoredHost { $0.idleExpiry = .seconds(60) }
        let session = host.makeSession()
        host.advance(by: 59)
        _ = host.send(.get, session)
        let next = try StoredHost(on: host.disk, after: 59) { $0.idleExpiry = .seconds(60) }
        next.advance(by: 5)
        #expect(next.send(.get, session).status == 200)
    }

    @Test func `a snapshot contains only what a live session remembers`() throws {
        let host = try StoredHost {
            $0.turnsPerSnapshot = 10
            $0.idempotencyWindow = .seconds(30)
        }
        let session = host.makeSession()
        for number in 0..<200 { _ = host.send(.post, session + "/inputs/increment", key: "k\(number)") }
        let size = host.largestSnapshot
        host.advance(by: 31)
        for number in 0..<400 { _ = host.send(.post, session + "/inputs/increment", key: "l\(number)") }
        host.advance(by: 31)
        for _ in 0..<20 { _ = host.send(.post, session + "/inputs/increment") }
        #expect(host.largestSnapshot < size)
    }

    @Test func `what an earlier process left unflushed is flushed before it is shown`() throws {
        let host = try StoredHost()
        _ = host.makeSession()
        let next = try StoredHost(on: host.disk)
        #expect(next.disk.content.withLock { $0.property(ClockAnchor.property) != nil })
    }

    @Test func `the reason of an end is the same in the next process`() throws {
        let configure = { (configuration: inout HostConfiguration) in configuration.idleExpiry = .seconds(30) }
        let host = try StoredHost(configure)
        let sessions = (0..<3).map { _ in host.makeSession() }
        _ = host.send(.delete, sessions[0])
        let failure = host.send(.post, sessions[1] + "/inputs/break").text
        host.advance(by: 40)
        let before = sessions.map { host.send(.get, $0).text }
        #expect(before[0].contains(#""reason":"deleted"}"#))
        let incident = try #require(failure.firstRange(of: "\"incident\":\""))
        #expect(before[1].contains(#""reason":"failed","incident":""# + failure[incident.upperBound...].prefix(8)))
        #expect(before[2].contains(#""reason":"expired"}"#))
        let next = try StoredHost(on: host.disk, after: 40, configure)
        #expect(sessions.map { next.send(.get, $0).text } == before)
        #expect(sessions.map { next.send(.get, $0).status } == [410, 410, 410])
        #expect(next.openStream(sessions[1]) == nil)
    }

    @Test func `the reason of a session that has expired or was deleted without being loaded is stored`() throws {
        let configure = { (configuration: inout HostConfiguration) in configuration.idleExpiry = .seconds(30) }
        let host = try StoredHost(configure)
        let (expired, deleted) = (host.makeSession(), host.makeSession())
        let next = try StoredHost(on: host.disk, after: 5, configure)
        let id = try #require(deleted.split(separator: "/").last.flatMap { SessionID(text: String($0)) })
        let summary = try #require(
            next.disk.content.withLock { $0.load(StoredSessionID(of: id))?.snapshot?.summary })
        let ended = next.end(summary)
        next.store()
        #expect(ended.withLock { $0 } == true)
        next.advance(by: 90)
        let last = try StoredHost(on: host.disk, after: 95, configure)
        #expect(last.send(.get, deleted).text.contains(#""reason":"deleted"}"#))
        #expect(last.send(.get, expired).text.contains(#""reason":"expired"}"#))
    }

    @Test func `an ended session is forgotten after its time`() throws {
        let host = try StoredHost { $0.endedWindow = .seconds(30) }
        let session = host.makeSession()
        _ = host.send(.delete, session)
        #expect(host.disk.content.withLock { $0.sessions(after: nil, limit: 9).count } == 1)
        host.advance(by: 40)
        #expect(host.disk.content.withLock { $0.sessions(after: nil, limit: 9).count } == 0)
        #expect(try StoredHost(on: host.disk, after: 40).send(.get, session).status == 404)
    }

    @Test func `requests wait until the journal is open`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let next = try StoredHost(on: host.disk, opens: false)
        let input = next.start(.post, session + "/inputs/increment")
        let created = next.start(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#)
        next.store()
        #expect(input.response == nil)
        #expect(created.response == nil)
        #expect(next.start(.get, "/v1/machines").status == 200)
        next.open()
        #expect(input.text.hasPrefix(#"{"version":1"#))
        #expect(created.status == 201)
    }

    @Test func `sessions take no turns after the journal was closed`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let last = host.start(.post, session + "/inputs/increment")
        host.writer.close {}
        let late = host.start(.post, session + "/inputs/increment")
        host.store()
        #expect(last.status == 200)
        #expect(late.status == 503)
        #expect(try StoredHost(on: host.disk).send(.get, session).text.contains(#""version":1"#))
    }
}
