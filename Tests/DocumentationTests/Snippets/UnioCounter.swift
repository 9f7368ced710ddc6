import RxCore
import Unio

final class UnioCounter: UnioStream<UnioCounter> {
    struct Input: InputType {
        let increment = PublishRelay<Void>()
        let decrement = PublishRelay<Void>()
    }

    struct State: StateType {
        let count = BehaviorRelay(value: 0)
    }

    struct Output: OutputType {
        let count: BehaviorRelay<Int>
    }

    typealias Extra = NoExtra

    static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        let count = dependency.state.count
        let inputs = dependency.inputObservables
        let up = inputs.increment.map { count.value + 1 }
        let down = inputs.decrement.map { max(count.value - 1, 0) }
        Observable.merge(up, down).bind(to: count).disposed(by: disposeBag)
        return Output(count: count)
    }
}
