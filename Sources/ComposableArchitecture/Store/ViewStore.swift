public import CombineCore

/// What a view sees of a store, and what it sends to.
///
/// It shows the state of the moment, publishes each new one that is not a duplicate, and passes actions on. On a server
/// it is what gets hosted: its state is what clients see.
@dynamicMemberLookup
public final class ViewStore<State, Action>: ObservableObject {
    /// Announces each change before it happens.
    public let objectWillChange = ObservableObjectPublisher()

    /// The current state.
    public private(set) var state: State {
        willSet { objectWillChange.send() }
    }

    private let states: AnyPublisher<State, Never>
    private let sendAction: (Action) -> StoreTask
    private var subscription: AnyCancellable?

    /// Makes a view store that passes over states that `isDuplicate` finds no different from the one before.
    public init(_ store: Store<State, Action>, removeDuplicates isDuplicate: @escaping (State, State) -> Bool) {
        states = store.$state.removeDuplicates(by: isDuplicate).eraseToAnyPublisher()
        state = store.state
        sendAction = { store.send($0) }
        subscription = states.sink { [weak self] in self?.state = $0 }
    }

    /// Makes a view store of what a view needs of a store's state.
    public convenience init<FullState>(
        _ store: Store<FullState, Action>, observe toViewState: @escaping (FullState) -> State,
        removeDuplicates isDuplicate: @escaping (State, State) -> Bool
    ) {
        self.init(store.scope(state: toViewState), removeDuplicates: isDuplicate)
    }

    /// The states, the current one first; whoever listens keeps this view store alive.
    public var publisher: StorePublisher<State> {
        StorePublisher(states, owner: self)
    }

    /// A property of the current state.
    public subscript<LocalState>(dynamicMember keyPath: KeyPath<State, LocalState>) -> LocalState {
        state[keyPath: keyPath]
    }

    /// Sends an action to the store. When this returns it has been worked off, unless it was sent while another one was.
    ///
    /// - Returns: The effects that it started.
    @discardableResult
    public func send(_ action: Action) -> StoreTask {
        sendAction(action)
    }
}

extension ViewStore where State: Equatable {
    /// Makes a view store that passes over states that are equal to the one before.
    public convenience init(_ store: Store<State, Action>) {
        self.init(store, removeDuplicates: ==)
    }

    /// Makes a view store of what a view needs of a store's state.
    public convenience init<FullState>(
        _ store: Store<FullState, Action>, observe toViewState: @escaping (FullState) -> State
    ) {
        self.init(store, observe: toViewState, removeDuplicates: ==)
    }
}

extension ViewStore where State == Void {
    /// Makes a view store that only sends.
    public convenience init(_ store: Store<Void, Action>) {
        self.init(store, removeDuplicates: { _, _ in true })
    }
}

/// A view store of the state and the actions of a reducer type.
public typealias ViewStoreOf<R: ReducerProtocol> = ViewStore<R.State, R.Action>
