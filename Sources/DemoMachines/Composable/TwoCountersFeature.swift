public import ComposableArchitecture

/// Two counters.
public struct TwoCountersState: Equatable, Encodable, Sendable {
    var counter1 = CounterState()
    var counter2 = CounterState()

    /// Both at zero.
    public init() {}
}

/// What can happen to one of them.
public enum TwoCountersAction: Equatable, Sendable {
    case counter1(CounterAction)
    case counter2(CounterAction)
}

/// Two counters depend on nothing.
public struct TwoCountersEnvironment: Sendable {
    /// Nothing.
    public init() {}
}

/// One feature used twice: its reducer is pulled back to two places of a larger state.
public let twoCountersReducer = Reducer<TwoCountersState, TwoCountersAction, TwoCountersEnvironment>
    .combine(
        counterReducer.pullback(
            state: \TwoCountersState.counter1,
            action: /TwoCountersAction.counter1,
            environment: { _ in CounterEnvironment() }),
        counterReducer.pullback(
            state: \TwoCountersState.counter2,
            action: /TwoCountersAction.counter2,
            environment: { _ in CounterEnvironment() }))
