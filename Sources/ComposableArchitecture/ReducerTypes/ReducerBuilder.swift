/// Makes one reducer of those that are listed. They are run in their order on the same state, their effects at the same
/// time.
@resultBuilder
public enum ReducerBuilder<State, Action> {
    /// A reducer that is listed.
    public static func buildExpression<R: ReducerProtocol>(_ reducer: R) -> R
    where R.State == State, R.Action == Action {
        reducer
    }

    /// None at all.
    public static func buildBlock() -> EmptyReducer<State, Action> {
        EmptyReducer()
    }

    /// The first.
    public static func buildPartialBlock<R: ReducerProtocol>(first: R) -> R
    where R.State == State, R.Action == Action {
        first
    }

    /// One more.
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

    /// Those of an `if` without `else`.
    public static func buildOptional<R: ReducerProtocol>(_ reducer: R?) -> Reduce<State, Action>
    where R.State == State, R.Action == Action {
        Reduce { state, action in reducer?.reduce(into: &state, action: action) ?? .none }
    }

    /// Those of an `if`.
    public static func buildEither<R: ReducerProtocol>(first reducer: R) -> Reduce<State, Action>
    where R.State == State, R.Action == Action {
        Reduce(reducer)
    }

    /// Those of an `else`.
    public static func buildEither<R: ReducerProtocol>(second reducer: R) -> Reduce<State, Action>
    where R.State == State, R.Action == Action {
        Reduce(reducer)
    }

    /// Those of a loop.
    public static func buildArray<R: ReducerProtocol>(_ reducers: [R]) -> Reduce<State, Action>
    where R.State == State, R.Action == Action {
        Reduce { state, action in
            .merge(reducers.map { $0.reduce(into: &state, action: action) })
        }
    }

    /// The reducer that was made.
    public static func buildFinalResult<R: ReducerProtocol>(_ reducer: R) -> R
    where R.State == State, R.Action == Action {
        reducer
    }
}
