/// A counter as a feature of the Composable Architecture.
enum ComposableSource {
    static let counter = """
        import ComposableMacros

        /// Counts, but not below zero.
        @Reducer
        public struct Counter {
            /// What clients see.
            public struct State: Equatable, Codable, Sendable {
                public var count = 0

                public init() {}
            }

            public enum Action: Equatable, Sendable {
                case increment
                case decrement
            }

            public init() {}

            public var body: some ReducerOf<Self> {
                Reduce { state, action in
                    switch action {
                    case .increment: state.count += 1
                    case .decrement: state.count = max(state.count - 1, 0)
                    }
                    return .none
                }
            }
        }

        """

    static let registration = """
        try .composable("counter", summary: "Counts.") { _ in
            Store(initialState: Counter.State(), reducer: Counter())
        }
        """
}
