public import CombineCore

extension Store {
    /// Returns a store of a part of the state and of the actions.
    ///
    /// The scoped store forwards its actions to this store and follows this store's state. It keeps this store alive.
    public func scope<LocalState, LocalAction>(
        state toLocalState: @escaping (State) -> LocalState, action fromLocalAction: @escaping (LocalAction) -> Action
    ) -> Store<LocalState, LocalAction> {
        let local = Store<LocalState, LocalAction>(
            initialState: toLocalState(state), parent: self, action: fromLocalAction)
        // The first value is the state from which the local one has just been derived.
        local.parentCancellable = $state.dropFirst().sink { [weak local] newState in
            local?.follow(toLocalState(newState))
        }
        return local
    }

    /// Returns a store of a part of the state and of all actions.
    public func scope<LocalState>(state toLocalState: @escaping (State) -> LocalState) -> Store<LocalState, Action> {
        scope(state: toLocalState, action: { $0 })
    }

    /// Publishes a new scoped store for each value of a publisher that is derived from this store's state.
    ///
    /// Used for navigation: remove duplicates in the publisher to decide when a screen is new.
    @_disfavoredOverload
    public func scope<P: Publisher, LocalState, LocalAction>(
        state toLocalState: @escaping (AnyPublisher<State, Never>) -> P,
        action fromLocalAction: @escaping (LocalAction) -> Action
    ) -> AnyPublisher<Store<LocalState, LocalAction>, Never> where P.Output == LocalState, P.Failure == Never {
        func latest(_ state: State) -> LocalState? {
            var latest: LocalState?
            let token = toLocalState(Just(state).eraseToAnyPublisher()).sink { latest = $0 }
            withExtendedLifetime(token) {}
            return latest
        }
        return toLocalState($state.eraseToAnyPublisher())
            .map { initial in
                let local = Store<LocalState, LocalAction>(initialState: initial, parent: self, action: fromLocalAction)
                local.parentCancellable = self.$state.sink { [weak local] state in
                    guard let local, let state = latest(state) else { return }
                    local.follow(state)
                }
                return local
            }
            .eraseToAnyPublisher()
    }

    /// Publishes a new scoped store, with all actions, for each value of a publisher that is derived from this store's
    /// state.
    @_disfavoredOverload
    public func scope<P: Publisher, LocalState>(
        state toLocalState: @escaping (AnyPublisher<State, Never>) -> P
    ) -> AnyPublisher<Store<LocalState, Action>, Never> where P.Output == LocalState, P.Failure == Never {
        scope(state: toLocalState, action: { $0 })
    }

    /// This store without its state, for views that only send actions.
    public var stateless: Store<Void, Action> {
        scope(state: { _ in () })
    }

    /// This store without its actions, for views that only show state.
    public var actionless: Store<State, Never> {
        func absurd(_ never: Never) -> Action {}
        return scope(state: { $0 }, action: absurd)
    }
}
