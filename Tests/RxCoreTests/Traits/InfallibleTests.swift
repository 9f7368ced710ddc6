import RxCore
import Testing

struct InfallibleTests {
    private func recorded<Element>(_ stream: Infallible<Element>) -> Recorder<Element> {
        let recorder = Recorder<Element>()
        _ = stream.bind(to: recorder)
        return recorder
    }

    @Test func `a failure becomes an element, another source, or the result of a closure`() {
        let failing = Observable.concat([.of(1, 2), Observable<Int>.error(Failure())])
        #expect(
            recorded(failing.asInfallible(onErrorJustReturn: 0)).events == [.next(1), .next(2), .next(0), .completed])
        #expect(
            recorded(failing.asInfallible(onErrorFallbackTo: .of(8, 9))).events
                == [.next(1), .next(2), .next(8), .next(9), .completed])
        #expect(
            recorded(failing.asInfallible(onErrorRecover: { .just($0 is Failure ? 7 : 6) })).elements == [1, 2, 7])
    }

    @Test func `a created infallible emits elements and a completion, and is then disposed of`() {
        var ends = 0
        let stream = Infallible<Int>.create { observer in
            observer(.next(1))
            observer(.completed)
            observer(.next(2))
            return Disposables.create { ends += 1 }
        }
        var events: [String] = []
        _ = stream.subscribe { events.append("\($0)") }
        _ = stream.subscribe(
            onNext: { events.append("\($0)") }, onCompleted: { events.append("end") },
            onDisposed: { events.append("over") })
        #expect(events == ["next(1)", "completed", "1", "end", "over"])
        #expect(ends == 2)
    }

    @Test func `operators return infallibles`() {
        let numbers = Infallible.of(1, 2, 2, 3, 4)
        #expect(recorded(numbers.distinctUntilChanged().skip(1).take(2).map { $0 * 10 }).elements == [20, 30])
        #expect(recorded(numbers.filter { $0 > 2 }.startWith(0)).elements == [0, 3, 4])
        #expect(recorded(numbers.compactMap { $0 > 3 ? "\($0)" : nil }).elements == ["4"])
        #expect(recorded(numbers.flatMap { .just(-$0) }).elements == [-1, -2, -2, -3, -4])
        #expect(recorded(numbers.share().observe(on: CurrentThreadScheduler.instance)).elements == [1, 2, 2, 3, 4])
        #expect(recorded(Infallible<Int>.empty()).events == [.completed])
        #expect(recorded(Infallible<Int>.never()).events.isEmpty)
    }

    @Test func `only the latest inner source is active`() {
        let (outer, first, second) = (PublishSubject<Bool>(), PublishSubject<Int>(), PublishSubject<Int>())
        let stream = outer.asInfallible(onErrorJustReturn: false).flatMapLatest { isFirst in
            (isFirst ? first : second).asInfallible(onErrorJustReturn: -1)
        }
        let recorder = recorded(stream)
        outer.onNext(true)
        first.onNext(1)
        outer.onNext(false)
        first.onNext(2)
        second.onNext(3)
        #expect(recorder.elements == [1, 3])
    }

    @Test func `elements are bound to relays and unretained objects`() {
        let (publish, behavior) = (PublishRelay<Int>(), BehaviorRelay(value: 0))
        let source = PublishSubject<Int>()
        let stream = source.asInfallible(onErrorJustReturn: 0)
        let bag = DisposeBag()
        var seen: [Int] = []
        publish.subscribe(onNext: { seen.append($0) }).disposed(by: bag)
        stream.bind(to: publish).disposed(by: bag)
        stream.bind(to: behavior).disposed(by: bag)
        var owner: Owner? = Owner()
        if let owner { stream.subscribe(with: owner, onNext: { $0.receive($1) }).disposed(by: bag) }
        owner?.handler = { seen.append($0 * 100) }
        source.onNext(4)
        owner = nil
        source.onNext(5)
        #expect(seen == [4, 400, 5])
        #expect(behavior.value == 5)
    }

    private final class Owner {
        var handler: (Int) -> Void = { _ in }
        func receive(_ number: Int) { handler(number) }
    }
}
