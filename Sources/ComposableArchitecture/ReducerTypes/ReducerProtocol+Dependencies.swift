extension ReducerProtocol {
    /// Returns this reducer with a dependency overridden.
    public func dependency<Value>(
        _ keyPath: WritableKeyPath<DependencyValues, Value>, _ value: Value
    ) -> Reduce<State, Action> {
        transformDependency { $0[keyPath: keyPath] = value }
    }

    /// Returns this reducer with the dependency of a type overridden, which is a key of its own.
    public func dependency<Value: TestDependencyKey>(_ value: Value) -> Reduce<State, Action>
    where Value.Value == Value {
        transformDependency { $0[Value.self] = value }
    }

    /// Returns this reducer with a dependency changed in place.
    public func transformDependency<Value>(
        _ keyPath: WritableKeyPath<DependencyValues, Value>, transform: @escaping (inout Value) -> Void
    ) -> Reduce<State, Action> {
        transformDependency { transform(&$0[keyPath: keyPath]) }
    }

    /// Returns this reducer with dependencies overridden.
    public func transformDependency(_ update: @escaping (inout DependencyValues) -> Void) -> Reduce<State, Action> {
        Reduce { state, action in
            var values = DependencyValues.current
            update(&values)
            return DependencyValues.$bound.withValue(values) { reduce(into: &state, action: action) }
                .bound(to: values)
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

extension Effect {
    /// Returns this effect, which reads these dependencies when it runs.
    func bound(to values: DependencyValues) -> Effect {
        transformingWork { effect in
            guard case .publisher(let publisher) = effect.work else { return effect }
            // The task-local override of the reducer has ended when the effect is subscribed, so it is established again.
            return .attached { downstream, scope in
                scope.run { DependencyValues.$bound.withValue(values) { publisher.receive(subscriber: downstream) } }
            }
        }
    }
}
