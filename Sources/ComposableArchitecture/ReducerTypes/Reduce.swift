/// A reducer of a closure, for the part of a ``ReducerProtocol/body`` that is logic and not composition.
public struct Reduce<State, Action>: ReducerProtocol {
    private let reduce: (inout State, Action) -> EffectTask<Action>

    /// Makes a reducer of a closure.
    public init(_ reduce: @escaping (inout State, Action) -> EffectTask<Action>) {
        self.reduce = reduce
    }

    /// Makes a reducer without its type.
    public init<R: ReducerProtocol>(_ reducer: R) where R.State == State, R.Action == Action {
        reduce = { reducer.reduce(into: &$0, action: $1) }
    }

    /// Makes a reducer type of a ``Reducer`` value and what it depends on.
    public init<Environment>(_ reducer: Reducer<State, Action, Environment>, environment: Environment) {
        reduce = { reducer.run(&$0, $1, environment) }
    }

    /// Runs the closure.
    public func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        reduce(&state, action)
    }
}

/// A reducer that changes nothing and starts nothing.
public struct EmptyReducer<State, Action>: ReducerProtocol {
    /// Makes it.
    public init() {}

    /// Does nothing.
    public func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        .none
    }
}

/// Several reducers as one, so that an operator applies to all of them.
public struct CombineReducers<State, Action>: ReducerProtocol {
    private let reducer: Reduce<State, Action>

    /// Makes one reducer of those that are listed.
    public init<R: ReducerProtocol>(@ReducerBuilder<State, Action> _ build: () -> R)
    where R.State == State, R.Action == Action {
        reducer = Reduce(build())
    }

    /// Runs them in their order.
    public func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        reducer.reduce(into: &state, action: action)
    }
}
