import HTTPModel
import Locking
import Log
import MachineHost
import MachineTesting
import Testing

/// Asynchronous inputs of observable classes.
struct ObservableTaskTests {
    @Test @MainActor func `what an input does between two pauses is a turn`() throws {
        let harness = try HostHarness([try Loader.definition()])
        let session = harness.makeSession(of: "loader")
        let follower = harness.follow(session)
        follower.read()
        let answer = harness.send(.post, session + "/inputs/loadSlowly", body: "1")
        #expect(answer.text == #"{"version":0,"changes":{}}"#)
        harness.loop.advance(by: .milliseconds(99_999))
        #expect(harness.send(.get, session).text.contains(#""facts":[]"#))
        harness.loop.advance(by: .milliseconds(1))
        #expect(harness.send(.get, session).text.contains(#""facts":["slow 1"]"#))
        harness.loop.advance(by: .seconds(100))
        follower.read()
        #expect(
            follower.events.last?.data == #"{"isLoading":false,"facts":["slow 1","slower 1"]}"#)
    }

    @Test @MainActor func `a pause lasts as long as requested, however long the task has worked before`() throws {
        let harness = try HostHarness([try Loader.definition()])
        let session = harness.makeSession(of: "loader")
        _ = harness.send(.post, session + "/inputs/loadLate")
        harness.loop.advance(by: .milliseconds(99_999))
        #expect(harness.send(.get, session).text.contains(#""facts":[]"#))
        harness.loop.advance(by: .milliseconds(1))
        #expect(harness.send(.get, session).text.contains(#""facts":["late"]"#))
    }

    @Test @MainActor func `a function on the thread pool returns to the session`() throws {
        let harness = try HostHarness([try Loader.definition()])
        let session = harness.makeSession(of: "loader")
        _ = harness.send(.post, session + "/inputs/load", body: "7")
        #expect(harness.send(.get, session).text.contains(#""isLoading":false,"facts":["7"]"#))
    }

    @Test @MainActor func `tasks that an input starts belong to the session, too`() throws {
        let harness = try HostHarness([try Loader.definition()])
        let session = harness.makeSession(of: "loader")
        _ = harness.send(.post, session + "/inputs/spread")
        let text = harness.send(.get, session).text
        for name in ["child", "first", "second", "inherited", "detached"] { #expect(text.contains("\"\(name)\"")) }
    }

    @Test @MainActor func `tasks are cancelled with the session`() throws {
        let cancelled = Lock(0)
        let definition = try Loader.definition { _ in
            await withTaskCancellationHandler {
                try? await Task.sleep(for: .seconds(3600))
            } onCancel: {
                cancelled.withLock { $0 += 1 }
            }
            return ""
        }
        let harness = try HostHarness([definition])
        let session = harness.makeSession(of: "loader")
        _ = harness.send(.post, session + "/inputs/load", body: "7")
        #expect(cancelled.withLock { $0 } == 0)
        _ = harness.send(.delete, session)
        #expect(cancelled.withLock { $0 } == 1)
        harness.loop.run()
    }

    @Test @MainActor func `an inherited task follows the session's scheduler and ends with it`() throws {
        let harness = try HostHarness([try Loader.definition()])
        let session = harness.makeSession(of: "loader")
        _ = harness.send(.post, session + "/inputs/tick")
        harness.loop.advance(by: .seconds(105))
        #expect(harness.send(.get, session).text.contains(#""ticks":10"#))
        _ = harness.send(.delete, session)
        harness.loop.advance(by: .seconds(100))
        #expect(harness.loop.timerCount <= 1)
    }

    @Test @MainActor func `an error of an asynchronous input is logged`() throws {
        let events = Lock<[LogEvent]>([])
        let harness = try HostHarness(
            [try Loader.definition()], log: Log(level: .warning) { event in events.withLock { $0.append(event) } })
        let session = harness.makeSession(of: "loader")
        #expect(harness.send(.post, session + "/inputs/fail").status == .ok)
        #expect(harness.send(.post, session + "/inputs/failLater").status == .ok)
        #expect(events.withLock { $0 }.count == 1)
        harness.loop.advance(by: .seconds(100))
        #expect(events.withLock { $0 }.map(\.message) == Array(repeating: "asynchronous input failed", count: 2))
    }

    @Test func `a class that belongs to no actor stays on the loop`() throws {
        let harness = try HostHarness([try Kettle.definition()])
        let session = harness.makeSession(of: "kettle")
        _ = harness.send(.post, session + "/inputs/boil", body: "2")
        #expect(harness.send(.get, session).text.contains(#""steps":["heating"]"#))
        harness.loop.advance(by: .seconds(120))
        #expect(harness.send(.get, session).text.contains(#""steps":["heating","boiling","done"]"#))
    }

    @Test @MainActor func `a restored object continues with its state, and learns which inputs were running`() throws {
        let host = try RestartableHost([try Loader.definition()])
        let session = host.harness.makeSession(of: "loader")
        _ = host.send(.post, session + "/inputs/load", body: "1")
        _ = host.send(.post, session + "/inputs/loadSlowly", body: "2")
        try host.restart()
        let text = host.send(.get, session).text
        #expect(text.contains(#""isLoading":true,"facts":["1"],"interrupted":["loadSlowly"]"#))
        let answer = host.send(.post, session + "/inputs/clear")
        #expect(answer.text.contains(#""facts":[]"#))
    }

    @Test @MainActor func `the main actor outside of sessions stays the main thread`() async throws {
        _ = try Loader.definition()
        await Task.detached { @MainActor in MainActor.assertIsolated() }.value
        try await Task.sleep(for: .milliseconds(1))
        MainActor.assertIsolated()
    }
}
