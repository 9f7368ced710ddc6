import CombineCore
import Dispatch
import Locking
import Testing

@testable import ComposableArchitecture

@Suite struct TestStoreAsyncTests {
    private enum Action: Equatable { case load, loaded(Int), failed, cancel, idle, stream }

    private struct Failure: Error {}

    private let gate = Gate()

    /// A gate that suspends tasks until the test opens it.
    private final class Gate: Sendable {
        private let state = Lock<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }

        func pass() async {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }
    }

    private func makeStore() -> TestStore<Int, Int, Action, Action, Gate> {
        TestStore(
            initialState: 0,
            reducer: Reducer<Int, Action, Gate> { state, action, gate in
                switch action {
                case .load:
                    return .task {
                        await gate.pass()
                        return .loaded(7)
                    }
                case .loaded(let value):
                    state += value
                    return .none
                case .failed:
                    return .task {
                        throw Failure()
                    } catch: { _ in
                        .loaded(-1)
                    }
                case .cancel: return .cancel(id: "stream")
                case .idle: return .none
                case .stream:
                    return .run { send in
                        await send(.loaded(1))
                        await send(.loaded(2))
                        try await Task.sleep(for: .seconds(100))
                        await send(.loaded(3))
                    }
                    .cancellable(id: "stream")
                }
            }, environment: gate)
    }

    @Test func `receive waits for an action of a task`() async {
        let store = makeStore()
        let found = await issues {
            await store.send(.load)
            gate.open()
            await store.receive(.loaded(7)) { $0 = 7 }
            await store.send(.failed)
            await store.receive(/Action.loaded) { $0 = 6 }
            await store.finish()
        }
        #expect(found == [])
    }

    @Test func `a cancelled task sends no actions`() async {
        let store = makeStore()
        let found = await issues {
            await store.send(.stream)
            await store.receive(.loaded(1)) { $0 = 1 }
            await store.receive(.loaded(2)) { $0 = 3 }
            await store.send(.cancel)
            await store.finish()
        }
        #expect(found == [])
    }

    @Test func `send returns a handle to its effects`() async {
        let store = makeStore()
        let found = await issues {
            let task = await store.send(.stream)
            await store.receive(.loaded(1)) { $0 = 1 }
            await store.receive(.loaded(2)) { $0 = 3 }
            await task.cancel()
            #expect(task.isCancelled)
            await task.finish()
            await store.finish()
            await store.send(.idle).finish()
        }
        #expect(found == [])
    }

    @Test func `waiting fails immediately without effects, and otherwise on timeout`() async {
        let store = makeStore()
        let found = await issues {
            await store.receive(.loaded(1))
            await store.send(.load)
            await store.receive(.loaded(7), timeout: .milliseconds(10))
            gate.open()
            await store.receive(.loaded(7)) { $0 = 7 }
        }
        #expect(found.count == 2)
        #expect(found.allSatisfy { $0.hasPrefix("Expected to receive an action, got none") })
    }

    @Test func `an error that is not caught is reported`() async {
        let store = TestStore(
            initialState: 0,
            reducer: Reducer<Int, Action, Void> { _, _, _ in .run { _ in throw Failure() } }, environment: ())
        let found = await issues {
            await store.send(.load)
            await store.finish()
        }
        #expect(found.count == 1)
        #expect(found.first?.contains("an effect threw an error that is not caught") == true)
    }
}
