import ComposableArchitecture

/// The counter with the Composable Architecture.
public struct CounterFeature: ReducerProtocol {
    public struct State: Equatable, Encodable, Sendable {
        public var count = 0

        public init() {}
    }

    public enum Action: Equatable, Sendable {
        case increment
        case decrement
    }

    public init() {}

    public func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        switch action {
        case .increment: state.count += 1
        case .decrement: state.count = max(state.count - 1, 0)
        }
        return .none
    }
}
