import RxCore
import Unio

/// A stream with an input and an output of every kind.
final class KitchenStream: UnioStream<KitchenStream> {
    struct Input: InputType {
        let relay = PublishRelay<String>()
        let subject = PublishSubject<Int>()
    }

    struct Output: OutputType {
        let relay: BehaviorRelay<String>
        let subject: BehaviorSubject<Int>
        let event: PublishRelay<Int>
        let stream: Observable<String>
        let length: Computed<Int>
        let title: Property<String>
        let throwable: ThrowableProperty<Int>
    }

    struct State: StateType {
        let text = BehaviorRelay(value: "title")
        let number = BehaviorSubject(value: 1)
        let event = PublishRelay<Int>()
    }

    final class Extra: ExtraType {
        var bindings = 0
        let inner = AnyUnioStream(CounterViewStream(input: .init(), state: .init(), extra: .init()))
    }

    static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        let (state, extra) = (dependency.state, dependency.extra)
        extra.bindings += 1
        dependency.inputObservables.relay.bind(to: state.text).disposed(by: disposeBag)
        dependency.inputObservables.subject.bind(to: state.number).disposed(by: disposeBag)
        Observable.just("bound").bind(to: state.text).disposed(by: disposeBag)
        state.event.accept(1)
        let wrapped = OutputWrapper(Shown(text: state.text, number: state.number))
        return Output(
            relay: state.text, subject: state.number, event: state.event, stream: state.text.asObservable(),
            length: Computed { state.text.value.count }, title: wrapped.text, throwable: wrapped.number)
    }

    private struct Shown: OutputType {
        let text: BehaviorRelay<String>
        let number: BehaviorSubject<Int>
    }
}
