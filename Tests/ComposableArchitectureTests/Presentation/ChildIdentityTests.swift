import CombineCore
import Testing

@testable import ComposableArchitecture

/// Which effects end with a presented child, and when.
@Suite struct ChildIdentityTests {
    private struct Parent: ReducerProtocol {
        struct State: Equatable {
            @PresentationState var destination: Destination.State?
            var log: [String] = []
        }

        enum Action: Equatable {
            case destination(PresentationAction<Destination.Action>)
            case show(Destination.State?)
            case reset
            case showLater(Destination.State?)
            case nothing
        }

        let running: RunningNames

        var body: some ReducerOf<Self> {
            Reduce { state, action in
                if action == .reset { state = State() }
                return .none
            }
            Reduce { state, action in
                switch action {
                case .show(let destination): state.destination = destination
                case .destination(.presented(.alert(.more))): state.destination = .dialog(dialog)
                case .destination(.presented(.dialog(.more))):
                    state.destination = .dialog(ConfirmationDialogState(title: "again", buttons: []))
                case .destination(.dismiss): state.log.append("dismissed")
                default: break
                }
                return .none
            }
            .ifLet(\.$destination, action: /Action.destination) { Destination(running: running) }
            Reduce { state, action in
                if case .showLater(let destination) = action { state.destination = destination }
                return .none
            }
        }

        private var dialog: ConfirmationDialogState<Destination.Button> {
            ConfirmationDialogState(title: "more", buttons: [])
        }
    }

    private let running = RunningNames()

    private func store(_ destination: Destination.State?) -> Store<Parent.State, Parent.Action> {
        makeStore(Parent.State(destination: destination), Parent(running: running))
    }

    private func start(_ action: Destination.Action, in store: Store<Parent.State, Parent.Action>) {
        store.send(.destination(.presented(action)))
    }

    @Test func `another case is another child, although neither has an id`() {
        let store = store(.first(Leaf.State()))
        start(.first(.start("a")), in: store)
        start(.first(.count), in: store)
        store.send(.show(.first(Leaf.State(count: 5))))
        #expect(running.names == ["a"])
        store.send(.show(.second(Leaf.State())))
        #expect(running.names == [])
        start(.second(.start("b")), in: store)
        store.send(.nothing)
        #expect(running.names == ["b"])
        store.send(.show(nil))
        #expect(running.names == [])
    }

    @Test(arguments: [false, true])
    func `another id in the same case is another child`(isIndirect: Bool) {
        func state(_ id: Int) -> Destination.State {
            isIndirect ? .boxed(Item.State(id: id)) : .item(Item.State(id: id))
        }
        let store = store(state(1))
        start(isIndirect ? .boxed(.start("a")) : .item(.start("a")), in: store)
        store.send(.show(state(1)))
        #expect(running.names == ["a"])
        store.send(.show(state(2)))
        #expect(running.names == [])
    }

    @Test func `a presented child that changes its id loses its effects`() {
        let store = store(.item(Item.State(id: 1)))
        start(.item(.start("a")), in: store)
        start(.item(.become(2)), in: store)
        #expect(running.names == [])
        start(.item(.start("b")), in: store)
        #expect(running.names == ["b"])
    }

    @Test func `an earlier reducer ends the effects of a child that it removes`() {
        let store = store(.first(Leaf.State()))
        start(.first(.start("a")), in: store)
        store.send(.reset)
        #expect(running.names == [])
    }

    @Test func `a later reducer ends the effects of a child that it removes, with the next action`() {
        let store = store(.first(Leaf.State()))
        start(.first(.start("a")), in: store)
        store.send(.showLater(nil))
        store.send(.nothing)
        #expect(running.names == [])
        store.send(.show(.first(Leaf.State())))
        start(.first(.start("b")), in: store)
        store.send(.showLater(.second(Leaf.State())))
        store.send(.nothing)
        #expect(running.names == [])
    }

    @Test func `a button of an alert in a destination removes it, and its effects continue`() {
        let found = issues {
            let store = store(.alert(AlertState(title: "Sure?")))
            start(.alert(.confirm), in: store)
            #expect(store.state.destination == nil)
            store.send(.nothing)
            #expect(running.names == ["confirmed"])
        }
        #expect(found == [])
    }

    @Test func `a button that shows another alert or dialog leaves that one`() {
        let store = store(.alert(AlertState(title: "Sure?")))
        start(.alert(.more), in: store)
        #expect(store.state.destination == .dialog(ConfirmationDialogState(title: "more", buttons: [])))
        start(.dialog(.more), in: store)
        #expect(store.state.destination == .dialog(ConfirmationDialogState(title: "again", buttons: [])))
        start(.dialog(.confirm), in: store)
        #expect(store.state.destination == nil)
    }

    @Test func `an action of another case leaves an alert, and is reported`() {
        let store = store(.alert(AlertState(title: "Sure?")))
        #expect(issues { start(.first(.count), in: store) }.count == 1)
        #expect(store.state.destination != nil)
    }

    @Test func `an action of a child that is not presented is reported, and the parent handles it`() {
        let store = store(nil)
        let found = issues {
            store.send(.destination(.dismiss))
            start(.first(.count), in: store)
        }
        #expect(found.count == 2)
        #expect(found.allSatisfy { $0.contains("nothing was presented") })
        #expect(store.state.log == ["dismissed"])
    }

    @Test func `a child that the parent replaces when it is dismissed stays`() {
        let reducer = Reduce<Holder, PresentationAction<Item.Action>> { state, action in
            if action == .dismiss, let item = state.item { state.item = Item.State(id: max(2, item.id)) }
            return .none
        }
        .ifLet(\.$item, action: /.self) { Item(running: running) }
        let store = makeStore(Holder(item: Item.State(id: 1)), reducer)
        store.send(.presented(.start("a")))
        store.send(.dismiss)
        #expect(store.state.item == Item.State(id: 2))
        #expect(running.names == [])
        store.send(.dismiss)
        #expect(store.state.item == nil)
    }

    private struct Holder: Equatable {
        @PresentationState var item: Item.State?
    }
}
