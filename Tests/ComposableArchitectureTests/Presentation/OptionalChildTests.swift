import CombineCore
import Testing

@testable import ComposableArchitecture

/// Which effects end with a child in optional state, in a case, or in an array.
@Suite struct OptionalChildTests {
    private enum Machine: Equatable { case idle, busy(Int) }

    private struct Working: ReducerProtocol {
        let running: RunningNames

        func reduce(into state: inout Machine, action: String) -> EffectTask<String> {
            state = .busy(action.count)
            return running.effect(action)
        }
    }

    private struct Parent: ReducerProtocol {
        struct State: Equatable {
            var item: Item.State?
            var machine: Machine?
            var alert: AlertState<Destination.Button>?
            var items: IdentifiedArrayOf<Item.State> = []
        }

        enum Action: Equatable {
            case item(Item.Action)
            case machine(String)
            case alert(Destination.Button)
            case items(Int, Item.Action)
            case set(Item.State?)
            case setMachine(Machine?)
            case reset
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
                case .set(let item): state.item = item
                case .setMachine(let machine): state.machine = machine
                case .alert(.more): state.alert = AlertState(title: "again")
                default: break
                }
                return .none
            }
            .ifLet(\.item, action: /Action.item) { Item(running: running) }
            .ifLet(\.machine, action: /Action.machine) { Working(running: running) }
            .ifLet(\.alert, action: /Action.alert)
            .forEach(\.items, action: /Action.items) { Item(running: running) }
        }
    }

    private let running = RunningNames()

    private func store(_ state: Parent.State) -> Store<Parent.State, Parent.Action> {
        makeStore(state, Parent(running: running))
    }

    @Test func `an earlier reducer ends the effects of the children that it removes`() {
        let store = store(.init(item: .init(id: 1), machine: .idle, items: [.init(id: 1), .init(id: 2)]))
        store.send(.item(.start("a")))
        store.send(.machine("b"))
        store.send(.items(1, .start("c")))
        store.send(.items(2, .start("d")))
        #expect(running.names == ["a", "b", "c", "d"])
        store.send(.reset)
        #expect(running.names == [])
    }

    @Test func `the parent ends the effects of a child that it replaces`() {
        let store = store(.init(item: .init(id: 1)))
        store.send(.item(.start("a")))
        store.send(.set(.init(id: 1)))
        #expect(running.names == ["a"])
        store.send(.set(.init(id: 2)))
        #expect(running.names == [])
    }

    @Test func `another case is another child if the parent sets it, and not if the child does`() {
        let store = store(.init(machine: .idle))
        store.send(.machine("a"))
        store.send(.machine("bb"))
        store.send(.nothing)
        #expect(running.names == ["a", "bb"])
        store.send(.setMachine(.busy(9)))
        #expect(running.names == ["a", "bb"])
        store.send(.setMachine(.idle))
        #expect(running.names == [])
    }

    @Test func `a button removes an alert in optional state, unless the parent shows another one`() {
        let store = store(.init(alert: AlertState(title: "Sure?")))
        store.send(.alert(.more))
        #expect(store.state.alert == AlertState(title: "again"))
        store.send(.alert(.confirm))
        #expect(store.state.alert == nil)
        #expect(issues { store.send(.alert(.confirm)) }.count == 1)
    }

    private struct App: ReducerProtocol {
        enum State: Equatable { case machine(Machine), item(Item.State) }
        enum Action: Equatable { case machine(String), item(Item.Action), set(State) }

        let running: RunningNames

        var body: some ReducerOf<Self> {
            Reduce { state, action in
                if case .set(let new) = action { state = new }
                return .none
            }
            .ifCaseLet(/State.machine, action: /Action.machine) { Working(running: running) }
            .ifCaseLet(/State.item, action: /Action.item) { Item(running: running) }
        }
    }

    @Test func `the effects of a case end with the case or with another id, and not with the child's own case`() {
        let store = makeStore(App.State.machine(.idle), App(running: running))
        store.send(.machine("a"))
        store.send(.set(.machine(.idle)))
        #expect(running.names == ["a"])
        store.send(.set(.item(.init(id: 1))))
        #expect(running.names == [])
        store.send(.item(.start("b")))
        store.send(.set(.item(.init(id: 2))))
        #expect(running.names == [])
    }

    private struct Tabs: ReducerProtocol {
        struct State: Equatable {
            var left = Parent.State(item: .init(id: 1))
            var right = Parent.State(item: .init(id: 1))
        }
        enum Action { case left(Parent.Action), right(Parent.Action) }

        let running: RunningNames

        var body: some ReducerOf<Self> {
            Scope(state: \.left, action: /Action.left) { Parent(running: running) }
            Scope(state: \.right, action: /Action.right) { Parent(running: running) }
        }
    }

    @Test func `the children of two properties with one feature have effects of their own`() {
        let store = makeStore(Tabs.State(), Tabs(running: running))
        store.send(.left(.item(.start("left"))))
        store.send(.right(.item(.start("right"))))
        store.send(.left(.set(nil)))
        #expect(running.names == ["right"])
        store.send(.left(.nothing))
        #expect(running.names == ["right"])
    }
}
