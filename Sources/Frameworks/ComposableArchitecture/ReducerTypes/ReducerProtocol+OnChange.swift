extension ReducerProtocol {
    /// Returns this reducer followed by a closure that runs only if this reducer has changed a part of the state.
    ///
    /// - Parameters:
    ///   - toValue: Returns the part of the state.
    ///   - effect: Receives the value before the change and the state, which it may change, and returns an effect.
    public func onChange<Value: Equatable>(
        of toValue: @escaping (State) -> Value,
        _ effect: @escaping (_ old: Value, _ state: inout State) -> EffectTask<Action>
    ) -> Reduce<State, Action> {
        Reduce { state, action in
            let old = toValue(state)
            let own = reduce(into: &state, action: action)
            return toValue(state) == old ? own : .merge(own, effect(old, &state))
        }
    }

    /// Returns this reducer followed by another one that runs only if a part of the state has changed.
    public func onChange<Value: Equatable, R: ReducerProtocol>(
        of toValue: @escaping (State) -> Value,
        @ReducerBuilder<State, Action> _ reducer: @escaping (_ old: Value, _ new: Value) -> R
    ) -> Reduce<State, Action> where R.State == State, R.Action == Action {
        onChange(of: toValue, removeDuplicates: ==, reducer)
    }

    /// Returns this reducer followed by another one that runs only if a part of the state has changed.
    ///
    /// - Parameters:
    ///   - toValue: Returns the part of the state.
    ///   - isDuplicate: Returns whether two values count as the same.
    ///   - reducer: The reducer that runs after a change.
    public func onChange<Value, R: ReducerProtocol>(
        of toValue: @escaping (State) -> Value, removeDuplicates isDuplicate: @escaping (Value, Value) -> Bool,
        @ReducerBuilder<State, Action> _ reducer: @escaping (_ old: Value, _ new: Value) -> R
    ) -> Reduce<State, Action> where R.State == State, R.Action == Action {
        Reduce { state, action in
            let old = toValue(state)
            let effect = reduce(into: &state, action: action)
            let new = toValue(state)
            guard !isDuplicate(old, new) else { return effect }
            return .merge(effect, reducer(old, new).reduce(into: &state, action: action))
        }
    }
}
