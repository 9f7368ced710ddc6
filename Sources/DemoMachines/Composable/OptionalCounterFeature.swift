public import ComposableArchitecture

/// A counter that need not be there.
public struct OptionalCounterState: Equatable, Encodable, Sendable {
    var optionalCounter: CounterState?

    /// No counter.
    public init() {}
}

/// What can happen to the counter, and to its being there.
public enum OptionalCounterAction: Equatable, Sendable {
    case optionalCounter(CounterAction)
    case toggleCounterButtonTapped
}

/// An optional counter depends on nothing.
public struct OptionalCounterEnvironment: Sendable {
    /// Nothing.
    public init() {}
}

/// State that comes and goes: an action for a counter that is not there changes nothing, and the log says so.
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
