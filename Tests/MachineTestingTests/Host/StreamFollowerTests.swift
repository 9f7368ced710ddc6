import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// A client of a stream that reads on request.
struct StreamFollowerTests {
    private func harness() throws -> HostHarness {
        try HostHarness([
            ScriptedMachine.definition(
                outputs: ["a"], inputs: ["set": { $0.set("a", to: $1) }], made: { $0.set("a", to: "0") })
        ])
    }

    @Test func `a follower reads only on request and is notified once of available data`() throws {
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

    @Test func `a read returns about as many bytes as requested`() throws {
        let harness = try harness()
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        for value in 1...3 { _ = harness.send(.post, session + "/inputs/set", body: "\(value)") }
        guard case .more = follower.readOnce(limit: 10) else {
            Issue.record("expected more data to be available")
            return
        }
        #expect(follower.events.count == 2)
    }

    @Test func `a follower that was cut off reads nothing more`() throws {
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
