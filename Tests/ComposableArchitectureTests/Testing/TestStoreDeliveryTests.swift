import CombineSchedulers
import Foundation
import Testing

@testable import ComposableArchitecture

/// When the actions of effects arrive at a test store, and what it does with those that a step does not name.
@Suite struct TestStoreDeliveryTests {
    private struct Feature: ReducerProtocol {
        struct State: Equatable {
            var count = 0
            var log: [String] = []
        }

        enum Action: Equatable {
            case start
            case tick
            case load
            case loaded(String)
            case wait
            case close
            case save
            case stop
        }

        @Dependency(\.calendar) var calendar
        @Dependency(\.continuousClock) var clock
        @Dependency(\.dismiss) var dismiss
        /// What the effect of `save` has done.
        var steps = LockIsolated<[String]>([])

        func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
            switch action {
            case .start:
                return .run { send in
                    for await _ in clock.timer(interval: .seconds(1)) { await send(.tick) }
                }
                .cancellable(id: "timer")
            case .tick: state.count += 1
            case .load: return .merge(.send(.loaded("a")), .send(.loaded("b")))
            case .loaded(let text): state.log.append(text)
            case .wait:
                return .run { send in
                    try await clock.sleep(for: .seconds(1))
                    await send(.loaded("late"))
                }
            case .close: return .run { _ in await dismiss() }
            case .save:
                return .run { [steps] send in
                    try await clock.sleep(for: .seconds(1))
                    await send(.stop)
                    steps.withValue { $0.append(Task.isCancelled ? "cancelled" : "running") }
                    try Task.checkCancellation()
                    steps.withValue { $0.append("saved") }
                }
                .cancellable(id: "save")
            case .stop:
                state.log.append("stopped")
                return .cancel(id: "save")
            }
            return .none
        }
    }

    private let clock = TestClock()
    private let steps = LockIsolated<[String]>([])

    private func store() -> TestStoreOf<Feature> {
        TestStore(initialState: Feature.State()) {
            Feature(steps: steps)
        } withDependencies: {
            $0.continuousClock = clock
        }
    }

    @Test func `a timer ticks several times while the test advances its clock`() async {
        let store = store()
        let timer = await store.send(.start)
        await clock.advance(by: .seconds(3))
        await store.receive(.tick) { $0.count = 1 }
        await store.receive(.tick) { $0.count = 2 }
        await store.receive(.tick) { $0.count = 3 }
        await timer.cancel()
    }

    @Test func `an effect that an action of its own cancels does nothing after it has sent the action`() async {
        let store = store()
        await store.send(.save)
        await clock.advance(by: .seconds(1))
        #expect(steps.value == ["cancelled"])
        await store.receive(.stop) { $0.log = ["stopped"] }
        await store.finish()
        #expect(steps.value == ["cancelled"])
    }

    @MainActor @Test func `an action of an effect is processed before sending it returns, also on an actor`() async {
        let store = store()
        for count in 1...20 {
            await store.send(.save)
            await clock.advance(by: .seconds(1))
            #expect(steps.value == Array(repeating: "cancelled", count: count))
            await store.receive(.stop) { $0.log.append("stopped") }
        }
        let timer = await store.send(.start)
        await clock.advance(by: .seconds(3))
        for count in 1...3 { await store.receive(.tick) { $0.count = count } }
        await timer.cancel()
    }

    @Test func `another task that advances the clock does not process actions beside the test`() async {
        let store = store()
        await store.send(.start)
        await withTaskGroup { group in
            group.addTask { await clock.advance(by: .seconds(2)) }
            await group.waitForAll()
        }
        await store.receive(.tick) { $0.count = 1 }
        await store.receive(.tick) { $0.count = 2 }
        store.skipInFlightEffects()
    }

    @Test func `a skipped effect runs on`() async {
        let store = store()
        await store.send(.wait)
        store.skipInFlightEffects()
        await clock.advance(by: .seconds(1))
        await store.receive(.loaded("late")) { $0.log = ["late"] }
    }

    @Test func `the closure of a step reads the state before the step`() async {
        let store = store()
        await store.send(.tick) {
            #expect(store.state.count == 0)
            $0.count = 1
        }
        #expect(store.state.count == 1)
        await store.send(.load)
        await store.receive(.loaded("a")) {
            #expect(store.state.log == [])
            $0.log = ["a"]
        }
        await store.receive(.loaded("b")) { $0.log = ["a", "b"] }
    }

    @Test func `a feature that dismisses itself ends its effects and takes no further action`() async {
        let found = await issues {
            let store = store()
            await store.send(.start)
            await store.send(.close)
            await store.send(.tick)
            await store.finish(timeout: 1_000_000)
            #expect(store.isDismissed)
            #expect(store.state.count == 0)
        }
        #expect(found == ["Expected no action after the feature has dismissed itself."])
    }

    @Test func `a step that names no received action leaves them to the following steps`() async {
        let found = await issues {
            let store = store()
            store.exhaustivity = .off
            await store.send(.load)
            await store.receive(.tick)
            await store.receive(.loaded("a"), timeout: 1_000_000) { $0.log = ["a"] }
            await store.receive(.loaded("b"), timeout: 1_000_000) { $0.log = ["a", "b"] }
        }
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("Expected to receive an action, got none that matches") == true)
    }

    @Test func `a dependency that a reducer overrides need not be overridden by the test`() async {
        let found = await issues {
            let store = TestStore(initialState: 0) {
                Reduce<Int, Bool> { state, _ in
                    @Dependency(\.calendar) var calendar
                    state = calendar.firstWeekday
                    return .none
                }
                .dependency(\.calendar, Calendar(identifier: .iso8601))
            }
            await store.send(true) { $0 = 2 }
        }
        #expect(found == [])
    }
}
