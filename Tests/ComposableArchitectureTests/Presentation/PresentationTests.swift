import CombineCore
import CombineSchedulers
import Dispatch
import Testing

@testable import ComposableArchitecture

private struct Child: ReducerProtocol {
    struct State: Equatable {
        var count = 0
    }

    enum Action: Equatable { case tick, start, close }

    @Dependency(\.mainQueue) var mainQueue
    @Dependency(\.dismiss) var dismiss

    func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        switch action {
        case .tick:
            state.count += 1
            return .none
        case .start: return Effect.timer(id: "tick", every: 1, on: mainQueue).map { _ in .tick }
        case .close: return .run { [dismiss] _ in await dismiss() }
        }
    }
}

private struct Parent: ReducerProtocol {
    struct State: Equatable {
        @PresentationState var child: Child.State?
        @PresentationState var alert: AlertState<AlertAction>?
        var path = StackState<Child.State>()
        var log: [String] = []
    }

    enum AlertAction: Equatable { case confirmed }

    enum Action: Equatable {
        case show
        case child(PresentationAction<Child.Action>)
        case alert(PresentationAction<AlertAction>)
        case path(StackAction<Child.State, Child.Action>)
    }

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .show:
                state.child = Child.State()
                state.alert = AlertState(title: "Sure?")
            case .child(.dismiss): state.log.append("dismissed at \(state.child?.count ?? -1)")
            case .path(.popFrom(let id)): state.log.append("popped \(id)")
            case .child, .alert, .path: break
            }
            return .none
        }
        .ifLet(\.$child, action: /Action.child) { Child() }
        .ifLet(\.$alert, action: /Action.alert) { EmptyReducer() }
        .forEach(\.path, action: /Action.path) { Child() }
    }
}

@Suite struct PresentationTests {
    private let scheduler = DispatchQueue.test

    /// Advances the clock. Also callable from asynchronous tests.
    private func advance(by interval: DispatchQueue.SchedulerTimeType.Stride) {
        scheduler.advance(by: interval)
    }

    private func makeStore() -> TestStoreOf<Parent> {
        TestStore(initialState: Parent.State(), reducer: Parent()) {
            $0.mainQueue = scheduler.eraseToAnyScheduler()
        }
    }

    @Test func `dismissing removes the state after the parent handled it, and cancels the child's effects`() {
        let found = issues {
            let store = makeStore()
            store.send(.show) {
                $0.child = Child.State()
                $0.alert = AlertState(title: "Sure?")
            }
            store.send(.child(.presented(.start)))
            scheduler.advance(by: 1)
            store.receive(.child(.presented(.tick))) { $0.child?.count = 1 }
            store.send(.child(.dismiss)) {
                $0.child = nil
                $0.log = ["dismissed at 1"]
            }
            scheduler.advance(by: 5)
        }
        #expect(found == [])
    }

    @Test func `an alert is removed when a button is pressed`() {
        let found = issues {
            let store = makeStore()
            store.exhaustivity = .off
            store.send(.show)
            store.exhaustivity = .on
            store.send(.alert(.presented(.confirmed))) { $0.alert = nil }
        }
        #expect(found == [])
        #expect(issues { makeStore().send(.child(.presented(.tick))) }.count == 1)
    }

    @Test func `a child dismisses itself from an effect`() async {
        let found = await issues {
            let store = makeStore()
            store.exhaustivity = .off
            await store.send(.show)
            store.exhaustivity = .on
            await store.send(.child(.presented(.close)))
            await store.receive(.child(.dismiss)) {
                $0.child = nil
                $0.log = ["dismissed at 0"]
            }
            await store.finish()
        }
        #expect(found == [])
    }

    @Test func `actions push and pop a stack, and popping cancels effects`() async {
        let found = await issues {
            let store = makeStore()
            await store.send(.path(.push(id: 0, state: Child.State()))) { $0.path.append(Child.State()) }
            await store.send(.path(.push(id: 1, state: Child.State(count: 5)))) {
                $0.path.append(Child.State(count: 5))
            }
            await store.send(.path(.element(id: 1, action: .start)))
            advance(by: 1)
            await store.receive(.path(.element(id: 1, action: .tick))) { $0.path[id: 1]?.count = 6 }
            await store.send(.path(.element(id: 0, action: .tick))) { $0.path[id: 0]?.count = 1 }
            await store.send(.path(.popFrom(id: 1))) {
                $0.path.popLast()
                $0.log = ["popped #1"]
            }
            advance(by: 5)
            await store.send(.path(.element(id: 0, action: .close)))
            await store.receive(.path(.popFrom(id: 0))) {
                $0.path.removeAll()
                $0.log = ["popped #1", "popped #0"]
            }
            await store.finish()
        }
        #expect(found == [])
    }

    @Test func `a missing element and a reused id are reported`() {
        let found = issues {
            let store = makeStore()
            store.send(.path(.element(id: 4, action: .tick)))
            store.send(.path(.push(id: 0, state: Child.State()))) { $0.path.append(Child.State()) }
            store.send(.path(.push(id: 0, state: Child.State())))
        }
        #expect(found.count == 2)
    }

    @Test func `ids on a stack are not reused, and popping removes all elements above`() {
        var stack: StackState = ["a", "b", "c"]
        #expect(stack.ids == [0, 1, 2])
        stack.pop(from: 1)
        #expect(Array(stack) == ["a"])
        #expect(stack.append("d") == 3)
        stack.append("e")
        stack.pop(to: 3)
        #expect(Array(stack) == ["a", "d"])
        stack[1] = "x"
        #expect(stack[id: 3] == "x")
        #expect(stack[id: 9] == nil)
        #expect(stack != ["a", "x"])
    }

    @Test func `each case of an enum state has a store of its payload`() {
        enum Screen: Equatable { case counter(Child.State), text(String) }
        let store = Store<Screen, Screen>(
            initialState: .text("x"),
            reducer: Reducer<Screen, Screen, Void> { state, action, _ in
                state = action
                return .none
            }, environment: ())
        let counter = store.scope(state: /Screen.counter, action: Screen.counter)
        var shown: [String] = []
        let token = counter.ifLet(
            then: { shown.append("counter \($0.state.count)") }, else: { shown.append("other") })
        counter.send(Child.State(count: 3))
        store.send(.text("y"))
        #expect(shown == ["other", "counter 3", "other"])
        token.cancel()
    }
}
