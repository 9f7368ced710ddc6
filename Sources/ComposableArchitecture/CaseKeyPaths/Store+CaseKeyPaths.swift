public import CasePaths

extension Store {
    /// Returns a store of a property of the state and of one case of the actions.
    public func scope<ChildState, ChildAction>(
        state toChildState: KeyPath<State, ChildState>, action toChildAction: CaseKeyPath<Action, ChildAction>
    ) -> Store<ChildState, ChildAction> {
        let path = AnyCasePath(toChildAction)
        return scope(state: { $0[keyPath: toChildState] }, action: { path.embed($0) })
    }

    /// Returns a store of optional state and of one case of the actions; nil while the state is nil.
    ///
    /// The store keeps the last value when the state becomes nil later.
    public func scope<ChildState, ChildAction>(
        state toChildState: KeyPath<State, ChildState?>, action toChildAction: CaseKeyPath<Action, ChildAction>
    ) -> Store<ChildState, ChildAction>? {
        guard var last = state[keyPath: toChildState] else { return nil }
        let path = AnyCasePath(toChildAction)
        return scope(
            state: { state in
                if let state = state[keyPath: toChildState] { last = state }
                return last
            }, action: { path.embed($0) })
    }

    /// Calls a closure with the current state.
    public func withState<Result>(_ body: (State) throws -> Result) rethrows -> Result {
        try body(state)
    }
}
