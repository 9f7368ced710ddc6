public import RxCore
public import Unio

/// A counter as a Unio stream, with three kinds of outputs that are derived from the same state.
public final class CounterStream: UnioStream<CounterStream> {
    /// Three buttons.
    public struct Input: InputType {
        /// Increments the count.
        public let countUp = PublishRelay<Void>()
        /// Decrements the count, but not below zero.
        public let countDown = PublishRelay<Void>()
        /// Resets the count to zero.
        public let countReset = PublishRelay<Void>()

        /// Creates the relays.
        public init() {}
    }

    /// The values that the view shows.
    public struct Output: OutputType {
        /// The count as a relay with a current value.
        public let count: BehaviorRelay<Int>
        /// The count as a stream of strings.
        public let counterText: Observable<String>
        /// Whether the view enables its decrement button, computed when it is read. The stream accepts decrements in
        /// any case.
        public let isCountDownEnabled: Computed<Bool>
    }

    /// The state of the stream.
    public struct State: StateType {
        /// The count, never negative.
        public let count = BehaviorRelay(value: 0)

        /// Creates a state with a count of zero.
        public init() {}
    }

    /// The stream has no dependencies.
    public typealias Extra = NoExtra

    /// Connects the inputs to the state and the outputs.
    public static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        let count = dependency.state.count
        let inputs = dependency.inputObservables

        Observable.merge(
            inputs.countUp.withLatestFrom(count) { $1 + 1 },
            inputs.countDown.withLatestFrom(count) { max($1 - 1, 0) },
            inputs.countReset.map { 0 }
        )
        .bind(to: count)
        .disposed(by: disposeBag)

        return Output(
            count: count,
            counterText: count.map(String.init),
            isCountDownEnabled: Computed { count.value > 0 })
    }
}
