import Dispatch
import RxCore
import RxTesting
import Testing

struct InfallibleOperatorTests {
    private let numbers = Infallible.of(1, 2, 2, 3, 4)

    private func elements<Element>(_ stream: Infallible<Element>) -> [Element] {
        let recorder = Recorder<Element>()
        _ = stream.bind(to: recorder)
        #expect(recorder.hasCompleted)
        return recorder.elements
    }

    /// Returns the events of an operator whose source emits 1 at 210, 2 at 220, 3 at 260, and completes at 300.
    private func timed<Element>(_ operation: @escaping (Infallible<Int>, TestScheduler) -> Infallible<Element>)
        -> [Recorded<Event<Element>>]
    {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(260, 3), .completed(300)])
        return scheduler.run { operation(source.asInfallible(onErrorJustReturn: 0), scheduler).asObservable() }
    }

    @Test func `infallibles are created from elements, sequences and closures`() {
        #expect(elements(.from([1, 2])) == [1, 2])
        #expect(elements(.from(1...3)) == [1, 2, 3])
        #expect(elements(.just(1, scheduler: CurrentThreadScheduler.instance)) == [1])
        var made = 0
        let deferred = Infallible<Int>.deferred {
            made += 1
            return .just(made)
        }
        #expect(elements(deferred) + elements(deferred) == [1, 2])
        #expect(elements(numbers.asInfallible()) == [1, 2, 2, 3, 4])
    }

    @Test func `elements are accumulated`() {
        #expect(elements(numbers.scan(0, accumulator: +)) == [1, 3, 5, 8, 12])
        #expect(elements(numbers.scan(into: []) { $0.append($1) }).last == [1, 2, 2, 3, 4])
    }

    @Test func `elements are taken and skipped`() {
        #expect(elements(numbers.take(while: { $0 < 3 })) == [1, 2, 2])
        #expect(elements(numbers.take(while: { $0 < 3 }, behavior: .inclusive)) == [1, 2, 2, 3])
        #expect(elements(numbers.take(until: { $0 == 3 })) == [1, 2, 2])
        #expect(elements(numbers.take(until: { $0 == 3 }, behavior: .inclusive)) == [1, 2, 2, 3])
        #expect(elements(numbers.take(until: Infallible.just(0))) == [])
        #expect(elements(numbers.take(until: Observable.just(0))) == [])
        #expect(elements(numbers.takeLast(2)) == [3, 4])
        #expect(elements(numbers.skip(while: { $0 < 3 })) == [3, 4])
    }

    @Test func `elements are emitted after the first one of another source`() {
        let (source, trigger) = (PublishRelay<Int>(), PublishRelay<Int>())
        let (observable, infallible) = (Recorder<Int>(), Recorder<Int>())
        let bag = DisposeBag()
        source.asInfallible().skip(until: trigger).bind(to: observable).disposed(by: bag)
        source.asInfallible().skip(until: trigger.asInfallible()).bind(to: infallible).disposed(by: bag)
        source.accept(1)
        trigger.accept(0)
        source.accept(2)
        #expect(observable.events == [.next(2)])
        #expect(infallible.events == [.next(2)])
    }

    @Test func `consecutive repetitions are dropped by value, key, property and comparison`() {
        #expect(elements(numbers.distinctUntilChanged { $0 / 2 }) == [1, 2, 4])
        #expect(elements(numbers.distinctUntilChanged { $0 > $1 }) == [1, 2, 2, 3, 4])
        #expect(elements(numbers.distinctUntilChanged(at: \.trailingZeroBitCount)) == [1, 2, 3, 4])
        #expect(elements(numbers.distinctUntilChanged({ $0 }, comparer: { $1 - $0 < 2 })) == [1, 3])
    }

    @Test func `inner sources are flattened`() {
        let single: (Int) -> Single<Int> = { .just($0 * 10) }
        #expect(elements(numbers.flatMap(single)) == [10, 20, 20, 30, 40])
        #expect(elements(numbers.flatMapLatest(single)) == [10, 20, 20, 30, 40])
        #expect(elements(numbers.concatMap { Infallible.of($0, 0) }) == [1, 0, 2, 0, 2, 0, 3, 0, 4, 0])
        let (outer, inner) = (PublishRelay<Int>(), PublishRelay<Int>())
        let first = Recorder<Int>()
        let subscription = outer.asInfallible().flatMapFirst { number in inner.map { $0 + number } }.bind(to: first)
        outer.accept(100)
        outer.accept(200)
        inner.accept(1)
        #expect(first.events == [.next(101)])
        subscription.dispose()
    }

    @Test func `sources are concatenated and merged`() {
        #expect(elements(numbers.concat(Single.just(9))) == [1, 2, 2, 3, 4, 9])
        #expect(elements(.concat(.just(1), .just(2))) == [1, 2])
        #expect(elements(.concat([Infallible.just(1), .just(2)])) == [1, 2])
        #expect(elements(.concat(AnySequence([Infallible.just(1), .just(2)]))) == [1, 2])
        let (left, right) = (PublishRelay<Int>(), PublishRelay<Int>())
        let streams = [left.asInfallible(), right.asInfallible()]
        let bag = DisposeBag()
        for stream in [Infallible.merge(streams), .merge(streams[0], streams[1]), .merge(streams[...])] {
            let recorder = Recorder<Int>()
            let subscription = stream.bind(to: recorder)
            right.accept(2)
            left.accept(1)
            #expect(recorder.events == [.next(2), .next(1)])
            subscription.disposed(by: bag)
        }
    }

    @Test func `elements are combined with the latest ones of other sources`() {
        let (source, other) = (PublishRelay<Int>(), BehaviorRelay(value: "a"))
        let (pairs, latest) = (Recorder<String>(), Recorder<String>())
        let bag = DisposeBag()
        source.asInfallible().withLatestFrom(other.asInfallible()) { "\($0)\($1)" }.bind(to: pairs).disposed(by: bag)
        source.asInfallible().withLatestFrom(other.asInfallible()).bind(to: latest).disposed(by: bag)
        source.accept(1)
        other.accept("b")
        source.accept(2)
        #expect(pairs.elements == ["1a", "2b"])
        #expect(latest.elements == ["a", "b"])
        let tuples = elements(Infallible.combineLatest(Infallible.just(1), Infallible.just("a")))
        #expect(tuples.map { "\($0)\($1)" } == ["1a"])
        let triples = elements(Infallible.combineLatest(Infallible.just(1), Infallible.just("a"), Infallible.just(2.5)))
        #expect(triples.map { "\($0)\($1)\($2)" } == ["1a2.5"])
    }

    @Test func `a closure that combines elements may throw, which ends the infallible`() {
        func fail() throws -> Int { throw Failure() }
        let (one, two) = (Infallible.just(1), Infallible.just(2))
        let streams: [Infallible<Int>] = [
            .combineLatest(one, two) { _, _ in try fail() }, .zip(one, two) { _, _ in try fail() },
            .combineLatest([one, two]) { _ in try fail() }, one.withLatestFrom(two) { _, _ in try fail() },
        ]
        for stream in streams { #expect(stream.asObservable().immediateEvents == [.error(Failure())]) }
    }

    @Test func `elements are timed by the scheduler`() {
        #expect(timed { $0.debounce(.seconds(15), scheduler: $1) } == [.next(235, 2), .next(275, 3), .completed(300)])
        #expect(
            timed { $0.throttle(.seconds(20), scheduler: $1) }
                == [.next(210, 1), .next(230, 2), .next(260, 3), .completed(300)])
        #expect(
            timed { $0.delay(.seconds(5), scheduler: $1) }
                == [.next(215, 1), .next(225, 2), .next(265, 3), .completed(305)])
        #expect(timed { $0.delaySubscription(.seconds(15), scheduler: $1) }.first == .next(220, 2))
        #expect(timed { $0.take(for: .seconds(25), scheduler: $1) }.last == .completed(225))
        #expect(timed { $0.skip(.seconds(15), scheduler: $1) }.first == .next(220, 2))
        #expect(timed { $0.subscribe(on: $1) }.first == .next(210, 1))
    }

    @Test func `side effects run around events`() {
        var order: [String] = []
        let stream = Infallible.just(1).do(
            onNext: { order.append("next \($0)") }, afterNext: { order.append("after \($0)") },
            onCompleted: { order.append("completed") }, afterCompleted: { order.append("after completed") },
            onSubscribe: { order.append("subscribe") }, onSubscribed: { order.append("subscribed") },
            onDispose: { order.append("dispose") })
        #expect(elements(stream) == [1])
        #expect(order.prefix(4) == ["subscribe", "next 1", "after 1", "completed"])
        #expect(Set(order.suffix(3)) == ["after completed", "subscribed", "dispose"])
    }

    @Test func `an unretained object completes the source when it is deallocated`() {
        final class Owner {}
        let source = PublishRelay<Int>()
        var owner: Owner? = Owner()
        let (results, pairs) = (Recorder<Int>(), Recorder<Int>())
        let bag = DisposeBag()
        if let owner {
            source.asInfallible().withUnretained(owner) { $1 }.bind(to: results).disposed(by: bag)
            source.asInfallible().withUnretained(owner).map { $0.1 }.bind(to: pairs).disposed(by: bag)
        }
        source.accept(1)
        owner = nil
        source.accept(2)
        #expect(results.events == [.next(1), .completed])
        #expect(pairs.events == [.next(1), .completed])
    }

    @Test func `elements are bound to relays, also of optional elements, and to closures`() {
        let bag = DisposeBag()
        let (replay, optionals) = (ReplayRelay<Int>.createUnbound(), ReplayRelay<Int?>.createUnbound())
        let (behavior, publish) = (BehaviorRelay<Int?>(value: nil), PublishRelay<Int?>())
        let (published, observed) = (Recorder<Int?>(), Recorder<Int?>())
        _ = publish.subscribe(published)
        numbers.bind(to: replay).disposed(by: bag)
        numbers.bind(to: optionals).disposed(by: bag)
        numbers.bind(to: behavior).disposed(by: bag)
        numbers.bind(to: publish).disposed(by: bag)
        numbers.bind(to: observed).disposed(by: bag)
        #expect(replay.immediateEvents == [.next(1), .next(2), .next(2), .next(3), .next(4)])
        #expect(optionals.immediateEvents.count == 5)
        #expect(behavior.value == 4)
        #expect(published.elements == [1, 2, 2, 3, 4])
        #expect(observed.hasCompleted)
        var sum = 0
        numbers.bind { sum += $0 }.disposed(by: bag)
        numbers.bind(with: behavior) { sum += $0.value ?? $1 }.disposed(by: bag)
        #expect(sum == 12 + 20)
        #expect(elements(numbers.bind { $0.take(1) }) == [1])
        let curried: (Infallible<Int>) -> (Int) -> Infallible<Int> = { stream in { stream.take($0) } }
        #expect(elements(numbers.bind(to: curried, curriedArgument: 2)) == [1, 2])
    }

    @Test func `an operator can be defined for every infallible source`() {
        #expect(elements(numbers.doubled()) == [2, 4, 4, 6, 8])
    }
}

extension InfallibleType where Element == Int {
    fileprivate func doubled() -> Infallible<Int> {
        map { $0 * 2 }
    }
}
