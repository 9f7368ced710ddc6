import HTTPModel
import Locking
import MachineHost
import MachineTesting
import RxCore
import Testing
import Unio
import UnioAdapter

/// The forms of effects in the machines of other frameworks.
struct EffectFormTests {
    /// A stream that asks when it is bound.
    final class AskingStream: UnioStream<AskingStream> {
        struct Input: InputType {
            let ask = PublishRelay<String>()
        }

        struct Output: OutputType {
            let answer: BehaviorRelay<String>
        }

        struct State: StateType {
            let answer = BehaviorRelay(value: "")
        }

        struct Extra: ExtraType {
            let first: (String) -> Single<String>
            let search: (String) -> Observable<String>
        }

        static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
            let (state, extra) = (dependency.state, dependency.extra)
            extra.first("first").asObservable()
                .bind(to: state.answer)
                .disposed(by: disposeBag)
            dependency.inputObservables.ask
                .flatMapLatest { extra.search($0) }
                .bind(to: state.answer)
                .disposed(by: disposeBag)
            return Output(answer: state.answer)
        }
    }

    private let calls = Lock<[(question: String, answer: PublishSubject<String>)]>([])

    private func ask(_ question: String) -> Observable<String> {
        calls.withLock { calls in
            calls.append((question, PublishSubject<String>()))
            return calls[calls.count - 1].answer.asObservable()
        }
    }

    private func host() throws -> RestartableHost {
        let transfer = UnsafeTransfer(self)
        return try RestartableHost([
            .unio("asking", summary: "Asks.") { context in
                AskingStream(
                    input: .init(), state: .init(),
                    extra: .init(
                        first: context.effect("first") { transfer.value.ask($0).asSingle() },
                        search: context.effect("search") { transfer.value.ask($0) }))
            }
        ])
    }

    @Test func `a single that was not answered is asked again`() throws {
        let host = try host()
        let session = host.harness.makeSession(of: "asking")
        try host.restart()
        _ = host.send(.get, session)
        #expect(calls.withLock { $0.map(\.question) } == ["first", "first"])
        let answer = calls.withLock { $0[1].answer }
        answer.onNext("one")
        answer.onCompleted()
        host.harness.loop.run()
        #expect(host.send(.get, session).text.contains(#""answer":"one""#))
    }

    @Test func `an observable in flatMapLatest that was not answered is asked again`() throws {
        let host = try host()
        let session = host.harness.makeSession(of: "asking")
        _ = host.send(.post, session + "/inputs/ask", body: "\"1\"")
        _ = host.send(.post, session + "/inputs/ask", body: "\"2\"")
        try host.restart()
        _ = host.send(.get, session)
        #expect(calls.withLock { $0.dropFirst(3).map(\.question) }.sorted() == ["2", "first"])
        let answer = calls.withLock { $0.dropFirst(3).first { $0.question == "2" }?.answer }
        answer?.onNext("two")
        host.harness.loop.run()
        #expect(host.send(.get, session).text.contains(#""answer":"two""#))
    }
}

/// Timers in the machines of other frameworks.
struct TimerFormTests {
    /// A stream that counts the shots of a timer.
    final class TickingStream: UnioStream<TickingStream> {
        struct Input: InputType {
            let reset = PublishRelay<Void>()
        }

        struct Output: OutputType {
            let count: BehaviorRelay<Int>
        }

        struct State: StateType {
            let count = BehaviorRelay(value: 0)
        }

        struct Extra: ExtraType {
            let ticks: Observable<Void>
        }

        static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
            let (state, extra) = (dependency.state, dependency.extra)
            extra.ticks.subscribe(onNext: { state.count.accept(state.count.value + 1) }).disposed(by: disposeBag)
            dependency.inputObservables.reset.subscribe(onNext: { state.count.accept(0) }).disposed(by: disposeBag)
            return Output(count: state.count)
        }
    }

    @Test func `an observable timer continues after a restart`() throws {
        let host = try RestartableHost([
            .unio("ticking", summary: "Counts.") { context in
                TickingStream(
                    input: .init(), state: .init(), extra: .init(ticks: context.timer("tick", every: .seconds(1))))
            }
        ])
        let session = host.harness.makeSession(of: "ticking")
        host.harness.loop.advance(by: .milliseconds(2500))
        try host.restart()
        #expect(host.send(.get, session).text.contains(#""count":2"#))
        host.harness.loop.advance(by: .seconds(1))
        #expect(host.send(.get, session).text.contains(#""count":3"#))
    }
}
