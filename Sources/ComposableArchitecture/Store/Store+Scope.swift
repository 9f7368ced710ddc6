public import CombineCore

extension Store {
    /// A store of a part of the state and of the actions.
    ///
    /// It runs nothing itself: it passes its actions on to this store, and follows this store's state. It keeps this store
    /// alive.
    public func scope<LocalState, LocalAction>(
        state toLocalState: @escaping (State) -> LocalState, action fromLocalAction: @escaping (LocalAction) -> Action
    ) -> Store<LocalState, LocalAction> {
        let local = Store<LocalState, LocalAction>(initialState: toLocalState(state), parent: self) {
            action, isRefusable in
            let sent = self.dispatch(fromLocalAction(action), isRefusable: isRefusable)
            return Forwarded(
                state: sent.isDone ? toLocalState(self.state) : nil, task: sent.task, missing: sent.missing)
        }
        local.parentCancellable = $state.sink { [weak local] newState in local?.follow(toLocalState(newState)) }
        return local
    }

    /// A store of a part of the state and of all actions.
    public func scope<LocalState>(state toLocalState: @escaping (State) -> LocalState) -> Store<LocalState, Action> {
        scope(state: toLocalState, action: { $0 })
    }

    /// A new store for every value of a publisher that is made of this store's states.
    ///
    /// For navigation: whoever decides when a screen is a new one removes duplicates accordingly.
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
                let local = Store<LocalState, LocalAction>(initialState: initial, parent: self) { action, isRefusable in
                    let sent = self.dispatch(fromLocalAction(action), isRefusable: isRefusable)
                    return Forwarded(
                        state: sent.isDone ? latest(self.state) : nil, task: sent.task, missing: sent.missing)
                }
                local.parentCancellable = self.$state.sink { [weak local] state in
                    guard let local, let state = latest(state) else { return }
                    local.follow(state)
                }
                return local
            }
            .eraseToAnyPublisher()
    }

    /// A new store for every value of a publisher that is made of this store's states, with all actions.
    @_disfavoredOverload
    public func scope<P: Publisher, LocalState>(
        state toLocalState: @escaping (AnyPublisher<State, Never>) -> P
    ) -> AnyPublisher<Store<LocalState, Action>, Never> where P.Output == LocalState, P.Failure == Never {
        scope(state: toLocalState, action: { $0 })
    }

    /// The same store without its state, for views that only send.
    public var stateless: Store<Void, Action> {
        scope(state: { _ in () })
    }

    /// The same store without its actions, for views that only show.
    public var actionless: Store<State, Never> {
        func absurd(_ never: Never) -> Action {}
        return scope(state: { $0 }, action: absurd)
    }
}
