import CombineCore

@testable import ComposableArchitecture

/// The effects of a test that are running, by name.
final class RunningNames {
    private(set) var names: Set<String> = []
    /// The effects that were cancelled, in order.
    private(set) var ended: [String] = []
    /// What the last child that was asked to has kept of its dependencies.
    var dismiss: DismissEffect?

    /// Returns an effect that runs until it is cancelled.
    func effect<Action>(_ name: String) -> EffectTask<Action> {
        Effect(
            Deferred { [self] in
                names.insert(name)
                return Empty<Action, Never>(completeImmediately: false)
                    .handleEvents(receiveCancel: { [self] in
                        names.remove(name)
                        ended.append(name)
                    })
            })
    }
}

/// A feature with effects that run until they are cancelled.
struct Leaf: ReducerProtocol {
    struct State: Equatable {
        var count = 0
    }

    enum Action: Equatable { case start(String), count, keepDismiss }

    let running: RunningNames
    @Dependency(\.dismiss) var dismiss

    func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        switch action {
        case .start(let name): return running.effect(name)
        case .count: state.count += 1
        case .keepDismiss: running.dismiss = dismiss
        }
        return .none
    }
}

/// A feature whose state has an id.
struct Item: ReducerProtocol {
    struct State: Equatable, Identifiable {
        var id: Int
    }

    enum Action: Equatable { case start(String), become(Int) }

    let running: RunningNames

    func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        switch action {
        case .start(let name): return running.effect(name)
        case .become(let id):
            state.id = id
            return running.effect("become \(id)")
        }
    }
}

/// What can be presented, as an enum that nothing but its cases describes.
struct Destination: ReducerProtocol {
    enum State: Equatable {
        case first(Leaf.State)
        case second(Leaf.State)
        case item(Item.State)
        indirect case boxed(Item.State)
        case alert(AlertState<Button>)
        case dialog(ConfirmationDialogState<Button>)
    }

    enum Action: Equatable {
        case first(Leaf.Action)
        case second(Leaf.Action)
        case item(Item.Action)
        case boxed(Item.Action)
        case alert(Button)
        case dialog(Button)
    }

    enum Button: Equatable { case confirm, more }

    let running: RunningNames

    var body: some ReducerOf<Self> {
        Scope(state: /State.first, action: /Action.first) { Leaf(running: running) }
        Scope(state: /State.second, action: /Action.second) { Leaf(running: running) }
        Scope(state: /State.item, action: /Action.item) { Item(running: running) }
        Scope(state: /State.boxed, action: /Action.boxed) { Item(running: running) }
        Scope(state: /State.alert, action: /Action.alert) {
            Reduce { _, button in button == .confirm ? running.effect("confirmed") : .none }
        }
    }
}

/// Returns a store whose effects deliver directly.
func makeStore<R: ReducerProtocol>(_ state: R.State, _ reducer: R) -> Store<R.State, R.Action> {
    Store(initialState: state, effectScope: EffectScope(delivery: .direct)) { reducer.reduce(into: &$0, action: $1) }
}
