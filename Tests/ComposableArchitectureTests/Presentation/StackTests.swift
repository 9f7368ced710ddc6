import CombineCore
import Testing

@testable import ComposableArchitecture

/// The order in which a stack and its parent handle actions, and which effects end with an element.
@Suite struct StackTests {
    private struct Screen: ReducerProtocol {
        struct State: Equatable {
            var count = 0
            @PresentationState var leaf: Leaf.State?
            var path = StackState<Leaf.State>()
        }

        enum Action: Equatable {
            case start(String)
            case leaf(PresentationAction<Leaf.Action>)
            case path(StackAction<Leaf.State, Leaf.Action>)
        }

        let running: RunningNames

        var body: some ReducerOf<Self> {
            Reduce { _, action in
                if case .start(let name) = action { return running.effect(name) }
                return .none
            }
            .ifLet(\.$leaf, action: /Action.leaf) { Leaf(running: running) }
            .forEach(\.path, action: /Action.path) { Leaf(running: running) }
        }
    }

    private struct Parent: ReducerProtocol {
        struct State: Equatable {
            var path = StackState<Screen.State>()
            var log: [String] = []
        }

        enum Action: Equatable {
            case path(StackAction<Screen.State, Screen.Action>)
            case removeEarlier
            case removeLater
            case remove(StackElementID)
            case nothing
        }

        let running: RunningNames

        var body: some ReducerOf<Self> {
            Reduce { state, action in
                if action == .removeEarlier { state.path.removeAll() }
                return .none
            }
            Reduce { state, action in
                switch action {
                case .path(.push(let id, _)):
                    state.path[id: id]?.count += 1
                    state.log.append("pushed \(id)")
                case .path(.popFrom(let id)): state.log.append("popped \(state.path[id: id]?.count ?? -1)")
                case .remove(let id): state.path[id: id] = nil
                default: break
                }
                return .none
            }
            .forEach(\.path, action: /Action.path) { Screen(running: running) }
            Reduce { state, action in
                if action == .removeLater { state.path = StackState() }
                return .none
            }
        }
    }

    private let running = RunningNames()

    private func store(_ count: Int) -> Store<Parent.State, Parent.Action> {
        let path = StackState((0..<count).map { Screen.State(count: $0) })
        return makeStore(Parent.State(path: path), Parent(running: running))
    }

    private func start(_ name: String, at id: StackElementID, in store: Store<Parent.State, Parent.Action>) {
        store.send(.path(.element(id: id, action: .start(name))))
    }

    @Test func `the parent changes the element that has been pushed, and sees the one that will be popped`() {
        let store = store(0)
        store.send(.path(.push(id: 0, state: Screen.State(count: 5))))
        #expect(store.state.path[id: 0] == Screen.State(count: 6))
        store.send(.path(.popFrom(id: 0)))
        #expect(store.state.path.isEmpty)
        #expect(store.state.log == ["pushed #0", "popped 6"])
    }

    @Test func `the parent handles actions for unknown elements and reused ids, which are reported`() {
        let store = store(1)
        let found = issues {
            store.send(.path(.popFrom(id: 9)))
            store.send(.path(.push(id: 0, state: Screen.State())))
            start("a", at: 9, in: store)
        }
        #expect(found.count == 3)
        #expect(found[0].contains("there was no element #9 on the stack"))
        #expect(store.state.log == ["popped -1", "pushed #0"])
        #expect(store.state.path.ids == [0])
        #expect(running.names == [])
    }

    @Test func `an id can be pushed again when its element has been popped`() {
        let store = store(2)
        start("a", at: 1, in: store)
        store.send(.path(.popFrom(id: 1)))
        #expect(running.names == [])
        #expect(issues { store.send(.path(.push(id: 1, state: Screen.State(count: 3)))) } == [])
        #expect(store.state.path[id: 1] == Screen.State(count: 4))
    }

    @Test func `the largest number can be pushed, and appending continues`() {
        var stack = StackState(["a"])
        stack.push("b", id: StackElementID(number: .max))
        stack.push("c", id: StackElementID(number: .min))
        #expect(stack.append("d") == 1)
        #expect(Set(stack.ids).count == 4)
    }

    @Test func `an element never gets the id of another one`() {
        var stack = StackState(["a"])
        let limit = Int.max / 2
        for number in limit - 1...limit + 1 { stack.push("b", id: StackElementID(number: number)) }
        stack.append("c")
        stack += ["d", "e"]
        #expect(stack.ids.map { $0.number - limit }.suffix(3) == [2, 3, 4])
        #expect(Set(stack.ids).count == stack.count)
    }

    @Test func `removing one element keeps those above it, with their effects`() {
        let store = store(3)
        for id in 0..<3 { start("\(id)", at: StackElementID(number: id), in: store) }
        store.send(.remove(1))
        #expect(store.state.path.ids == [0, 2])
        #expect(running.names == ["0", "2"])
        store.send(.path(.popFrom(id: 0)))
        #expect(running.names == [])
    }

    @Test func `effects of several elements end in the order in which the elements began to have some`() {
        let store = store(20)
        let order = (0..<20).map { $0 * 7 % 20 }
        for id in order { start("\(id)", at: StackElementID(number: id), in: store) }
        store.send(.path(.popFrom(id: 0)))
        #expect(running.ended == order.map { "\($0)" })
    }

    @Test func `other reducers end the effects of elements that they remove`() {
        let earlier = store(2)
        start("a", at: 1, in: earlier)
        earlier.send(.removeEarlier)
        #expect(running.names == [])
        let later = store(2)
        start("b", at: 1, in: later)
        later.send(.removeLater)
        later.send(.nothing)
        #expect(running.names == [])
    }

    @Test func `what an element presents and has on its own stack ends with the element`() {
        let store = store(2)
        store.send(.path(.element(id: 0, action: .path(.push(id: 0, state: Leaf.State())))))
        store.send(.path(.element(id: 0, action: .path(.element(id: 0, action: .start("a"))))))
        store.send(.path(.element(id: 1, action: .path(.push(id: 0, state: Leaf.State())))))
        store.send(.path(.element(id: 1, action: .path(.element(id: 0, action: .start("b"))))))
        store.send(.path(.element(id: 0, action: .path(.popFrom(id: 0)))))
        #expect(running.names == ["b"])
        store.send(.path(.popFrom(id: 1)))
        #expect(running.names == [])
        #expect(store.state.path.ids == [0])
    }

    @Test func `an element is set by its id in a step of a test, and otherwise only if it exists`() {
        let found = issues {
            let store = TestStore(initialState: Parent.State(), reducer: Parent(running: running))
            store.send(.path(.push(id: 4, state: Screen.State()))) {
                $0.path[id: 4] = Screen.State(count: 1)
                $0.log = ["pushed #4"]
            }
        }
        #expect(found == [])
        var stack = StackState(["a"])
        #expect(issues { stack[id: 4] = "b" }.count == 1)
        stack[id: 5] = nil
        stack[id: 0] = "c"
        #expect(Array(stack) == ["c"])
    }
}
