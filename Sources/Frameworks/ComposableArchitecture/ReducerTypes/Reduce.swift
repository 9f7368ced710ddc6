/// A reducer that runs a closure, for the logic inside a ``ReducerProtocol/body``.
public struct Reduce<State, Action>: ReducerProtocol {
    private let reduce: (inout State, Action) -> EffectTask<Action>

    /// Creates a reducer from a closure.
    public init(_ reduce: @escaping (inout State, Action) -> EffectTask<Action>) {
        self.reduce = reduce
    }

    /// Creates a reducer that erases the type of another.
    public init<R: ReducerProtocol>(_ reducer: R) where R.State == State, R.Action == Action {
        reduce = { reducer.reduce(into: &$0, action: $1) }
    }

    /// Creates a reducer from a ``Reducer`` value and its environment.
    public init<Environment>(_ reducer: Reducer<State, Action, Environment>, environment: Environment) {
        reduce = { reducer.run(&$0, $1, environment) }
    }

    /// Runs the closure.
    public func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        reduce(&state, action)
    }
}

/// A reducer that neither changes the state nor starts effects.
public struct EmptyReducer<State, Action>: ReducerProtocol {
    /// Creates the reducer.
    public init() {}

    /// Does nothing.
    public func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        .none
    }
}

/// A group of reducers, so that an operator can apply to all of them.
public struct CombineReducers<State, Action>: ReducerProtocol {
    private let reducer: Reduce<State, Action>

    /// Creates a group of the listed reducers.
    public init<R: ReducerProtocol>(@ReducerBuilder<State, Action> _ build: () -> R)
    where R.State == State, R.Action == Action {
        reducer = Reduce(build())
    }

    /// Runs the reducers in order.
    public func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        reducer.reduce(into: &state, action: action)
    }
}
