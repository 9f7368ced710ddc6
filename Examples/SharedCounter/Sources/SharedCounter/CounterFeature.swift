#if canImport(ComposableMacros)
    import ComposableMacros
#else
    import ComposableArchitecture
#endif

/// The counter with the Composable Architecture.
@Reducer
public struct CounterFeature {
    @ObservableState
    public struct State: Equatable, Encodable, Sendable {
        public var count = 0

        public init() {}
    }

    public enum Action: Equatable, Sendable {
        case increment
        case decrement
    }

    public init() {}

    public var body: some Reducer<State, Action> {
        Reduce { state, action in
            switch action {
            case .increment: state.count += 1
            case .decrement: state.count = max(state.count - 1, 0)
            }
            return .none
        }
    }
}
