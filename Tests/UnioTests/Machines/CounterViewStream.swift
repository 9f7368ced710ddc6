import RxCore
import Unio

/// The slides' counter, with a stream that is its own logic.
final class CounterViewStream: UnioStream<CounterViewStream> {
    struct Input: InputType {
        let increment = PublishRelay<Void>()
    }

    struct Output: OutputType {
        let text: Observable<String>
        let count: BehaviorRelay<Int>
    }

    struct State: StateType {
        let count = BehaviorRelay(value: 0)
    }

    typealias Extra = NoExtra

    static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        let state = dependency.state
        dependency.inputObservables.increment
            .withLatestFrom(state.count) { $1 + 1 }
            .bind(to: state.count)
            .disposed(by: disposeBag)
        return Output(text: state.count.map(String.init), count: state.count)
    }
}
