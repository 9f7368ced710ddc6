import RxCore
import Unio

final class UnioLedger: UnioStream<UnioLedger> {
    struct Input: InputType {
        let note = PublishRelay<String>()
    }

    struct Output: OutputType {
        let marks: BehaviorRelay<[String]>
        let count: Observable<Int>
    }

    struct State: StateType {
        let marks = BehaviorRelay<[String]>(value: [])
    }

    typealias Extra = NoExtra

    static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        let marks = dependency.state.marks
        let count = dependency.inputObservables.note.scan(0) { count, _ in count + 1 }.startWith(0)
        dependency.inputObservables.note.withLatestFrom(marks) { $1 + [$0] }
            .do(onNext: { Trap.spring(by: $0.last ?? "") })
            .bind(to: marks)
            .disposed(by: disposeBag)
        return Output(marks: marks, count: count)
    }
}
