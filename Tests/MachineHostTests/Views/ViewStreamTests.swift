import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// The streams of different viewers.
struct ViewStreamTests {
    private let table: CardTable

    init() throws { table = try CardTable() }

    private func input(_ session: String, _ name: String, _ body: String = "1", _ harness: HostHarness) {
        #expect(
            harness.send(.post, session + "/inputs/" + name, body: body, fields: table.access.ada).status == .ok)
    }

    @Test func `a turn that is invisible sends nothing`() throws {
        let harness = try table.harness()
        let session = harness.makeSession(as: table.access.ada)
        let whole = try #require(table.follow(session, harness, as: table.access.ada))
        let part = try #require(table.follow(session, harness, as: table.guest("table", of: session, harness)))
        let none = try #require(table.follow(session, harness, as: table.guest("wall", of: session, harness)))
        let (beginning, silence) = (part.bytes.count, none.bytes.count)
        for name in ["hand", "whisper"] { input(session, name, "2", harness) }
        for client in [whole, part, none] { client.read() }
        #expect(part.bytes.count == beginning)
        input(session, "both", "3", harness)
        input(session, "talk", "4", harness)
        for client in [whole, part, none] { client.read() }
        #expect(
            part.events.map(\.data) == [
                #"{"open":0}"#, #"{"open":3}"#, #"{"$emitted":[{"output":"shout","value":4}]}"#,
            ])
        #expect(whole.events.count == 5)
        #expect(none.events.map(\.data) == ["{}"])
        #expect(none.bytes.count == silence)
        #expect(!part.text.contains("hand") && !part.text.contains("whisper"))
    }

    @Test func `a resumed stream counts the changes of the view`() throws {
        let harness = try table.harness()
        let session = harness.makeSession(as: table.access.ada)
        let guest = table.guest("table", of: session, harness)
        let first = try #require(table.follow(session, harness, as: guest))
        first.cut()
        for name in ["hand", "both", "whisper", "hand"] { input(session, name, "5", harness) }
        let second = try #require(table.follow(session, harness, as: guest, after: first.lastEventID))
        #expect(second.events.map(\.event) == ["resume", "change"])
        #expect(second.events.map(\.data) == [#"{"from":0,"missed":1}"#, #"{"open":5}"#])
    }

    @Test func `a position of another view gets a snapshot`() throws {
        let harness = try table.harness()
        let session = harness.makeSession(as: table.access.ada)
        let guest = table.guest("table", of: session, harness)
        let part = try #require(table.follow(session, harness, as: guest))
        let whole = try #require(table.follow(session, harness, as: table.access.ada, after: part.lastEventID))
        #expect(whole.events.map(\.event) == ["snapshot"])
        #expect(part.lastEventID != whole.lastEventID)
        let narrowed = try #require(table.follow(session, harness, as: guest, after: whole.lastEventID))
        #expect(narrowed.events.map(\.event) == ["snapshot"])
        let selected = try #require(
            table.follow(session, harness, as: guest, query: "?only=open", after: part.lastEventID))
        #expect(selected.events.map(\.event) == ["resume"])
    }

    @Test func `a view applies to large values`() throws {
        let large = "\"" + String(repeating: "x", count: 100_000) + "\""
        let harness = try table.harness { $0.historyBytes = 4 << 20 }
        let session = harness.makeSession(as: table.access.ada)
        let guest = table.guest("table", of: session, harness)
        let part = try #require(table.follow(session, harness, as: guest))
        let whole = try #require(table.follow(session, harness, as: table.access.ada))
        for name in ["hand", "both"] { input(session, name, large, harness) }
        for client in [part, whole] { client.read() }
        #expect(part.events.map(\.data) == [#"{"open":0}"#, "{\"open\":\(large)}"])
        #expect(whole.events.map(\.data.count) == [19, 100_011, 100_011])
        // Both ids name the same version, and positions of different views.
        #expect(part.lastEventID.hasSuffix(".2") && whole.lastEventID.hasSuffix(".2"))
        #expect(part.lastEventID != whole.lastEventID)
        let resumed = try #require(table.follow(session, harness, as: guest, after: part.lastEventID))
        #expect(resumed.events.map(\.data) == [#"{"from":2,"missed":0}"#])
        var keyed = guest
        keyed.append(.idempotencyKey, "k")
        let other = large.replacing("x", with: "y")
        for _ in 0..<2 {
            let answer = harness.send(.post, session + "/inputs/hand", body: other, fields: keyed)
            #expect(answer.text == #"{"version":3,"changes":{}}"#)
        }
        #expect(
            harness.send(.post, session + "/inputs/both", body: "\"z\"", fields: guest).text
                == #"{"version":4,"changes":{"open":"z"}}"#)
        let snapshot = try #require(table.follow(session, harness, as: guest))
        #expect(snapshot.events.map(\.data) == [#"{"open":"z"}"#])
    }

    @Test func `a stream ends when a newer credential leads to another view`() throws {
        let harness = try table.harness()
        let session = harness.makeSession(as: CardTable.user("eve dealer 60"))
        let stream = try #require(table.follow(session, harness, as: CardTable.user("eve dealer 60")))
        for user in ["eve table 30", "eve table 60", "eve dealer 90", "bob table 90"] {
            _ = harness.send(.head, session, fields: CardTable.user(user))
            stream.read()
            #expect(!stream.hasFinished, "\(user)")
        }
        // What the client has not received when its view changes is not sent.
        #expect(
            harness.send(.post, session + "/inputs/hand", body: "1", fields: CardTable.user("eve dealer 90")).status
                == .ok)
        #expect(harness.send(.head, session, fields: CardTable.user("eve table 120")).status == .ok)
        #expect(stream.isReady)
        stream.read()
        #expect(stream.hasFinished)
        #expect(stream.text.hasSuffix("event: end\ndata: {\"reason\":\"rotated\"}\n\n"))
        #expect(stream.events.map(\.event) == ["snapshot", "end"])
        let next = try #require(
            table.follow(session, harness, as: CardTable.user("eve table 120"), after: stream.lastEventID))
        #expect(next.events.map(\.data) == [#"{"open":0}"#])
    }

    @Test func `a credential without an end changes the view with the next request`() throws {
        let harness = try table.harness()
        let session = harness.makeSession(as: CardTable.user("eve dealer"))
        // Not read yet: its snapshot must not be that of the former view.
        var fields = CardTable.user("eve dealer")
        fields.append(.accept, "text/event-stream")
        let stream = StreamFollower(try #require(harness.send(.get, session + "/outputs", fields: fields).stream))
        #expect(harness.send(.get, session, fields: CardTable.user("eve table")).status == .ok)
        stream.read()
        #expect(stream.events.map(\.event) == ["end"])
        #expect(stream.hasFinished)
    }

    @Test func `a stream whose response has not begun ends when a newer credential leads to another view`() throws {
        let harness = try table.harness()
        let session = harness.makeSession(as: CardTable.user("eve dealer 60"))
        var fields = CardTable.user("eve dealer 60")
        fields.append(.accept, "text/event-stream")
        let body = try #require(harness.send(.get, session + "/outputs", fields: fields).stream)
        #expect(harness.send(.head, session, fields: CardTable.user("eve table 120")).status == .ok)
        let stream = StreamFollower(body)
        stream.read()
        #expect(stream.events.map(\.event) == ["end"])
        #expect(stream.hasFinished)
    }

    @Test func `a combined stream has a view of each session`() throws {
        let harness = try table.harness()
        let (first, second) = (
            harness.makeSession(as: CardTable.user("eve dealer 60")),
            harness.makeSession(as: CardTable.user("eve dealer 60"))
        )
        func query(_ user: String, after id: String = "") throws -> StreamFollower {
            var fields = CardTable.user(user)
            fields.append(.accept, "text/event-stream")
            if !id.isEmpty, let value = HTTPFieldValue(id) { fields.append(.lastEventID, value) }
            let target = "/v1/outputs?session=\(first.suffix(22))&session=\(second.suffix(22))"
            let follower = StreamFollower(try #require(harness.send(.get, target, fields: fields).stream))
            harness.loop.run()
            follower.read()
            return follower
        }
        let part = try query("eve table 60")
        #expect(part.events.count == 2)
        let count = part.bytes.count
        func send(_ session: String, _ name: String) {
            #expect(
                harness.send(.post, session + "/inputs/" + name, body: "1", fields: CardTable.user("eve dealer 60"))
                    .status == .ok)
            harness.loop.run()
            part.read()
        }
        send(first, "hand")
        #expect(part.bytes.count == count)
        send(second, "both")
        #expect(part.events.count == 3)
        #expect(part.events.last?.data.hasSuffix(#""data":{"open":1}}"#) == true)
        #expect(!part.text.contains("hand"))
        let resumed = try query("eve table 60", after: part.lastEventID)
        #expect(resumed.events.map(\.event) == ["resume", "resume"])
        let other = try query("eve dealer 60", after: part.lastEventID)
        #expect(other.events.map(\.event) == ["snapshot", "snapshot"])
        _ = harness.send(.head, first, fields: CardTable.user("eve dealer 90"))
        harness.loop.run()
        part.read()
        #expect(part.hasFinished)
    }

    @Test func `a session that sleeps keeps the views of its streams, and wakes with them`() throws {
        let host = try StoredHost(of: CardTable.machine, hibernates: true, access: table.access.access) {
            $0.hibernateAfter = .seconds(10)
        }
        let dealer = CardTable.user("eve dealer 900")
        let session =
            host.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: dealer).response?.fields
            .value(.location) ?? ""
        let part = try #require(table.follow(session, host.harness, as: CardTable.user("eve table 900")))
        host.advance(by: 60)
        try #require(host.harness.shard.sessions.isEmpty)
        var fields = CardTable.user("eve table 900")
        fields.append(.accept, "text/event-stream")
        let answer = host.send(.get, session + "/outputs", fields: fields).response
        guard case .stream(let stream) = answer?.body else {
            Issue.record("no stream was opened")
            return
        }
        let late = StreamFollower(stream)
        late.read()
        #expect(late.events.map(\.data) == [#"{"open":0}"#])
        #expect(host.harness.shard.sessions.isEmpty)
        #expect(host.send(.post, session + "/inputs/hand", body: "1", fields: dealer).status == 200)
        #expect(host.send(.post, session + "/inputs/both", body: "2", fields: dealer).status == 200)
        for client in [part, late] {
            client.read()
            #expect(client.events.map(\.data) == [#"{"open":0}"#, #"{"open":2}"#])
        }
        host.advance(by: 60)
        try #require(host.harness.shard.sessions.isEmpty)
        // A newer credential ends the streams of a session that sleeps, too.
        #expect(host.send(.head, session, fields: CardTable.user("eve wall 901")).status == 200)
        part.read()
        #expect(part.hasFinished)
        #expect(part.events.last?.event == "end")
    }

    @Test func `the next process continues the stream of a view, and replays its responses`() throws {
        let host = try RestartableHost([captured], access: table.access.access)
        let fields = CardTable.user("eve table")
        let session =
            host.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: fields).fields.value(.location)
            ?? ""
        let first = try #require(table.follow(session, host.harness, as: fields))
        var keyed = fields
        keyed.append(.idempotencyKey, "k")
        #expect(
            host.send(.post, session + "/inputs/both", body: "1", fields: keyed).text
                == #"{"version":1,"changes":{"open":1}}"#)
        #expect(host.send(.post, session + "/inputs/hand", body: "2", fields: fields).status == .ok)
        try host.restart()
        let second = try #require(table.follow(session, host.harness, as: fields, after: first.lastEventID))
        #expect(second.events.map(\.data) == [#"{"from":0,"missed":1}"#, #"{"open":1}"#])
        let repeated = host.send(.post, session + "/inputs/both", body: "1", fields: keyed)
        #expect(repeated.fields.value(.idempotencyReplayed) == "true")
        #expect(repeated.text == #"{"version":1,"changes":{"open":1}}"#)
        // The record has the whole change.
        #expect(
            host.send(.get, session + "/outputs", fields: CardTable.user("eve dealer")).text
                == #"{"open":1,"hand":2}"#)
    }

    private var captured: MachineDefinition {
        var machine = CardTable.machine
        machine.captureObstacles = []
        return machine
    }
}
