public import ComposableArchitecture

/// The state of two counters.
public struct TwoCountersState: Equatable, Encodable, Sendable {
    var counter1 = CounterState()
    var counter2 = CounterState()

    /// Creates two counters at zero.
    public init() {}
}

/// The actions of the two counters.
public enum TwoCountersAction: Equatable, Sendable {
    case counter1(CounterAction)
    case counter2(CounterAction)
}

/// The environment of two counters, which has no dependencies.
public struct TwoCountersEnvironment: Sendable {
    /// Creates an empty environment.
    public init() {}
}

/// One feature, used twice: its reducer is pulled back to two parts of a larger state.
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
