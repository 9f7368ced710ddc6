import Dispatch
import RxCore
import Unio

/// A stream with state of each kind: members, operators, and a relay of its logic.
final class TallyStream: UnioStream<TallyStream> {
    struct Input: InputType {
        let add = PublishRelay<Int>()
        let reset = PublishSubject<Void>()
    }

    struct Output: OutputType {
        let total: BehaviorRelay<Int>
        let settled: Observable<Int>
        let changes: Observable<String>
        let own: BehaviorRelay<Int>
    }

    struct State: StateType {
        let total: BehaviorRelay<Int>
        let limit: Int

        init(limit: Int) {
            total = BehaviorRelay(value: 0)
            self.limit = limit
        }
    }

    typealias Extra = NoExtra

    static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        let (state, inputs) = (dependency.state, dependency.inputObservables)
        let largest = BehaviorRelay(value: 0)
        // A board is reset when it is made, but not when it is made again.
        Observable.just(()).concat(inputs.reset)
            .bind { state.total.accept(-1) }
            .disposed(by: disposeBag)
        inputs.add
            .withLatestFrom(state.total) { min($1 + $0, state.limit) }
            .bind(to: state.total)
            .disposed(by: disposeBag)
        inputs.add.scan(0, accumulator: max).bind(to: largest).disposed(by: disposeBag)
        return Output(
            total: state.total,
            settled: state.total.debounce(.milliseconds(50), scheduler: MainScheduler.instance),
            changes: state.total.distinctUntilChanged { $0 / 2 }.enumerated().map { "\($0.index): \($0.element)" },
            own: largest)
    }
}

/// A stream with two others inside.
final class PairStream: InstanceLogicStream<PairStream.Logic> {
    final class Input: InputType {
        let swap = PublishRelay<Void>()
    }

    struct Output: OutputType {
        let sum: Observable<Int>
        let isSwapped: BehaviorRelay<Bool>
    }

    final class State: StateType {
        let isSwapped = BehaviorRelay(value: false)
        var swaps = 0
        let bag = DisposeBag()
    }

    struct Extra: ExtraType {
        let left: TallyStream
        let right: TallyStream
    }

    struct Logic: InstanceLogicType {
        private let disposeBag = DisposeBag()

        func bind(from dependency: Dependency<Input, State, Extra>) -> Output {
            let (state, extra) = (dependency.state, dependency.extra)
            dependency.inputObservables.swap
                .withLatestFrom(state.isSwapped) { !$1 }
                .do(onNext: { _ in state.swaps += 1 })
                .bind(to: state.isSwapped)
                .disposed(by: disposeBag)
            let sum = Observable.combineLatest(
                extra.left.output.total.asObservable(), extra.right.output.total.asObservable(),
                state.isSwapped
            ) { $2 ? $1 - $0 : $0 - $1 }
            return Output(sum: sum, isSwapped: state.isSwapped)
        }
    }
}
