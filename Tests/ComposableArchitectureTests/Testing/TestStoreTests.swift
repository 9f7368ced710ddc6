import CombineCore
import CombineSchedulers
import Dispatch
import Locking
import Testing

@testable import ComposableArchitecture

/// Returns the issues that are reported while a closure runs.
func issues(_ body: () -> Void) -> [String] {
    let messages = Lock<[String]>([])
    withIssueHandler({ issue in messages.withLock { $0.append(issue.message) } }, body: body)
    return messages.withLock { $0 }
}

func issues(_ body: () async -> Void) async -> [String] {
    let messages = Lock<[String]>([])
    await withIssueHandler({ issue in messages.withLock { $0.append(issue.message) } }, body: body)
    return messages.withLock { $0 }
}

@Suite struct TestStoreTests {
    private let scheduler = DispatchQueue.test

    private struct State: Equatable {
        var count = 0
        var log: [String] = []
    }

    private enum Action: Equatable { case tap, later, now, answer(Int), forever }

    private struct Environment {
        var scheduler: AnySchedulerOf<DispatchQueue>
        var answer = 42
    }

    private let reducer = Reducer<State, Action, Environment> { state, action, environment in
        switch action {
        case .tap:
            state.count += 1
            return .none
        case .later:
            return Effect(value: .answer(environment.answer)).delay(for: 1, scheduler: environment.scheduler)
                .eraseToEffect()
        case .now: return .merge(Effect(value: .tap), Effect(value: .answer(1)))
        case .answer(let answer):
            state.log.append("\(answer)")
            return .none
        case .forever: return PassthroughSubject<Action, Never>().eraseToEffect()
        }
    }

    private typealias Subject = TestStore<State, State, Action, Action, Environment>

    private func makeStore() -> Subject {
        TestStore(
            initialState: State(), reducer: reducer,
            environment: Environment(scheduler: scheduler.eraseToAnyScheduler()))
    }

    @Test func `a complete list of steps passes`() {
        let scheduler = scheduler
        let found = issues {
            makeStore().assert(
                .send(.tap) { $0.count = 1 },
                .send(.now),
                .receive(.tap) { $0.count = 2 },
                .receive(.answer(1)) { $0.log = ["1"] },
                .environment { $0.answer = 7 },
                .send(.later),
                .do { scheduler.advance(by: 1) },
                .receive(.answer(7)) { $0.log = ["1", "7"] })
        }
        #expect(found == [])
    }

    @Test func `a wrong expectation shows a difference, and the next steps run`() {
        let found = issues {
            makeStore().assert(
                .send(.tap) { $0.count = 5 },
                .send(.tap) { $0.count = 2 })
        }
        #expect(
            found == [
                """
                The state differs from the expectation of the step: …

                  \u{2007} State(
                  −   count: 5,
                  +   count: 1,
                  \u{2007}   log: [
                  \u{2007}   ]
                  \u{2007} )

                (Expected: −, Actual: +)
                """
            ])
    }

    @Test func `an unexpected action shows a difference, a missing one the expectation`() {
        let found = issues {
            makeStore().assert(
                .send(.now), .receive(.tap) { $0.count = 1 }, .receive(.answer(2)), .receive(.answer(3)))
        }
        #expect(
            found == [
                """
                Received an unexpected action: …

                  \u{2007} Action.answer(
                  −   2
                  +   1
                  \u{2007} )

                (Expected: −, Received: +)
                """,
                """
                Expected to receive an action, got none: …

                  Action.answer(
                    3
                  )
                """,
            ])
    }

    @Test func `sending, doing and ending fail while received actions are left`() {
        let found = issues { makeStore().assert(.send(.now), .send(.tap) { $0 = State(count: 2, log: ["1"]) }, .do {}) }
        #expect(found.count == 3)
        #expect(found[0].hasPrefix("Not received before this action was sent: 2 actions …"))
        #expect(found[1].hasPrefix("Not received before this work: 2 actions …"))
        #expect(found[2].hasPrefix("Not received by the end of the test: 2 actions …"))
    }

    @Test func `effects that are still running at the end fail the step that started them, once`() {
        let store = makeStore()
        let found = issues {
            store.assert(.send(.forever))
            store.assert(.send(.tap) { $0.count = 1 })
        }
        #expect(found.count == 1)
        #expect(found[0].hasPrefix("An effect of this action is still running at the end of the test: …"))
        #expect(found[0].contains("Action.forever"))
    }

    @Test func `receiving nothing still compares the state`() {
        let found = issues { makeStore().assert(.receive(.tap) { $0.count = 1 }) }
        #expect(found.count == 2)
        #expect(found[1].hasPrefix("The state differs from the expectation of the step"))
    }

    @Test func `a scoped test store starts with the current state and is independent`() {
        let store = makeStore()
        #expect(issues { store.assert(.send(.tap) { $0.count = 1 }) } == [])
        let scoped = store.scope(state: \.count, action: { (_: Void) in Action.tap })
        #expect(issues { scoped.assert(.send(()) { $0 = 2 }, .send(()) { $0 = 3 }) } == [])
        #expect(store.state.count == 1)
    }

    @Test func `the imperative form is equivalent, and deinit checks the end`() {
        #expect(
            issues {
                let store = makeStore()
                store.send(.now)
                store.receive(.tap) { $0.count = 1 }
                store.receive(/Action.answer) { $0.log = ["1"] }
                store.finish()
            } == [])
        let found = issues {
            let store = makeStore()
            store.send(.now)
            store.receive(.tap) { $0.count = 1 }
        }
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("Not received by the end of the test: 1 action") == true)
    }

    @Test func `a non-exhaustive test may omit assertions`() {
        let found = issues {
            let store = makeStore()
            store.exhaustivity = .off
            store.send(.tap)
            store.send(.now)
            store.receive(.answer(1)) { $0.log = ["1"] }
            #expect(store.state.count == 2)
            store.send(.forever)
            store.send(.tap) { $0.count = 9 }
        }
        #expect(found.count == 1)
        #expect(found.first?.contains("−   count: 9") == true)
    }

    @Test func `received actions and running effects can be skipped`() {
        let found = issues {
            let store = makeStore()
            store.send(.now)
            store.skipReceivedActions()
            #expect(store.state == State(count: 1, log: ["1"]))
            store.send(.forever)
            store.skipInFlightEffects()
            store.skipReceivedActions()
        }
        #expect(found == ["Expected received actions to skip, got none."])
    }

    @Test func `finish does not wait for skipped effects`() async {
        let found = await issues {
            let store = makeStore()
            await store.send(.forever)
            store.skipInFlightEffects()
            await store.finish(timeout: .zero)
        }
        #expect(found == [])
    }

    @Test func `an action of an effect may release the test store`() {
        let subject = PassthroughSubject<Int, Never>()
        var store: TestStore<Int, Int, Int, Int, Void>?
        let reducer = Reducer<Int, Int, Void> { state, action, _ in
            switch action {
            case 0: return subject.eraseToEffect()
            case 1:
                store = nil
                return Effect(value: 2)
            default: return .none
            }
        }
        store = TestStore(initialState: 0, reducer: reducer, environment: ())
        let found = issues {
            store?.send(0)
            subject.send(1)
        }
        #expect(store == nil)
        #expect(found.count == 1)
        #expect(found.first?.contains("still running") == true)
    }

    @Test func `actions arrive in the order of a live store`() {
        enum Action: Equatable { case start, first, second, third }
        let reducer = Reducer<[Action], Action, Void> { state, action, _ in
            state.append(action)
            switch action {
            case .start: return .merge(Just(.first).eraseToEffect(), Just(.second).eraseToEffect())
            case .first: return Effect(value: .third)
            case .second, .third: return .none
            }
        }
        let live = Store(initialState: [], reducer: reducer, environment: ())
        live.send(.start)
        #expect(live.state == [.start, .first, .second, .third])
        let store = TestStore(initialState: [], reducer: reducer, environment: ())
        let found = issues {
            store.assert(
                .send(.start) { $0 = [.start] },
                .receive(.first) { $0.append(.first) },
                .receive(.second) { $0.append(.second) },
                .receive(.third) { $0.append(.third) })
        }
        #expect(found == [])
    }

    @Test(arguments: [ReceivedActionReduction.onArrival, .onReceive])
    func `effects of received actions start when they arrive, or on request when they are received`(
        _ reduction: ReceivedActionReduction
    ) {
        let scheduler = scheduler
        let reducer = Reducer<[Int], Int, Void> { state, action, _ in
            state.append(action)
            guard action < 3 else { return .none }
            return Effect(value: action + 1).delay(for: 1, scheduler: scheduler).eraseToEffect()
        }
        let store = TestStore(initialState: [], reducer: reducer, environment: ())
        store.receivedActionReduction = reduction
        let found = issues {
            store.assert(
                .send(1) { $0 = [1] },
                .do { scheduler.advance(by: 10) },
                .receive(2) { $0 = [1, 2] },
                .sequence(reduction == .onReceive ? .do { scheduler.advance(by: 10) } : .sequence()),
                .receive(3) { $0 = [1, 2, 3] })
        }
        #expect(found == [])
        #expect(store.scope(state: \.count).receivedActionReduction == reduction)
    }

    @Test func `actions that are reduced on reception are skipped and reported like others`() {
        let found = issues {
            let store = makeStore()
            store.receivedActionReduction = .onReceive
            store.send(.now)
            #expect(store.state == State())
            store.receive(.tap) { $0.count = 1 }
            store.skipReceivedActions()
            #expect(store.state == State(count: 1, log: ["1"]))
            store.exhaustivity = .off
            store.send(.now)
            store.receive(.answer(1)) { $0.log = ["1", "1"] }
            #expect(store.state.count == 2)
            store.exhaustivity = .on
            store.send(.now)
            store.receive(.answer(7))
        }
        #expect(found.count == 2)
        #expect(found.first?.hasPrefix("Received an unexpected action") == true)
        #expect(found.last?.hasPrefix("Not received by the end of the test: 1 action") == true)
    }

    @Test func `a long difference omits unchanged lines`() {
        let reducer = Reducer<[Int], Int, Void> { state, index, _ in
            state[index] = -1
            return .none
        }
        let store = TestStore(initialState: Array(0..<50), reducer: reducer, environment: ())
        let found = issues { store.assert(.send(25)) }
        #expect(found.count == 1)
        #expect(found.first?.contains("… 23 unchanged lines …") == true)
        #expect(found.first?.contains("−   25") == true)
        #expect((found.first?.split(separator: "\n").count ?? 99) < 20)
    }

    @Test func `an issue fails the running test`() {
        withKnownIssue {
            makeStore().assert(.send(.tap))
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("The state differs from the expectation of the step") }
        }
    }
}
