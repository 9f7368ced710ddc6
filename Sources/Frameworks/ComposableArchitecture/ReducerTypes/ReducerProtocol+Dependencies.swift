import CombineCore

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
            values.override(update)
            return DependencyValues.$bound.withValue(values) { reduce(into: &state, action: action) }
                .bound(to: values)
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

    /// Creates an effect like ``attached(_:)`` whose closure runs with the dependencies that apply now, for example those of
    /// ``withDependencies(_:operation:)`` around it.
    static func withDependenciesOfCreation(
        _ attach: @escaping (AnySubscriber<Output, Failure>, EffectScope) -> Void
    ) -> Effect {
        guard let values = DependencyValues.bound else { return .attached(attach) }
        return .attached { downstream, scope in
            DependencyValues.$bound.withValue(values) { attach(downstream, scope) }
        }
    }
}
