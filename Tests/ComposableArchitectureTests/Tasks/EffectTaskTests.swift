import CombineCore
import Dispatch
import Locking
import Testing

@testable import ComposableArchitecture

@Suite struct EffectTaskTests {
    private enum Action: Equatable, Sendable { case start, stop, got(Int) }

    @Test func `a store's tasks send on the main queue, and finish waits for them`() async {
        let reducer = Reducer<[Int], Action, Void> { state, action, _ in
            switch action {
            case .start:
                return .run { send in
                    for number in 1...3 { await send(.got(number)) }
                }
            case .got(let number):
                dispatchPrecondition(condition: .onQueue(.main))
                state.append(number)
                return .none
            case .stop: return .none
            }
        }
        let store = await MainActor.run { UnsafeTransfer(Store(initialState: [], reducer: reducer, environment: ())) }
        let task = await MainActor.run { store.value.send(.start) }
        await task.finish()
        #expect(await MainActor.run { store.value.state } == [1, 2, 3])
        #expect(!task.isCancelled)
    }

    @Test func `cancelling the task that send returned cancels the effects of its effects`() async {
        let (stream, end) = AsyncStream<Void>.makeStream()
        let reducer = Reducer<[Int], Action, Void> { state, action, _ in
            switch action {
            case .start: return Effect(value: .got(1))
            case .got:
                return .run { _ in
                    await withTaskCancellationHandler {
                        try? await Task.sleep(for: .seconds(100))
                    } onCancel: {
                        end.finish()
                    }
                }
            case .stop: return .none
            }
        }
        let store = await MainActor.run { UnsafeTransfer(Store(initialState: [], reducer: reducer, environment: ())) }
        let task = await MainActor.run { store.value.send(.start) }
        await MainActor.run {
            #expect(store.value.effectCancellables.count == 1)
            task.cancel()
            #expect(store.value.effectCancellables.isEmpty)
        }
        for await _ in stream {}
        await task.finish()
        #expect(task.isCancelled)
    }

    @Test func `an action that is sent after the end of its effect is ignored and reported`() async {
        let messages = Lock<[String]>([])
        let late = Lock<Send<Action>?>(nil)
        let reducer = Reducer<[Int], Action, Void> { state, action, _ in
            if case .got(let number) = action { state.append(number) }
            return action == .start ? .run { send in late.withLock { $0 = send } } : .none
        }
        let store = await MainActor.run { UnsafeTransfer(Store(initialState: [], reducer: reducer, environment: ())) }
        await MainActor.run { store.value.send(.start) }.finish()
        await withIssueHandler { issue in
            messages.withLock { $0.append(issue.message) }
        } body: {
            await late.withLock { $0 }?(.got(1))
        }
        #expect(await MainActor.run { store.value.state }.isEmpty)
        #expect(messages.withLock { $0.count } == 1)
        #expect(messages.withLock { $0.first }?.hasPrefix("expected actions until the end of the effect") == true)
    }

    @Test func `work inside an effect can be cancelled by an id of its store`() async {
        let scope = EffectScope(delivery: .direct)
        let other = EffectScope(delivery: .direct)
        let (started, start) = AsyncStream<Void>.makeStream()
        let work = Task {
            await EffectScope.$current.withValue(scope) {
                do {
                    try await withTaskCancellation(id: "work") {
                        start.finish()
                        try await Task.sleep(for: .seconds(100))
                    }
                    return "done"
                } catch {
                    return "cancelled"
                }
            }
        }
        for await _ in started {}
        EffectScope.$current.withValue(other) { Task.cancel(id: "work") }
        EffectScope.$current.withValue(scope) { Task.cancel(id: "work") }
        #expect(await work.value == "cancelled")
        #expect(scope.table.withLock { $0.cancellations.isEmpty })
    }

    @Test func `results of tasks are compared by value or error`() async {
        struct Plain: Error { var code = 1 }
        enum Known: Error, Equatable { case one, two }
        let value = await TaskResult { 1 }
        #expect(value == .success(1))
        #expect(value != .failure(Known.one))
        #expect(TaskResult<Int>.failure(Known.one) == .failure(Known.one))
        #expect(TaskResult<Int>.failure(Known.one) != .failure(Known.two))
        #expect(TaskResult<Int>.failure(Plain()) == .failure(Plain()))
        #expect(TaskResult<Int>.failure(Plain(code: 2)) != .failure(Plain()))
    }

    private enum StepKey: DependencyKey {
        static let liveValue = 1
        static let testValue = 1
    }

    @Test func `a task reads the dependencies that applied where its effect was created`() async {
        let effects: [Effect<Int, Never>] = withDependencies {
            $0[StepKey.self] = 5
        } operation: {
            [
                .run { send in await send(DependencyValues.current[StepKey.self]) },
                .task { DependencyValues.current[StepKey.self] },
            ]
        }
        for effect in effects {
            var received: [Int] = []
            for await value in effect.values { received.append(value) }
            #expect(received == [5])
        }
    }

    @Test func `a task of a reducer reads the overrides of that reducer`() async {
        let reducer = Reduce<[Int], Action> { state, action in
            switch action {
            case .start:
                return withDependencies {
                    $0[StepKey.self] += 1
                } operation: {
                    .run { send in await send(.got(DependencyValues.current[StepKey.self])) }
                }
            case .got(let number): state.append(number)
            case .stop: break
            }
            return .none
        }
        let store = TestStore(initialState: [], reducer: reducer)
        await store.send(.start)
        await store.receive(.got(2)) { $0 = [2] }
        await store.send(.start)
        await store.receive(.got(2)) { $0 = [2, 2] }
    }
}
