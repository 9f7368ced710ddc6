/// A result builder that combines the listed reducers. They run in order on the same state; their effects are merged.
@resultBuilder
public enum ReducerBuilder<State, Action> {
    /// Returns a listed reducer.
    public static func buildExpression<R: ReducerProtocol>(_ reducer: R) -> R
    where R.State == State, R.Action == Action {
        reducer
    }

    /// Returns a listed reducer whose type is not known until the program runs.
    @_disfavoredOverload
    public static func buildExpression(_ reducer: any ReducerProtocol<State, Action>) -> Reduce<State, Action> {
        Reduce(reducer)
    }

    /// Returns the reducer of an empty list.
    public static func buildBlock() -> EmptyReducer<State, Action> {
        EmptyReducer()
    }

    /// Returns the first reducer of a list.
    public static func buildPartialBlock<R: ReducerProtocol>(first: R) -> R
    where R.State == State, R.Action == Action {
        first
    }

    /// Appends a reducer to those before it.
    public static func buildPartialBlock<First: ReducerProtocol, Next: ReducerProtocol>(
        accumulated: First, next: Next
    ) -> Reduce<State, Action>
    where First.State == State, First.Action == Action, Next.State == State, Next.Action == Action {
        Reduce { state, action in
            let first = accumulated.reduce(into: &state, action: action)
            let second = next.reduce(into: &state, action: action)
            return .merge(first, second)
        }
    }

    /// Returns the reducer of an `if` without `else`.
    public static func buildOptional<R: ReducerProtocol>(_ reducer: R?) -> R?
    where R.State == State, R.Action == Action {
        reducer
    }

    /// Returns the reducer of the first branch of an `if`.
    public static func buildEither<R: ReducerProtocol>(first reducer: R) -> Reduce<State, Action>
    where R.State == State, R.Action == Action {
        Reduce(reducer)
    }

    /// Returns the reducer of an `else` branch.
    public static func buildEither<R: ReducerProtocol>(second reducer: R) -> Reduce<State, Action>
    where R.State == State, R.Action == Action {
        Reduce(reducer)
    }

    /// Returns the reducer of an `if #available`, without its type, which may not exist elsewhere.
    public static func buildLimitedAvailability<R: ReducerProtocol>(_ reducer: R) -> Reduce<State, Action>
    where R.State == State, R.Action == Action {
        Reduce(reducer)
    }

    /// Returns the combined reducers of a loop.
    public static func buildArray<R: ReducerProtocol>(_ reducers: [R]) -> Reduce<State, Action>
    where R.State == State, R.Action == Action {
        Reduce { state, action in
            .merge(reducers.map { $0.reduce(into: &state, action: action) })
        }
    }

    /// Returns the finished reducer.
    public static func buildFinalResult<R: ReducerProtocol>(_ reducer: R) -> R
    where R.State == State, R.Action == Action {
        reducer
    }
}

/// A reducer that may be missing, as that of an `if` without `else`. A missing one changes nothing and has no effects.
extension Optional: ReducerProtocol where Wrapped: ReducerProtocol {
    /// Runs the reducer, if it exists.
    public func reduce(into state: inout Wrapped.State, action: Wrapped.Action) -> EffectTask<Wrapped.Action> {
        self?.reduce(into: &state, action: action) ?? .none
    }
}
