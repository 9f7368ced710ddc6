public import CasePaths

extension Store where State: CaseReducerState, State.StateReducer.Action == Action {
    /// The store of the current case, for `switch store.case`.
    ///
    /// It is that of the moment: it does not become the store of another case when the state does. Code that `observe` runs observes
    /// which case is current.
    public var `case`: State.StateReducer.CaseScope {
        _ = observedState
        return State.StateReducer.scope(self)
    }
}

extension Store
where
    State: _PresentationState, State.Child: CaseReducerState,
    Action == PresentationAction<State.Child.StateReducer.Action>
{
    /// The store of the case that is presented; nil while nothing is.
    public var `case`: State.Child.StateReducer.CaseScope? {
        guard let child = observedState._$child else { return nil }
        return scope(to: child, state: { $0._$child }, action: { .presented($0) }).case
    }

    /// The store of a presented case, or its value if it is not a feature:
    /// `store.scope(state: \.$destination, action: \.destination).edit`.
    ///
    /// It is nil while nothing or another case is presented.
    public subscript<Value>(
        dynamicMember keyPath: KeyPath<
            State.Child.StateReducer.CaseScope.AllCasePaths, AnyCasePath<State.Child.StateReducer.CaseScope, Value>
        >
    ) -> Value? where State.Child.StateReducer.CaseScope: CasePathable {
        self.case.flatMap { State.Child.StateReducer.CaseScope.allCasePaths[keyPath: keyPath].extract(from: $0) }
    }
}

extension Store {
    /// Returns the store of the current case of an enum. `@Reducer` calls it with the value of the case.
    public func _$scope<ChildState, ChildAction>(
        _ value: ChildState, state toChildState: CaseKeyPath<State, ChildState>,
        action toChildAction: CaseKeyPath<Action, ChildAction>
    ) -> Store<ChildState, ChildAction> {
        let (state, action) = (AnyCasePath(toChildState), AnyCasePath(toChildAction))
        return scope(to: value, state: { state.extract(from: $0) }, action: { action.embed($0) })
    }
}
