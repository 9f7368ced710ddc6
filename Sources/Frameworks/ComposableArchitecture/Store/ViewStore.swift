public import CombineCore

/// An observable view of a store.
///
/// It holds the current state, publishes each change that is not a duplicate, and sends actions to the store. A server
/// hosts view stores: their state is what clients see.
@dynamicMemberLookup
public final class ViewStore<State, Action>: ObservableObject {
    /// Emits before each change.
    public let objectWillChange = ObservableObjectPublisher()

    /// The current state.
    public private(set) var state: State {
        willSet { objectWillChange.send() }
    }

    private let states: AnyPublisher<State, Never>
    private let sendAction: (Action) -> StoreTask
    private var subscription: AnyCancellable?

    /// Creates a view store that ignores states that `isDuplicate` considers equal to the previous one.
    public init(_ store: Store<State, Action>, removeDuplicates isDuplicate: @escaping (State, State) -> Bool) {
        states = store.$state.removeDuplicates(by: isDuplicate).eraseToAnyPublisher()
        state = store.state
        sendAction = { store.send($0) }
        subscription = states.sink { [weak self] in self?.state = $0 }
    }

    /// Creates a view store of the part of the state that a view needs.
    public convenience init<FullState>(
        _ store: Store<FullState, Action>, observe toViewState: @escaping (FullState) -> State,
        removeDuplicates isDuplicate: @escaping (State, State) -> Bool
    ) {
        self.init(store.scope(state: toViewState), removeDuplicates: isDuplicate)
    }

    /// A publisher of the states, starting with the current one. Its subscriptions keep this view store alive.
    public var publisher: StorePublisher<State> {
        StorePublisher(states, owner: self)
    }

    /// A property of the current state.
    public subscript<LocalState>(dynamicMember keyPath: KeyPath<State, LocalState>) -> LocalState {
        state[keyPath: keyPath]
    }

    /// Sends an action to the store. The action has been processed when this method returns, unless it was sent while
    /// another one was being processed.
    ///
    /// - Returns: The effects that the action started.
    @discardableResult
    public func send(_ action: Action) -> StoreTask {
        sendAction(action)
    }

    /// Sends an action and waits while the state meets a condition, for example while a list is being refreshed.
    ///
    /// The effects that the action started are cancelled if the calling task is.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - predicate: Whether to wait, given the current state.
    ///   - isolation: The actor of the caller, to which the store is confined.
    public func send(
        _ action: Action, while predicate: (State) -> Bool, isolation: isolated (any Actor)? = #isolation
    ) async {
        let task = send(action)
        await withTaskCancellationHandler {
            await yield(while: predicate)
        } onCancel: {
            task.group?.cancelFromAnywhere()
        }
    }

    /// Waits while the state meets a condition, at most until the calling task is cancelled.
    ///
    /// - Parameters:
    ///   - predicate: Whether to wait, given the current state.
    ///   - isolation: The actor of the caller, to which the store is confined.
    public func yield(while predicate: (State) -> Bool, isolation: isolated (any Actor)? = #isolation) async {
        for await state in publisher.values where !predicate(state) { return }
    }

    /// Sends an action. The animation has no effect: the client decides how it shows changes.
    @discardableResult
    public func send(_ action: Action, animation: Animation?) -> StoreTask {
        send(action)
    }

    /// Sends an action. The transaction has no effect: the client decides how it shows changes.
    @discardableResult
    public func send(_ action: Action, transaction: Transaction) -> StoreTask {
        send(action)
    }
}

extension ViewStore where State: Equatable {
    /// Creates a view store that ignores states that are equal to the previous one.
    public convenience init(_ store: Store<State, Action>) {
        self.init(store, removeDuplicates: ==)
    }

    /// Creates a view store of the part of the state that a view needs.
    public convenience init<FullState>(
        _ store: Store<FullState, Action>, observe toViewState: @escaping (FullState) -> State
    ) {
        self.init(store, observe: toViewState, removeDuplicates: ==)
    }
}

extension ViewStore where State == Void {
    /// Creates a view store that only sends actions.
    public convenience init(_ store: Store<Void, Action>) {
        self.init(store, removeDuplicates: { _, _ in true })
    }
}

/// A view store of the state and the actions of a reducer type.
public typealias ViewStoreOf<R: ReducerProtocol> = ViewStore<R.State, R.Action>
