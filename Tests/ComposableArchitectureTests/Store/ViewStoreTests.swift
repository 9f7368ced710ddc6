import CombineCore
import Testing

@testable import ComposableArchitecture

@Suite struct ViewStoreTests {
    private struct State: Equatable {
        var count = 0
        var name = "Blob"
    }

    private enum Action { case increment, rename(String), nothing }

    private let reducer = Reducer<State, Action, Void> { state, action, _ in
        switch action {
        case .increment: state.count += 1
        case .rename(let name): state.name = name
        case .nothing: break
        }
        return .none
    }

    private func makeStore() -> Store<State, Action> {
        Store(initialState: State(), reducer: reducer, environment: ())
    }

    @Test func `it exposes the state and its members, and publishes before changes`() {
        let view = ViewStore(makeStore())
        var announced: [Int] = []
        let token = view.objectWillChange.sink { announced.append(view.count) }
        view.send(.increment)
        #expect(view.count == 1)
        #expect(view.state == State(count: 1))
        view.send(.nothing)
        #expect(announced == [0])
        withExtendedLifetime(token) {}
    }

    @Test func `duplicates are ignored, by equality or a closure`() {
        let store = makeStore()
        let view = ViewStore(store, removeDuplicates: { $0.count == $1.count })
        var seen: [State] = []
        let token = view.publisher.sink { seen.append($0) }
        view.send(.nothing)
        view.send(.rename("x"))
        view.send(.increment)
        #expect(seen == [State(), State(count: 1, name: "x")])
        withExtendedLifetime(token) {}
    }

    @Test func `the publisher of a member delivers its changes`() {
        let view = ViewStore(makeStore())
        var names: [String] = []
        // A member with the name of an operator, such as `count`, resolves to the operator, as in Apple's Combine.
        let token = view.publisher.name.sink { names.append($0) }
        view.send(.increment)
        view.send(.rename("x"))
        view.send(.nothing)
        #expect(names == ["Blob", "x"])
        withExtendedLifetime(token) {}
    }

    @Test func `the view store has the new state when its publisher delivers it`() {
        let view = ViewStore(makeStore())
        var pairs: [[Int]] = []
        let token = view.publisher.dropFirst().sink { pairs.append([$0.count, view.count]) }
        view.send(.increment)
        #expect(pairs == [[1, 1]])
        withExtendedLifetime(token) {}
    }

    @Test func `a subscription to the publisher retains the store`() {
        weak var gone: Store<State, Action>?
        var names: [String] = []
        var send: ((Action) -> Void)?
        var token: AnyCancellable?
        do {
            let store = makeStore()
            gone = store
            send = { [weak store] in store?.send($0) }
            token = ViewStore(store).publisher.name.sink { names.append($0) }
        }
        send?(.rename("x"))
        #expect(names == ["Blob", "x"])
        token?.cancel()
        token = nil
        #expect(gone == nil)
    }

    @Test func `a view store observes a view state`() {
        let view = ViewStore(makeStore(), observe: \.count)
        var seen: [Int] = []
        let token = view.publisher.sink { seen.append($0) }
        view.send(.rename("y"))
        view.send(.increment)
        #expect(seen == [0, 1])
        withExtendedLifetime(token) {}
    }

    @MainActor @Test func `sending waits while the state meets a condition`() async {
        enum Action { case refresh, finish }
        let reducer = Reducer<Bool, Action, Void> { isLoading, action, _ in
            isLoading = action == .refresh
            return isLoading ? .run { send in await send(.finish) } : .none
        }
        let view = ViewStore(Store(initialState: false, reducer: reducer, environment: ()))
        await view.send(.refresh, while: { $0 })
        #expect(!view.state)
        view.send(.refresh)
        #expect(view.state)
        await view.yield(while: { $0 })
        #expect(!view.state)
    }

    @MainActor @Test func `effects are cancelled with the task that waits for the state`() async {
        let (stream, end) = AsyncStream<Void>.makeStream()
        let reducer = Reducer<Bool, Void, Void> { isLoading, _, _ in
            isLoading = true
            return .run { _ in
                await withTaskCancellationHandler {
                    try? await Task.sleep(for: .seconds(100))
                } onCancel: {
                    end.finish()
                }
            }
        }
        let view = ViewStore(Store(initialState: false, reducer: reducer, environment: ()))
        let waiting = Task { @MainActor in await view.send((), while: { $0 }) }
        await view.yield(while: { !$0 })
        waiting.cancel()
        await waiting.value
        for await _ in stream {}
        #expect(view.state)
    }
}
