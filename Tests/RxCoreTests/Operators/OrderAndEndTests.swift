import CombineCore
import Dispatch
import Locking
import RxCore
import RxTesting
import Testing

/// The order of what operators do around an event, and when they end, as in RxSwift.
@Suite(.timeLimit(.minutes(10)))
struct OrderAndEndTests {
    @Test func `the trait of a stream knows its element when the stream has completed, and not before`() {
        let source = PublishSubject<Int>()
        var single: [String] = []
        var maybe: [String] = []
        _ = source.asSingle().subscribe { single.append("\($0)") }
        _ = source.asMaybe().subscribe { maybe.append("\($0)") }
        source.onNext(1)
        #expect(single.isEmpty && maybe.isEmpty)
        source.onCompleted()
        #expect(single == ["success(1)"])
        #expect(maybe == ["success(1)"])
    }

    @Test func `a second element is a failure of the trait, and the only thing that it sends`() {
        var singles: [SingleEvent<Int>] = []
        _ = Observable.of(1, 2).asSingle().subscribe { singles.append($0) }
        #expect(singles.count == 1)
        #expect(throws: RxError.self) { try singles[0].get() }
        #expect(Observable.of(1, 2).asMaybe().asObservable().saidAtOnce.count == 1)
    }

    @Test func `a single is over with its element`() {
        let source = PublishSubject<Int>()
        var log: [String] = []
        _ = source.first().subscribe(onSuccess: { log.append("\($0 ?? 0)") }, onDisposed: { log.append("disposed") })
        source.onNext(1)
        source.onNext(2)
        #expect(log == ["1", "disposed"])
    }

    @Test func `do runs around each event, and disposes of its upstream first`() {
        var log: [String] = []
        func note(_ text: String) -> () -> Void { { log.append(text) } }
        let upstream = Observable<Int>.just(1).do(onDispose: note("upstream disposed"))
        _ = upstream.do(
            onNext: { _ in log.append("before next") }, afterNext: { _ in log.append("after next") },
            onCompleted: note("before completed"), afterCompleted: note("after completed"),
            onSubscribe: note("subscribe"), onSubscribed: note("subscribed"), onDispose: note("disposed")
        )
        .subscribe(onNext: { _ in log.append("next") }, onCompleted: note("completed"))
        #expect(
            log == [
                "subscribe", "before next", "next", "after next", "before completed", "completed", "after completed",
                "upstream disposed", "subscribed", "disposed",
            ])
    }

    @Test func `when a stream ends later, do disposes after its closures and after its upstream`() {
        let source = PublishSubject<Int>()
        var log: [String] = []
        func note(_ text: String) -> () -> Void { { log.append(text) } }
        _ = source.do(onDispose: note("upstream disposed"))
            .do(afterCompleted: note("after completed"), onDispose: note("disposed"))
            .subscribe(onCompleted: note("completed"))
        source.onCompleted()
        #expect(log == ["completed", "after completed", "upstream disposed", "disposed"])
    }

    @Test func `an element that opens a skipping stream ends the subscription to its trigger`() {
        let (source, trigger) = (PublishSubject<Int>(), PublishSubject<Void>())
        let recorder = Recorder<Int>()
        _ = source.skip(until: trigger).subscribe(recorder)
        source.onNext(1)
        trigger.onNext(())
        #expect(!trigger.hasObservers)
        source.onNext(2)
        source.onCompleted()
        #expect(recorder.events == [.next(2), .completed])
    }

    @Test func `a stream that skipped everything ends in silence, without its trigger`() {
        let (source, trigger) = (PublishSubject<Int>(), PublishSubject<Void>())
        let recorder = Recorder<Int>()
        _ = source.skip(until: trigger).subscribe(recorder)
        source.onCompleted()
        #expect(recorder.events == [])
        #expect(!trigger.hasObservers)
    }

    @Test func `a selector that throws ends a concatenation while one of its streams goes on`() {
        let (source, inner) = (PublishSubject<Int>(), PublishSubject<Int>())
        let recorder = Recorder<Int>()
        _ = source.concatMap { number in
            guard number < 2 else { throw Failure() }
            return inner
        }.subscribe(recorder)
        source.onNext(1)
        inner.onNext(10)
        source.onNext(2)
        #expect(recorder.events == [.next(10), .error(Failure())])
        #expect(!source.hasObservers && !inner.hasObservers)
    }

    @Test func `groups go on for those who listen when the stream of groups is left`() {
        let source = PublishSubject<Int>()
        let recorder = Recorder<Int>()
        var group: (any Disposable)?
        let outer = source.groupBy { $0 % 2 }.subscribe(onNext: { if $0.key == 1 { group = $0.subscribe(recorder) } })
        source.onNext(1)
        outer.dispose()
        source.onNext(3)
        source.onNext(2)
        #expect(recorder.elements == [1, 3])
        #expect(source.hasObservers)
        group?.dispose()
        #expect(!source.hasObservers)
    }

    @Test func `a generator advances when the next element is due`() {
        var advances = 0
        let numbers = Observable.generate(initialState: 0, condition: { $0 < 9 }) { number in
            advances += 1
            return number + 1
        }
        #expect(numbers.take(1).saidAtOnce == [.next(0), .completed])
        #expect(advances == 0)
    }

    @Test func `a subscription that was begun on a scheduler ends there`() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(300, 1)])
        #expect(scheduler.run { source.subscribe(on: scheduler) } == [.next(300, 1)])
        #expect(source.subscriptions == [Subscription(201, 1001)])
    }
}

struct RetryTests {
    @Test func `twenty thousand attempts that fail at once do not grow the stack`() {
        var attempts = 0
        let stream = Observable<Int>.deferred {
            attempts += 1
            return attempts < 20_000 ? .error(Failure()) : .just(attempts)
        }
        #expect(stream.retry(when: { $0 }).saidAtOnce == [.next(20_000), .completed])
    }

    @Test func `a trigger that ends first ends nothing until the stream fails`() {
        let source = PublishSubject<Int>()
        let recorder = Recorder<Int>()
        _ = source.retry(when: { (_: Observable<any Error>) in Observable<Void>.empty() }).subscribe(recorder)
        source.onNext(1)
        #expect(recorder.events == [.next(1)])
        source.onError(Failure())
        #expect(recorder.events == [.next(1), .completed])
    }

    @Test func `only failures of the named type reach the closure`() {
        struct Other: Error {}
        var seen = 0
        let stream = Observable<Int>.error(Other()).retry(when: { (failures: Observable<Failure>) in
            failures.do(onNext: { _ in seen += 1 })
        })
        guard case .error(let error)? = stream.saidAtOnce.last else {
            Issue.record("expected a failure")
            return
        }
        #expect(error is Other)
        #expect(seen == 0)
    }
}

@Suite(.timeLimit(.minutes(10)))
struct DelayTests {
    @Test(arguments: 0..<20)
    func `on a concurrent scheduler every element is delayed, in order`(_ run: Int) async {
        let scheduler = ConcurrentDispatchQueueScheduler(qos: .default)
        let (done, order) = (Signal(), Lock<[Int]>([]))
        _ = Observable.from(0..<200).delay(.microseconds(50), scheduler: scheduler).subscribe(
            onNext: { number in order.withLock { $0.append(number) } }, onCompleted: { done.signal() })
        await done.wait()
        #expect(order.withLock { $0 } == Array(0..<200))
    }

    @Test func `an error that is received while an element is sent does not wait for it`() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = PublishSubject<Int>()
        let recorder = Recorder<Int>()
        var isInside = false
        _ = source.delay(.seconds(1), scheduler: scheduler).subscribe { event in
            recorder.on(event)
            guard !isInside, case .next = event else { return }
            isInside = true
            source.onError(Failure())
            // Sent by whoever sends the element, once that is done.
            #expect(recorder.events == [.next(1)])
        }
        source.onNext(1)
        scheduler.start()
        #expect(recorder.events == [.next(1), .error(Failure())])
    }
}

@Suite(.timeLimit(.minutes(10)))
struct ReplayTests {
    @Test func `an observer that is started off may wait for a lock whose owner sends`() async {
        // May be used from any thread.
        nonisolated(unsafe) let subject = ReplaySubject<Int>.createUnbounded()
        subject.onNext(0)
        let foreign = DispatchSemaphore(value: 1)
        let (isInside, done) = (Signal(), Signal())
        let order = Lock<[Int]>([])
        foreign.wait()
        DispatchQueue(label: "rx.replay").async {
            _ = subject.subscribe(onNext: { number in
                order.withLock { $0.append(number) }
                guard number == 0 else { return }
                isInside.signal()
                foreign.wait()
                foreign.signal()
            })
            done.signal()
        }
        await isInside.wait()
        subject.onNext(1)
        foreign.signal()
        await done.wait()
        #expect(order.withLock { $0 } == [0, 1])
    }

    @Test func `an observer of a completed asynchronous subject may send to it`() {
        let subject = AsyncSubject<Int>()
        subject.onNext(1)
        subject.onCompleted()
        let recorder = Recorder<Int>()
        _ = subject.subscribe { event in
            recorder.on(event)
            subject.onNext(2)
        }
        #expect(recorder.events == [.next(1), .completed])
        #expect(subject.saidAtOnce == [.next(1), .completed])
    }

    @Test func `what is sent while an observer is started off follows, once`() {
        let subject = ReplaySubject<Int>.create(bufferSize: 2)
        for number in 1...3 { subject.onNext(number) }
        let recorder = Recorder<Int>()
        _ = subject.subscribe { event in
            recorder.on(event)
            if case .next(2) = event {
                subject.onNext(4)
                subject.onCompleted()
            }
        }
        #expect(recorder.events == [.next(2), .next(3), .next(4), .completed])
        #expect(subject.saidAtOnce == [.next(3), .next(4), .completed])
    }
}
