import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// A client of a stream that reads when it is told to.
struct StreamFollowerTests {
    private func harness() throws -> HostHarness {
        try HostHarness([
            ScriptedMachine.definition(
                outputs: ["a"], inputs: ["set": { $0.set("a", to: $1) }], made: { $0.set("a", to: "0") })
        ])
    }

    @Test func `it reads nothing by itself, and is told once that there is something`() throws {
        let harness = try harness()
        let session = harness.makeSession()
        let follower = harness.follow(session)
        #expect(follower.bytes.isEmpty)
        follower.read()
        for value in 1...3 { _ = harness.send(.post, session + "/inputs/set", body: "\(value)") }
        #expect(follower.isReady)
        #expect(follower.readyCount == 1)
        #expect(follower.events.count == 1)
        follower.read(limit: 1)
        #expect(follower.view.outputs == ["a": "3"])
        #expect(!follower.isReady)
    }

    @Test func `one read is about as long as it is told`() throws {
        let harness = try harness()
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        for value in 1...3 { _ = harness.send(.post, session + "/inputs/set", body: "\(value)") }
        guard case .more = follower.readOnce(limit: 10) else {
            Issue.record("there is more")
            return
        }
        #expect(follower.events.count == 2)
    }

    @Test func `what was cut reads no more`() throws {
        let harness = try harness()
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        follower.cut()
        follower.cut()
        _ = harness.send(.post, session + "/inputs/set", body: "1")
        follower.read()
        #expect(follower.events.count == 1)
        #expect(!follower.hasFinished)
        #expect(harness.host.streamCount == 0)
    }
}
