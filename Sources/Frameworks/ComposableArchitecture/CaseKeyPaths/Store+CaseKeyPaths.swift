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
        guard let child = observedState[keyPath: toChildState] else { return nil }
        let path = AnyCasePath(toChildAction)
        return scope(to: child, state: { $0[keyPath: toChildState] }, action: { path.embed($0) })
    }

    /// Returns the stores of the elements of an identified array and of their actions, in the order of the elements.
    ///
    /// The stores are those of the present elements. Each follows the element with its id, and keeps the last value when the element is
    /// removed later.
    @_disfavoredOverload
    public func scope<ID: Hashable & Sendable, ElementState, ElementAction>(
        state toElements: KeyPath<State, IdentifiedArray<ID, ElementState>>,
        action toElementAction: CaseKeyPath<Action, IdentifiedAction<ID, ElementAction>>
    ) -> some RandomAccessCollection<Store<ElementState, ElementAction>> {
        let path = AnyCasePath(toElementAction)
        return StoreCollection(observedState[keyPath: toElements]) { id, element in
            self.scope(
                to: element, state: { $0[keyPath: toElements][id: id] },
                action: { path.embed(.element(id: id, action: $0)) })
        }
    }

    /// Returns a store of a child that exists, and of its actions. The store keeps the last value when the child is removed later.
    func scope<ChildState, ChildAction>(
        to child: ChildState, state toChildState: @escaping (State) -> ChildState?,
        action fromChildAction: @escaping (ChildAction) -> Action
    ) -> Store<ChildState, ChildAction> {
        var last = child
        return scope(
            state: { state in
                if let state = toChildState(state) { last = state }
                return last
            }, action: fromChildAction)
    }

    /// Calls a closure with the current state.
    public func withState<Result>(_ body: (State) throws -> Result) rethrows -> Result {
        try body(state)
    }
}
