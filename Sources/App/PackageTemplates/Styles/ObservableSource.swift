/// A counter as a plain observable class.
enum ObservableSource {
    static let counter = """
        import Observation

        /// Counts, but not below zero.
        @Observable
        public final class Counter {
            /// The count.
            public private(set) var count = 0

            public init() {}

            public func increment() { count += 1 }

            public func decrement() { count = max(count - 1, 0) }
        }

        """

    static let registration = #"""
        try .observable(
            "counter", summary: "Counts.", outputs: [.value("count", \.count)],
            inputs: [.call("increment", Counter.increment), .call("decrement", Counter.decrement)]
        ) { _ in Counter() }
        """#
}
