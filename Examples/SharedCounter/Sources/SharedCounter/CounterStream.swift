import Unio

#if canImport(RxCore)
    import RxCore
#else
    import RxRelay
    import RxSwift
#endif

/// The counter with Unio.
public final class CounterStream: PrimitiveStream<CounterStream>, LogicType {
    public struct Input: InputType {
        public let increment = PublishRelay<Void>()
        public let decrement = PublishRelay<Void>()

        public init() {}
    }

    public struct State: StateType {
        let count = BehaviorRelay(value: 0)

        public init() {}
    }

    public struct Output: OutputType {
        public let count: BehaviorRelay<Int>
    }

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
