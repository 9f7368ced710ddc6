import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// Large values are stored once and shared by all readers.
struct LargeValueTests {
    private static let size = 1 << 20

    private func harness(_ configure: (inout HostConfiguration) -> Void = { _ in }) throws -> HostHarness {
        var configuration = HostConfiguration()
        configure(&configuration)
        return try HostHarness(
            [
                ScriptedMachine.definition(
                    outputs: ["a", "b", "large"], events: ["event"],
                    inputs: [
                        "fill": { $0.set("large", to: LargeValueTests.text(LargeValueTests.size, $1)) },
                        "both": { machine, value in
                            machine.set("a", to: value)
                            machine.set("large", to: LargeValueTests.text(LargeValueTests.size, value))
                            machine.set("b", to: value)
                            machine.emit("event", value)
                        },
                        "a": { $0.set("a", to: $1) },
                        "ring": { $0.emit("event", LargeValueTests.text(LargeValueTests.size, $1)) },
                        "many": { machine, value in
                            for name in ["a", "b", "large"] {
                                machine.set(name, to: LargeValueTests.text(30 << 10, value))
                            }
                        },
                        "again": { machine, value in
                            machine.set("large", to: machine.value(of: "large"))
                            machine.set("b", to: value)
                        },
                        "empty": { machine, _ in machine.set("large", to: nil) },
                    ])
            ], configuration: configuration)
    }

    /// A JSON string of the given size in bytes.
    private static func text(_ size: Int, _ value: String) -> String {
        "\"" + String(repeating: value.last ?? "x", count: size - 2) + "\""
    }

    private func large(_ value: String) -> String { LargeValueTests.text(LargeValueTests.size, value) }

    @Test func `a large value appears everywhere that a small one does`() throws {
        let harness = try harness { $0.historyBytes = 8 << 20 }
        let session = harness.makeSession()
        let follower = harness.follow(session)
        let filtered = harness.follow(session, query: "?only=large,event")
        let other = harness.follow(session, query: "?only=a")
        for client in [follower, filtered, other] { client.read() }
        let changes = "{\"a\":7,\"b\":7,\"large\":\(large("7")),\"$emitted\":[{\"output\":\"event\",\"value\":7}]}"
        let answer = harness.input(session, "both", "7")
        #expect(answer.text == "{\"version\":1,\"changes\":\(changes)}")
        harness.input(session, "a", "8")
        for client in [follower, filtered, other] { client.read(limit: 1000) }
        try #require(follower.events.map(\.event) == ["snapshot", "change", "change"])
        #expect(follower.events[1].data == changes)
        try #require(filtered.events.map(\.event) == ["snapshot", "change"])
        #expect(
            filtered.events[1].data
                == "{\"large\":\(large("7")),\"$emitted\":[{\"output\":\"event\",\"value\":7}]}")
        #expect(other.events.map(\.data) == ["{}", "{\"a\":7}", "{\"a\":8}"])
        let outputs = "{\"a\":8,\"b\":7,\"large\":\(large("7"))}"
        #expect(harness.send(.get, session + "/outputs").text == outputs)
        #expect(harness.send(.get, session + "/outputs?only=large,b").text == "{\"b\":7,\"large\":\(large("7"))}")
        #expect(
            harness.send(.get, session).text.contains("\"durability\":\"memory\",\"outputs\":\(outputs),\"created\":"))
        let late = harness.follow(session)
        late.read(limit: 999)
        #expect(late.events.map(\.data) == [outputs])
        let resumed = harness.follow(session, after: follower.events[0].id)
        resumed.read()
        #expect(resumed.view.outputs["large"] == large("7"))
        harness.input(session, "empty")
        late.read()
        #expect(late.view.outputs["large"] == "null")
    }

    @Test func `a large value that is encoded again but has not changed is not sent`() throws {
        let harness = try harness()
        let session = harness.makeSession()
        harness.input(session, "fill", "1")
        let alone = harness.host.retainedByteCount
        #expect(harness.input(session, "again", "2").text == "{\"version\":2,\"changes\":{\"b\":2}}")
        #expect(harness.input(session, "again", "2").text == "{\"version\":2,\"changes\":{}}")
        #expect(harness.host.retainedByteCount <= alone + 1024)
    }

    @Test func `a stream that is read in pieces can be resumed after a large change`() throws {
        let harness = try harness { $0.historyBytes = 8 << 20 }
        let session = harness.makeSession()
        let first = harness.follow(session)
        first.read()
        harness.input(session, "a", "1")
        harness.input(session, "fill", "2")
        harness.input(session, "a", "3")
        harness.input(session, "fill", "4")
        let resumed = harness.follow(session, after: first.events[0].id)
        resumed.read(limit: 4096)
        try #require(resumed.events.map(\.event) == ["resume", "change", "change", "change", "change"])
        #expect(resumed.events[0].data == "{\"from\":0,\"missed\":4}")
        #expect(resumed.events[4].data == "{\"large\":\(large("4"))}")
        let filtered = harness.follow(session, query: "?only=a", after: first.events[0].id)
        filtered.read(limit: 4096)
        #expect(filtered.events.map(\.data) == ["{\"from\":0,\"missed\":2}", "{\"a\":1}", "{\"a\":3}"])
    }

    @Test func `16 readers of a large output share one copy`() throws {
        let harness = try harness()
        let session = harness.makeSession()
        harness.input(session, "fill", "1")
        let alone = harness.host.retainedByteCount
        let followers = (0..<16).map { _ in harness.follow(session) }
        for follower in followers { follower.readOnce(limit: 4096) }
        let responses = (0..<16).map { _ in
            harness.shard.respond(to: HTTPRequest(method: .get, target: session + "/outputs"))
        }
        #expect(responses.count == 16)
        #expect(alone >= LargeValueTests.size)
        #expect(harness.host.retainedByteCount < alone + (64 << 10))
        for follower in followers {
            #expect(follower.bytes.count < 8192)
            follower.read()
            #expect(follower.view.outputs["large"] == large("1"))
        }
    }

    @Test func `a change, its response and its readers share the value`() throws {
        let harness = try harness { $0.historyBytes = 64 << 20 }
        let session = harness.makeSession()
        let followers = [harness.follow(session), harness.follow(session, query: "?only=large")]
        for follower in followers { follower.read() }
        let request = HTTPRequest(
            method: .post, target: session + "/inputs/fill", fields: [.contentType: "application/json"],
            body: [UInt8(ascii: "1")])
        let answer = harness.shard.respond(to: request)
        for follower in followers { follower.readOnce(limit: 100) }
        #expect(harness.host.retainedByteCount < LargeValueTests.size + (64 << 10))
        withExtendedLifetime(answer) {}
    }

    @Test func `16 readers of many values share one copy`() throws {
        let harness = try harness()
        let session = harness.makeSession()
        harness.input(session, "many", "1")
        let followers = (0..<16).map { _ in harness.follow(session) }
        for follower in followers { follower.readOnce(limit: 4096) }
        #expect(harness.host.retainedByteCount < 4 * (90 << 10))
        for follower in followers { follower.read() }
        #expect(followers[0].view.outputs.count == 3)
        #expect(followers[15].text == followers[0].text)
    }

    @Test func `an output value is freed once it is no longer current`() throws {
        let harness = try harness()
        let session = harness.makeSession()
        for value in 0..<20 { harness.input(session, "fill", "\(value)") }
        #expect(harness.host.retainedByteCount < LargeValueTests.size + (64 << 10))
        harness.input(session, "ring", "1")
        harness.input(session, "empty")
        harness.input(session, "a", "1")
        #expect(harness.host.retainedByteCount < 32 << 10)
        harness.input(session, "fill", "1")
        let follower = harness.follow(session)
        follower.readOnce(limit: 10)
        _ = harness.send(.delete, session)
        #expect(harness.host.retainedByteCount >= LargeValueTests.size)
        follower.read()
        #expect(follower.events.map(\.event) == ["snapshot", "end"])
        #expect(harness.host.retainedByteCount == 0)
    }

    @Test func `readers that hold outdated values are disconnected when the session is full`() throws {
        let harness = try harness { $0.maxSessionBytes = (3 << 20) + (64 << 10) }
        let session = harness.makeSession()
        let largest = (3 << 20) + (128 << 10)
        var followers: [StreamFollower] = []
        for value in 0..<8 {
            #expect(harness.input(session, "fill", "\(value)").status == .ok)
            let follower = harness.follow(session)
            follower.readOnce(limit: 1000)
            followers.append(follower)
            #expect(harness.host.retainedByteCount <= largest)
        }
        for follower in followers { follower.read() }
        #expect(followers.map(\.hasFinished) == [true, true, true, true, true, false, false, false])
        #expect(followers[0].events.isEmpty)
        #expect(followers[6].view.outputs["large"] == large("7"))
        #expect(harness.host.streamCount == 3)
        // A disconnected reader reconnects and resumes.
        let again = harness.follow(session, after: followers[0].lastEventID)
        again.read()
        #expect(again.view.outputs["large"] == large("7"))
    }

    @Test func `a reader receives the rest of a large event after the session has ended`() throws {
        let harness = try harness()
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        harness.input(session, "fill", "1")
        follower.readOnce(limit: 100)
        harness.loop.advance(by: .seconds(16))
        _ = harness.send(.delete, session)
        follower.read(limit: 5000)
        #expect(follower.events.map(\.event) == ["snapshot", "change", "end"])
        #expect(follower.view.outputs["large"] == large("1"))
    }
}
