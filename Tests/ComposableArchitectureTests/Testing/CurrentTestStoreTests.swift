import CombineCore
import Locking
import Testing

@testable import ComposableArchitecture

/// What test stores of reducer types do as in current versions.
@Suite struct CurrentTestStoreTests {
    private struct Feature: ReducerProtocol {
        struct State: Equatable {
            var count = 0
            var log: [String] = []
        }

        enum Action: Equatable {
            case tap
            case load
            case loaded(Int)
            case wait
            case close
        }

        @Dependency(\.dismiss) var dismiss
        @Dependency(\.continuousClock) var clock

        func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
            switch action {
            case .tap: state.count += 1
            case .load: return .merge(.send(.loaded(1)), .send(.loaded(2)))
            case .loaded(let number): state.log.append("\(number)")
            case .wait: return .run(name: "wait") { _ in try await clock.sleep(for: .seconds(1)) }
            case .close: return .run { _ in await dismiss() }
            }
            return .none
        }
    }

    private func store() -> TestStoreOf<Feature> {
        TestStore(initialState: Feature.State()) {
            Feature()
        } withDependencies: {
            $0.continuousClock = TestClock()
        }
    }

    @Test func `a statement of the state between steps need not change it`() async {
        let found = await issues {
            let store = store()
            await store.send(.tap) { $0.count = 1 }
            store.assert { $0.count = 1 }
            store.assert { $0.count = 2 }
        }
        #expect(found.count == 1)
        #expect(found.first?.contains("−   count: 2") == true, "\(found)")
    }

    @Test func `a wrong expectation shows a short difference`() async {
        let found = await issues { await store().send(.tap) { $0.count = 5 } }
        #expect(
            found == [
                """
                The state differs from the expectation of the step: …

                  \u{2007} CurrentTestStoreTests.Feature.State(
                  −   count: 5,
                  +   count: 1,
                  \u{2007}   log: []
                  \u{2007} )

                (Expected: −, Actual: +)
                """
            ])
    }

    @Test func `an unexpected action shows both`() async {
        let found = await issues {
            let store = store()
            await store.send(.load)
            await store.receive(.loaded(9))
            await store.receive(.loaded(2)) { $0.log = ["1", "2"] }
        }
        #expect(
            found == [
                """
                Received an unexpected action: …

                  − CurrentTestStoreTests.Feature.Action.loaded(9)
                  + CurrentTestStoreTests.Feature.Action.loaded(1)

                (Expected: −, Received: +)
                """
            ])
    }

    @Test func `a step that states a change where none happens fails`() async {
        let found = await issues {
            let store = store()
            store.dependencies.continuousClock = ImmediateClock()
            await store.send(.wait) { $0.count = 0 }.finish()
        }
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("Expected the step to change the state") == true)
    }

    @Test func `a feature that dismisses itself is noticed`() async {
        let store = store()
        #expect(!store.isDismissed)
        await store.send(.close).finish()
        #expect(store.isDismissed)
    }

    @Test func `a dismissal that the test implements is called`() async {
        let calls = LockIsolated(0)
        let store = TestStore(initialState: Feature.State()) {
            Feature()
        } withDependencies: {
            $0.dismiss = DismissEffect { calls.withValue { $0 += 1 } }
        }
        await store.send(.close).finish()
        #expect(calls.value == 1)
        #expect(!store.isDismissed)
    }

    @Test func `received actions and effects in flight are skipped`() async {
        let found = await issues {
            let store = store()
            await store.send(.load)
            store.skipReceivedActions()
            #expect(store.state.log == ["1", "2"])
            await store.send(.wait)
            store.skipInFlightEffects()
            await store.finish()
            store.skipReceivedActions()
            store.skipInFlightEffects(strict: false)
        }
        #expect(found == ["Expected received actions to skip, got none."])
    }

    @Test func `exhaustivity is changed for a part of a test`() async {
        let found = await issues {
            let store = store()
            await store.withExhaustivity(.off) {
                await store.send(.tap)
            }
            #expect(store.exhaustivity == .on)
            await store.send(.tap)
        }
        #expect(found.count == 1)
    }

    @Test func `a lock isolates a value`() {
        let value = LockIsolated([1])
        value.withValue { $0.append(2) }
        #expect(value.value == [1, 2])
        #expect(value.count == 2)
        value.setValue([])
        #expect(value.isEmpty)
    }

    @Test func `streams that never send end with their task`() async {
        let task = Task {
            for await _ in AsyncStream<Int>.never {}
            return true
        }
        let other = Task { await (try? Task.never()) == nil }
        task.cancel()
        other.cancel()
        #expect(await task.value)
        #expect(await other.value)
        for await _ in AsyncStream<Int>.finished { Issue.record("expected no element") }
    }

    @Test func `stores are compared by identity and published`() {
        let store = Store(initialState: Feature.State()) { Feature() }
        let other = Store(initialState: Feature.State()) { Feature() }
        #expect(store == store)
        #expect(Set([store, other]).count == 2)
        var seen: [[String]] = []
        let token = store.publisher.log.sink { seen.append($0) }
        store.send(.tap, animation: .default)
        store.send(.loaded(1))
        #expect(seen == [[], ["1"]])
        withExtendedLifetime(token) {}
    }
}
