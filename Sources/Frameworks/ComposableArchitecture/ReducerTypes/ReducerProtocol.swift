/// A type that implements the logic of a feature.
///
/// A conforming type implements ``reduce(into:action:)``, or lists the reducers that it consists of in ``body``. It
/// reads its dependencies with ``Dependency``. The name is that of versions 0.41 to 0.59 of the original, because
/// ``Reducer`` is the structure that wraps a function here. The module `ComposableMacros` has the macro `@Reducer`.
public protocol ReducerProtocol<State, Action> {
    /// The state of the feature.
    associatedtype State
    /// The actions of the feature.
    associatedtype Action
    /// The type of ``body``. `Never` for a type that implements ``reduce(into:action:)``.
    associatedtype Body

    /// Handles an action: changes the state and returns the effects.
    func reduce(into state: inout State, action: Action) -> EffectTask<Action>

    /// The reducers that the feature consists of, in the order in which they run.
    @ReducerBuilder<State, Action> var body: Body { get }
}

extension ReducerProtocol where Body == Never {
    /// Not available: the feature implements ``reduce(into:action:)``.
    public var body: Body {
        preconditionFailure("\(Self.self) has no body: run it with reduce(into:action:)")
    }
}

extension ReducerProtocol where Body: ReducerProtocol, Body.State == State, Body.Action == Action {
    /// Runs the ``body``.
    public func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        body.reduce(into: &state, action: action)
    }
}

/// A reducer with the state and the actions of another: `var body: some ReducerOf<Self>`.
public typealias ReducerOf<R: ReducerProtocol> = ReducerProtocol<R.State, R.Action>

/// The earlier name of ``ReducerOf``.
public typealias ReducerProtocolOf<R: ReducerProtocol> = ReducerProtocol<R.State, R.Action>

/// An effect of a reducer type.
public typealias EffectOf<R: ReducerProtocol> = Effect<R.Action, Never>
