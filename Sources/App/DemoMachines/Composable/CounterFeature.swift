public import ComposableArchitecture

/// The state of a counter.
public struct CounterState: Equatable, Codable, Sendable {
    var count = 0

    /// Creates a counter at zero.
    public init() {}
}

/// The actions of a counter.
public enum CounterAction: Equatable, Sendable {
    case decrementButtonTapped
    case incrementButtonTapped
}

/// The environment of a counter, which has no dependencies.
public struct CounterEnvironment: Sendable {
    /// Creates an empty environment.
    public init() {}
}

/// The smallest feature: two actions and no effects.
public let counterReducer = Reducer<CounterState, CounterAction, CounterEnvironment> { state, action, _ in
    switch action {
    case .decrementButtonTapped:
        state.count -= 1
        return .none
    case .incrementButtonTapped:
        state.count += 1
        return .none
    }
}
