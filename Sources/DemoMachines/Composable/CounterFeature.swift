public import ComposableArchitecture

/// One number.
public struct CounterState: Equatable, Codable, Sendable {
    var count = 0

    /// Zero.
    public init() {}
}

/// What can happen to a counter.
public enum CounterAction: Equatable, Sendable {
    case decrementButtonTapped
    case incrementButtonTapped
}

/// A counter depends on nothing.
public struct CounterEnvironment: Sendable {
    /// Nothing.
    public init() {}
}

/// The smallest feature: two actions, no effects.
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
