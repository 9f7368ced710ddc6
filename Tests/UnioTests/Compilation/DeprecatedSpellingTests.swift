import RxCore
import Testing
import Unio

/// Spellings from before inputs and outputs could be accessed by name. They compile with a deprecation warning that
/// states the replacement. Calls through a protocol avoid the warnings.
struct DeprecatedSpellingTests {
    private protocol Spelling {
        func run() throws -> [String]
    }

    private struct Input: InputType {
        let search = PublishRelay<String>()
        let subject = PublishSubject<String>()
    }

    private struct Output: OutputType {
        let isHidden = BehaviorRelay(value: false)
        let title = BehaviorSubject(value: "title")
        let text: Observable<String>
    }

    private struct Sending: Spelling {
        @available(*, deprecated)
        func run() -> [String] {
            let base = Input()
            let input = InputWrapper(base)
            var seen: [String] = []
            let bag = DisposeBag()
            base.search.subscribe(onNext: { seen.append($0) }).disposed(by: bag)
            base.subject.subscribe(onNext: { seen.append($0) }).disposed(by: bag)
            input.accept("GitHub", for: \.search)
            Observable.just("bound").bind(to: input.accept(for: \.search)).disposed(by: bag)
            input.onEvent(.next("event"), for: \.subject)
            input.onEvent(for: \.subject).onNext("observer")
            return seen
        }
    }

    private struct Reading: Spelling {
        @available(*, deprecated)
        func run() throws -> [String] {
            let output = OutputWrapper(Output(text: .just("text")))
            var seen = [String(output.value(for: \.isHidden)), try output.value(for: \.title)]
            seen.append(String(output.property(for: \.isHidden).value))
            seen.append(try output.property(for: \.title).throwableValue())
            let bag = DisposeBag()
            output.observable(for: \.text).subscribe(onNext: { seen.append($0) }).disposed(by: bag)
            output.observable(for: \.isHidden).subscribe(onNext: { seen.append(String($0)) }).disposed(by: bag)
            return seen
        }
    }

    private final class OldStream: InstanceLogicStream<OldStream.Logic> {
        struct Input: InputType { let increment = PublishRelay<Void>() }
        struct Output: OutputType { let text: Observable<String> }
        struct State: StateType { let count = BehaviorRelay(value: 0) }

        struct Logic: InstanceLogicType {
            private let disposeBag = DisposeBag()

            @available(*, deprecated)
            func bind(from dependency: Dependency<Input, State, NoExtra>) -> Output {
                dependency.inputObservable(for: \.increment)
                    .withLatestFrom(dependency.state.count) { $1 + 1 }
                    .bind(to: dependency.state.count)
                    .disposed(by: disposeBag)
                return Output(text: dependency.state.count.map(String.init))
            }
        }
    }

    private func run(_ spelling: any Spelling) throws -> [String] {
        try spelling.run()
    }

    @Test func `inputs are sent to by key path`() throws {
        #expect(try run(Sending()) == ["GitHub", "bound", "event", "observer"])
    }

    @Test func `outputs are read by key path`() throws {
        #expect(try run(Reading()) == ["false", "title", "false", "title", "text", "false"])
    }

    @Test func `a logic observes inputs by key path`() {
        let stream = OldStream(input: .init(), state: .init(), extra: .init(), logic: .init())
        var texts: [String] = []
        let subscription = stream.output.text.subscribe(onNext: { texts.append($0) })
        stream.input.increment(())
        subscription.dispose()
        #expect(texts == ["0", "1"])
    }
}
