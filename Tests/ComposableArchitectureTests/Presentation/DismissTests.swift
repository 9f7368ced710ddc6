import CombineCore
import Testing

@testable import ComposableArchitecture

/// Children that dismiss themselves.
@Suite struct DismissTests {
    private struct Node: ReducerProtocol {
        struct State: Equatable {
            @PresentationState var leaf: Leaf.State?
        }

        enum Action: Equatable { case leaf(PresentationAction<Leaf.Action>), keepDismiss }

        let running: RunningNames
        @Dependency(\.dismiss) var dismiss

        var body: some ReducerProtocol<State, Action> {
            Reduce { _, action in
                if action == .keepDismiss { running.dismiss = dismiss }
                return .none
            }
            .ifLet(\.$leaf, action: /Action.leaf) { Leaf(running: running) }
        }
    }

    private struct Parent: ReducerProtocol {
        struct State: Equatable {
            @PresentationState var node: Node.State?
            var path = StackState<Leaf.State>()
            var log: [String] = []
        }

        enum Action: Equatable {
            case node(PresentationAction<Node.Action>)
            case path(StackAction<Leaf.State, Leaf.Action>)
            case show
            case reset
        }

        let running: RunningNames

        var body: some ReducerOf<Self> {
            Reduce { state, action in
                switch action {
                case .node(.dismiss): state.log.append("node")
                case .node(.presented(.leaf(.dismiss))): state.log.append("leaf")
                case .path(.popFrom(let id)): state.log.append("\(id)")
                case .show: state.node = Node.State(leaf: Leaf.State())
                case .reset: state.node = nil
                default: break
                }
                return .none
            }
            .ifLet(\.$node, action: /Action.node) { Node(running: running) }
            .forEach(\.path, action: /Action.path) { Leaf(running: running) }
        }
    }

    private let running = RunningNames()

    private func store() -> Store<Parent.State, Parent.Action> {
        makeStore(
            Parent.State(node: Node.State(leaf: Leaf.State()), path: StackState([Leaf.State(), Leaf.State()])),
            Parent(running: running))
    }

    private func keepLeaf(of store: Store<Parent.State, Parent.Action>) -> DismissEffect? {
        store.send(.node(.presented(.leaf(.presented(.keepDismiss)))))
        return running.dismiss
    }

    @Test func `a child is dismissed after its effects have ended, once`() async {
        let store = store()
        let dismiss = keepLeaf(of: store)
        #expect(store.effectCancellables.isEmpty)
        store.send(.node(.presented(.leaf(.presented(.start("a"))))))
        let found = await issues {
            await dismiss?()
            await dismiss?()
        }
        #expect(found == [])
        #expect(store.state.node == Node.State(leaf: nil))
        #expect(store.state.log == ["leaf"])
        #expect(running.names == [])
    }

    @Test func `each child dismisses itself`() async {
        let store = store()
        store.send(.node(.presented(.keepDismiss)))
        let node = running.dismiss
        _ = keepLeaf(of: store)
        store.send(.path(.element(id: 1, action: .keepDismiss)))
        await running.dismiss?()
        #expect(store.state.path.ids == [0])
        await node?()
        #expect(store.state.node == nil)
        #expect(store.state.log == ["#1", "node"])
    }

    @Test func `a child that is gone, or whose parent is gone, is not dismissed`() async {
        let store = store()
        let dismiss = keepLeaf(of: store)
        store.send(.reset)
        store.send(.show)
        let found = await issues { await dismiss?() }
        #expect(found == [])
        #expect(store.state.node == Node.State(leaf: Leaf.State()))
        await keepLeaf(of: store)?()
        #expect(store.state.node == Node.State(leaf: nil))
    }

    @Test func `a task that outlives its store dismisses nothing`() async {
        var store: Store<Parent.State, Parent.Action>? = store()
        let dismiss = store.flatMap { keepLeaf(of: $0) }
        weak let released = store
        store = nil
        #expect(released == nil)
        await dismiss?()
    }

    @Test func `a child dismisses itself through reducers that transform effects as publishers`() async {
        let parent = Parent(running: running)
        let store = Store<Parent.State, Parent.Action>(
            initialState: Parent.State(node: Node.State(leaf: Leaf.State())),
            effectScope: EffectScope(delivery: .direct)
        ) { parent.reduce(into: &$0, action: $1).filter { _ in true }.eraseToEffect() }
        let dismiss = keepLeaf(of: store)
        await dismiss?()
        #expect(store.state.log == ["leaf"])
    }

    @Test func `a presented child that has no effect does not keep a task waiting`() async {
        let store = store()
        await store.send(.node(.presented(.leaf(.presented(.count))))).finish()
        #expect(store.state.node?.leaf?.count == 1)
    }
}
