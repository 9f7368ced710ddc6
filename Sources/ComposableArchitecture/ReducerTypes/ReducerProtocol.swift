/// A feature's logic as a type.
///
/// A conforming type either implements ``reduce(into:action:)``, or lists the reducers that it is made of in ``body``.
/// What it depends on it reads with ``Dependency``. The name is that of the original's 0.41 to 0.59, since ``Reducer`` is
/// the structure of a function; there are no macros here, so that state and actions are written out.
public protocol ReducerProtocol<State, Action> {
    /// What the feature is about.
    associatedtype State
    /// What can happen.
    associatedtype Action
    /// What the feature is made of; `Never` for one that implements ``reduce(into:action:)``.
    associatedtype Body

    /// Changes the state and returns the effects.
    func reduce(into state: inout State, action: Action) -> EffectTask<Action>

    /// The reducers that the feature is made of, which are run in their order.
    @ReducerBuilder<State, Action> var body: Body { get }
}

extension ReducerProtocol where Body == Never {
    /// There is none: the feature implements ``reduce(into:action:)``.
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

/// A reducer of the state and the actions of another: `var body: some ReducerOf<Self>`.
public typealias ReducerOf<R: ReducerProtocol> = ReducerProtocol<R.State, R.Action>

/// The same under its older name.
public typealias ReducerProtocolOf<R: ReducerProtocol> = ReducerProtocol<R.State, R.Action>

/// The effects of a reducer type.
public typealias EffectOf<R: ReducerProtocol> = Effect<R.Action, Never>
