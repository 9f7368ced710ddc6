/// A counter as a Unio stream.
enum UnioSource {
    static let counter = """
        import RxCore
        import Unio

        /// Counts, but not below zero.
        public final class Counter: UnioStream<Counter> {
            public struct Input: InputType {
                public let increment = PublishRelay<Void>()
                public let decrement = PublishRelay<Void>()

                public init() {}
            }

            public struct State: StateType {
                public let count = BehaviorRelay(value: 0)

                public init() {}
            }

            /// What clients see.
            public struct Output: OutputType {
                public let count: BehaviorRelay<Int>
            }

            /// What the counter needs from outside, such as a client of a service: nothing yet.
            public typealias Extra = NoExtra

            public static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
                let count = dependency.state.count
                let inputs = dependency.inputObservables
                let up = inputs.increment.map { count.value + 1 }
                let down = inputs.decrement.map { max(count.value - 1, 0) }
                Observable.merge(up, down).bind(to: count).disposed(by: disposeBag)
                return Output(count: count)
            }
        }

        """

    static let registration = """
        try .unio("counter", summary: "Counts.") { _ in Counter(input: .init(), state: .init(), extra: .init()) }
        """
}
