extension ReducerProtocol {
    /// The same reducer with a replaced dependency.
    public func dependency<Value>(
        _ keyPath: WritableKeyPath<DependencyValues, Value>, _ value: Value
    ) -> Reduce<State, Action> {
        transformDependency { $0[keyPath: keyPath] = value }
    }

    /// The same reducer with replaced dependencies.
    public func transformDependency(_ update: @escaping (inout DependencyValues) -> Void) -> Reduce<State, Action> {
        Reduce { state, action in
            var values = DependencyValues.current
            update(&values)
            return DependencyValues.$bound.withValue(values) { reduce(into: &state, action: action) }
                .bound(to: values)
        }
    }

    /// The same reducer, after which another one runs if a part of the state has changed.
    public func onChange<Value: Equatable, R: ReducerProtocol>(
        of toValue: @escaping (State) -> Value,
        @ReducerBuilder<State, Action> _ reducer: @escaping (_ old: Value, _ new: Value) -> R
    ) -> Reduce<State, Action> where R.State == State, R.Action == Action {
        Reduce { state, action in
            let old = toValue(state)
            let effect = reduce(into: &state, action: action)
            let new = toValue(state)
            guard old != new else { return effect }
            return .merge(effect, reducer(old, new).reduce(into: &state, action: action))
        }
    }

    /// The same reducer, which prints each action and what it changes in the state. In release builds it prints nothing.
    public func _printChanges() -> Reduce<State, Action> {
        Reduce(Reducer<State, Action, Void>(self).debug(), environment: ())
    }
}

extension Effect {
    /// The same effect, which reads these dependencies.
    func bound(to values: DependencyValues) -> Effect {
        guard case .publisher(let publisher) = work else { return self }
        return .attached { downstream, home in
            home.run { DependencyValues.$bound.withValue(values) { publisher.receive(subscriber: downstream) } }
        }
    }
}
