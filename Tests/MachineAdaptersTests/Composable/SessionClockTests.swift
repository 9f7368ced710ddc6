import ComposableAdapter
import ComposableMacros
import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// A feature whose tasks sleep on the clock.
@Reducer
private struct Egg {
    @ObservableState
    struct State: Equatable, Codable {
        var seconds = 0
        var isDone = false
    }

    enum Action: Equatable {
        case done
        case resumed
        case start
        case stop
        case tick
        case wait(Int)
    }

    private enum CancelID { case timer, wait }

    @Dependency(\.continuousClock) var clock
    @Dependency(\.suspendingClock) var otherClock

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .done: state.isDone = true
            case .resumed, .start:
                return .run { send in
                    for await _ in clock.timer(interval: .seconds(1)) { await send(.tick) }
                }
                .cancellable(id: CancelID.timer, cancelInFlight: true)
            case .stop: return .merge(.cancel(id: CancelID.timer), .cancel(id: CancelID.wait))
            case .tick: state.seconds += 1
            case .wait(let milliseconds):
                return .run { send in
                    try await otherClock.sleep(for: .milliseconds(milliseconds))
                    await send(.done)
                }
                .cancellable(id: CancelID.wait, cancelInFlight: true)
            }
            return .none
        }
    }
}

/// The clocks of features in hosted sessions.
struct SessionClockTests {
    private let definition: MachineDefinition

    init() throws {
        definition = try .composable(
            "egg", summary: "A timer.", actions: ["start", "stop", "wait"],
            resumed: { work in work.isEmpty ? nil : Egg.Action.resumed }
        ) { _ in
            Store(initialState: Egg.State()) { Egg() }
        }
    }

    private func start() throws -> (HostHarness, session: String) {
        let harness = try HostHarness([definition])
        return (harness, harness.makeSession(of: "egg"))
    }

    @Test func `a timer ticks in the time of the session, until it is cancelled`() throws {
        let (harness, session) = try start()
        func outputs() -> String { harness.send(.get, session + "/outputs").text }
        _ = harness.send(.post, session + "/inputs/start")
        harness.loop.advance(by: .milliseconds(999))
        #expect(outputs().contains(#""seconds":0"#))
        harness.loop.advance(by: .milliseconds(1))
        #expect(outputs().contains(#""seconds":1"#))
        harness.loop.advance(by: .seconds(2))
        #expect(outputs().contains(#""seconds":3"#))
        _ = harness.send(.post, session + "/inputs/stop")
        harness.loop.advance(by: .seconds(5))
        #expect(outputs().contains(#""seconds":3"#))
    }

    @Test func `a task sleeps in the time of the session, and a newer one replaces it`() throws {
        let (harness, session) = try start()
        func outputs() -> String { harness.send(.get, session + "/outputs").text }
        _ = harness.send(.post, session + "/inputs/wait", body: "300")
        harness.loop.advance(by: .milliseconds(200))
        _ = harness.send(.post, session + "/inputs/wait", body: "300")
        harness.loop.advance(by: .milliseconds(200))
        #expect(outputs().contains(#""isDone":false"#))
        harness.loop.advance(by: .milliseconds(100))
        #expect(outputs().contains(#""isDone":true"#))
    }

    @Test func `nothing sleeps in a session that has ended`() throws {
        let (harness, session) = try start()
        let timers = harness.loop.timerCount
        _ = harness.send(.post, session + "/inputs/start")
        #expect(harness.loop.timerCount > timers)
        #expect(harness.send(.delete, session).status == .noContent)
        harness.loop.run()
        #expect(harness.loop.timerCount <= timers)
    }

    @Test func `a timer that is started again after a restart stays on its grid`() throws {
        let host = try RestartableHost([definition])
        let session = host.harness.makeSession(of: "egg")
        func outputs() -> String { host.send(.get, session + "/outputs").text }
        _ = host.send(.post, session + "/inputs/start")
        host.harness.loop.advance(by: .seconds(2))
        #expect(outputs().contains(#""seconds":2"#))
        try host.restart()
        #expect(outputs().contains(#""seconds":2"#))
        host.harness.loop.advance(by: .seconds(3))
        #expect(outputs().contains(#""seconds":5"#))
    }
}
