public import ComposableArchitecture

/// An optional counter.
public struct OptionalCounterState: Equatable, Encodable, Sendable {
    var optionalCounter: CounterState?

    /// Creates a state without a counter.
    public init() {}
}

/// The actions of the counter, and the action that adds or removes it.
public enum OptionalCounterAction: Equatable, Sendable {
    case optionalCounter(CounterAction)
    case toggleCounterButtonTapped
}

/// The environment of an optional counter, which has no dependencies.
public struct OptionalCounterEnvironment: Sendable {
    /// Creates an empty environment.
    public init() {}
}

/// Optional state: an action for a counter that does not exist changes nothing and is logged.
public let optionalCounterReducer = Reducer<
    OptionalCounterState, OptionalCounterAction, OptionalCounterEnvironment
>.combine(
    counterReducer.optional().pullback(
        state: \.optionalCounter, action: /OptionalCounterAction.optionalCounter,
        environment: { _ in CounterEnvironment() }),
    Reducer { state, action, _ in
        if case .toggleCounterButtonTapped = action {
            state.optionalCounter = state.optionalCounter == nil ? CounterState() : nil
        }
        return .none
    })
