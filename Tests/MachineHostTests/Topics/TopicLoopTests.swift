import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// Topics whose sessions are on several loops.
struct TopicLoopTests {
    @Test func `values cross loops in the order of their sender`() throws {
        let harness = try LoopHarness(3, of: .chatting())
        let sessions = (0..<3).map { harness.makeSession(on: $0) }
        harness.input(sessions[1], "count", "5")
        harness.run()
        for session in sessions { #expect(harness.outputs(of: session) == #"{"heard":["1","2","3","4","5"]}"#) }
    }

    @Test func `a loop that does not run delays no other one, and loses values by the rule`() throws {
        let harness = try LoopHarness(2, of: .chatting()) { $0.topics.queuedValues = 2 }
        let (sender, late) = (harness.makeSession(on: 0), harness.makeSession(on: 1))
        harness.stalled = [1]
        for number in 1...4 {
            harness.input(sender, "say", "\"\(number)\"")
            harness.run()
        }
        #expect(harness.outputs(of: sender) == #"{"heard":["1","2","3","4"]}"#)
        harness.stalled = []
        harness.run()
        #expect(harness.outputs(of: late) == #"{"heard":["3","4"]}"#)
    }

    @Test func `a session that subscribes while values are on their way gets the current one only`() throws {
        let harness = try LoopHarness(2, of: .chatting(.latest))
        let (sender, first) = (harness.makeSession(on: 0), harness.makeSession(on: 1))
        harness.stalled = [1]
        harness.input(sender, "say", "\"1\"")
        harness.run()
        harness.input(sender, "say", "\"2\"")
        harness.run()
        let late = harness.makeSession(on: 1)
        harness.stalled = []
        harness.run()
        #expect(harness.outputs(of: first) == #"{"heard":["2"]}"#)
        #expect(harness.outputs(of: late) == #"{"heard":["2"]}"#)
    }

    @Test func `a session that is the first to use a topic again misses no value because of older ones`() throws {
        let harness = try LoopHarness(2, of: .chatting())
        let (sender, first) = (harness.makeSession(on: 0), harness.makeSession(on: 1))
        harness.input(sender, "leave")
        harness.stalled = [1]
        harness.input(sender, "count", "3")
        harness.run()
        harness.delete(first)
        let late = harness.makeSession(on: 1)
        harness.stalled = []
        harness.run()
        harness.input(sender, "say", "\"new\"")
        harness.run()
        #expect(harness.outputs(of: late) == #"{"heard":["new"]}"#)
    }

    @Test func `many sessions receive a value in several rounds`() throws {
        let harness = try LoopHarness(1, of: .chatting())
        let sessions = (0..<20).map { _ in harness.makeSession(on: 0) }
        harness.loops[0].hasShortRounds = true
        harness.input(sessions[0], "count", "2")
        harness.run()
        for session in sessions { #expect(harness.outputs(of: session) == #"{"heard":["1","2"]}"#) }
    }

    @Test func `others of the loop have turns between those of many subscribers`() throws {
        let harness = try LoopHarness(1, of: .chatting())
        let sessions = (0..<100).map { _ in harness.makeSession(on: 0) }
        harness.input(sessions[0], "say", "\"1\"")
        var before = 0
        while harness.loops[0].runRound() {
            let count = sessions.count { harness.outputs(of: $0) != "{}" }
            #expect(count - before <= LoopTopics.sessionsPerRound)
            before = count
        }
        #expect(before == sessions.count)
    }

    @Test func `a loop whose shard has gone does not keep values from another one in its place`() throws {
        let harness = try LoopHarness(2, of: .chatting())
        let sender = harness.makeSession(on: 0)
        _ = harness.makeSession(on: 1)
        harness.input(sender, "say", "\"1\"")
        harness.loops[0].runRound()
        harness.shards[1] = harness.host.makeShard(on: harness.loops[1])
        let late = harness.makeSession(on: 1)
        harness.run()
        harness.input(sender, "say", "\"2\"")
        harness.run()
        #expect(harness.outputs(of: late) == #"{"heard":["2"]}"#)
    }
}
