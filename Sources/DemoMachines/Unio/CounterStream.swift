public import RxCore
public import Unio

/// A counter as a Unio stream: relays in, and outputs of three kinds, which are one state seen in three ways.
public final class CounterStream: UnioStream<CounterStream> {
    /// Three buttons.
    public struct Input: InputType {
        /// One more.
        public let countUp = PublishRelay<Void>()
        /// One less, but never less than none.
        public let countDown = PublishRelay<Void>()
        /// From the beginning.
        public let countReset = PublishRelay<Void>()

        /// Nothing pressed.
        public init() {}
    }

    /// What the view shows.
    public struct Output: OutputType {
        /// The count, with its current value.
        public let count: BehaviorRelay<Int>
        /// The count as a text, as a stream.
        public let counterText: Observable<String>
        /// Whether the view is to offer counting down, computed when it is read. Counting down is taken nevertheless.
        public let isCountDownEnabled: Computed<Bool>
    }

    /// What the stream keeps.
    public struct State: StateType {
        /// The count, never negative.
        public let count = BehaviorRelay(value: 0)

        /// Nothing counted.
        public init() {}
    }

    /// Nothing is needed from outside.
    public typealias Extra = NoExtra

    /// Wires the counter.
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
