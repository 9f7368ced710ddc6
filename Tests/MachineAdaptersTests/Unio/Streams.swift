import Dispatch
import MachineHost
import RxCore
import Unio

/// A stream with an input and an output of every kind.
final class PantryStream: UnioStream<PantryStream> {
    struct Failure: Error {}
    struct Opaque {}

    struct Input: InputType {
        let increment = PublishRelay<Void>()
        let add = PublishRelay<Int>()
        let text = PublishRelay<String?>()
        let level = BehaviorRelay(value: 0.5)
        let say = PublishSubject<String>()
        let fail = PublishRelay<Void>()
    }

    struct Output: OutputType {
        let count: BehaviorRelay<Int>
        let text: Observable<String>
        let mirrored: Property<Int>
        let level: BehaviorSubject<Double>
        let said: Observable<String>
        let rang: PublishRelay<Void>
        let last: Observable<String>
        let isEven: Computed<Bool>
        let label = "fixed"
        let secret = PublishRelay<Opaque>()
        private let closure: () -> Void = {}

        init(state: State, said: Observable<String>, level: BehaviorSubject<Double>) {
            count = state.count
            text = state.count.observe(on: MainScheduler.instance).map(String.init)
            mirrored = OutputWrapper(Counted(count: state.count)).count
            self.level = level
            self.said = said
            rang = state.rang
            last = said
            isEven = Computed { state.count.value.isMultiple(of: 2) }
        }
    }

    struct Counted: OutputType {
        let count: BehaviorRelay<Int>
    }

    struct State: StateType {
        let count = BehaviorRelay(value: 0)
        let rang = PublishRelay<Void>()
    }

    typealias Extra = NoExtra

    static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        let (state, inputs) = (dependency.state, dependency.inputObservables)
        let level = BehaviorSubject(value: 0.5)
        disposeBag.insert {
            inputs.increment.subscribe(onNext: {
                state.count.accept(state.count.value + 1)
                state.count.accept(state.count.value + 1)
                state.rang.accept(())
            })
            inputs.add.withLatestFrom(state.count) { $0 + $1 }.bind(to: state.count)
            // Bound before anything observes the count, so that the correction is applied before other observers run.
            state.count.filter { $0 > 100 }.map { _ in 100 }.bind(to: state.count)
            inputs.level.skip(1).bind(to: level)
            inputs.fail.subscribe(onNext: { level.onError(Failure()) })
        }
        let said = Observable.merge(inputs.say, inputs.text.compactMap { $0 })
        return Output(state: state, said: said, level: level)
    }
}

/// The counter of Unio's presentation: its only output is an observable derived from the state.
final class PlainCounterStream: UnioStream<PlainCounterStream> {
    struct Input: InputType { let increment = PublishRelay<Void>() }
    struct Output: OutputType { let text: Observable<String> }
    struct State: StateType { let count = BehaviorRelay(value: 0) }
    typealias Extra = NoExtra

    static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        dependency.inputObservables.increment
            .withLatestFrom(dependency.state.count) { $1 + 1 }
            .bind(to: dependency.state.count)
            .disposed(by: disposeBag)
        return Output(text: dependency.state.count.map(String.init))
    }
}

/// A stream with delayed outputs: an echo after a second on the main scheduler, and one from another thread.
final class PatientStream: UnioStream<PatientStream> {
    struct Input: InputType {
        let say = PublishRelay<String>()
    }

    struct Output: OutputType {
        let echo: Observable<String>
        let at: Computed<Int>
    }

    struct State: StateType {
        let echoes = BehaviorRelay(value: 0)
    }

    final class Extra: ExtraType {
        let ended: () -> Void
        init(ended: @escaping () -> Void) { self.ended = ended }
        deinit { ended() }
    }

    static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        let echoes = dependency.state.echoes
        let echo = dependency.inputObservables.say
            .debounce(.seconds(1), scheduler: MainScheduler.instance)
            .do(onNext: { _ in echoes.accept(echoes.value + 1) })
            .share()
        return Output(echo: echo, at: Computed { echoes.value })
    }
}

/// A stream that its own extra, its dispose bag and its subscriptions retain.
final class EntangledStream: UnioStream<EntangledStream> {
    struct Input: InputType { let count = PublishRelay<Int>() }
    struct Output: OutputType { let count: BehaviorRelay<Int> }
    struct State: StateType { let count = BehaviorRelay(value: 0) }

    final class Extra: ExtraType {
        var stream: EntangledStream?
        let seen: (Int) -> Void
        init(seen: @escaping (Int) -> Void) { self.seen = seen }
    }

    static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        let (state, extra) = (dependency.state, dependency.extra)
        dependency.inputObservables.count
            .subscribe(onNext: { number in
                extra.seen(number)
                state.count.bind(onNext: { _ in _ = extra.stream }).disposed(by: disposeBag)
            })
            .disposed(by: disposeBag)
        return Output(count: state.count)
    }
}

/// A stream that counts the ticks of a timer.
final class TickingStream: UnioStream<TickingStream> {
    struct Input: InputType {}
    struct Output: OutputType { let ticks: BehaviorRelay<Int> }
    struct State: StateType { let ticks = BehaviorRelay(value: 0) }
    struct Extra: ExtraType { let period: RxTimeInterval }

    static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        let ticks = dependency.state.ticks
        Observable<Int>.interval(dependency.extra.period, scheduler: MainScheduler.instance)
            .map { $0 + 1 }
            .bind(to: ticks)
            .disposed(by: disposeBag)
        return Output(ticks: ticks)
    }
}

/// A stream with an input type that cannot be decoded.
final class UnreadableStream: UnioStream<UnreadableStream> {
    struct Input: InputType { let show = PublishRelay<PantryStream.Opaque>() }
    struct Output: OutputType {}
    typealias State = NoState
    typealias Extra = NoExtra

    static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        Output()
    }
}
