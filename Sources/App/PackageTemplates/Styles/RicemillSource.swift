/// A counter as a Ricemill machine.
enum RicemillSource {
    static let counter = #"""
        import Combine
        import Ricemill

        /// Counts, but not below zero.
        public final class Counter: Machine<Counter> {
            public typealias Output = Store

            public struct Input: InputType {
                public let increment = PassthroughSubject<Void, Never>()
                public let decrement = PassthroughSubject<Void, Never>()

                public init() {}
            }

            /// What clients see: every `@Published` property, even a private one.
            public final class Store: StoredOutputType {
                @Published public var count = 0

                public init() {}
            }

            /// What the counter needs from outside, such as a clock or a client of a service: nothing yet.
            public struct Extra: ExtraType {
                public init() {}
            }

            public static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
                let up = input.increment.map { store.count + 1 }
                let down = input.decrement.map { max(store.count - 1, 0) }
                return Polished(cancellables: [up.merge(with: down).assign(to: \.count, on: store)])
            }
        }

        """#

    static let registration = """
        try .ricemill("counter", summary: "Counts.") { _ in Counter(input: .init(), store: .init(), extra: .init()) }
        """
}
