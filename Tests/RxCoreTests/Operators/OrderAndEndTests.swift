import CombineCore
import Dispatch
import Locking
import RxCore
import RxTesting
import StackTesting
import Testing

/// The order of side effects around an event, and the end of operators, as in RxSwift.
@Suite struct OrderAndEndTests {
    @Test func `a single or maybe emits the only element when the observable completes`() {
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

    @Test func `a single or maybe fails at a second element without emitting the first`() {
        var singles: [SingleEvent<Int>] = []
        _ = Observable.of(1, 2).asSingle().subscribe { singles.append($0) }
        #expect(singles.count == 1)
        #expect(throws: RxError.self) { try singles[0].get() }
        #expect(Observable.of(1, 2).asMaybe().asObservable().immediateEvents.count == 1)
    }

    @Test func `a single ends with its element`() {
        let source = PublishSubject<Int>()
        var log: [String] = []
        _ = source.first().subscribe(onSuccess: { log.append("\($0 ?? 0)") }, onDisposed: { log.append("disposed") })
        source.onNext(1)
        source.onNext(2)
        #expect(log == ["1", "disposed"])
    }

    @Test func `do runs around each event and after the disposal of its upstream`() {
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

    @Test func `when a stream ends later, onDispose runs after the closures and the upstream`() {
        let source = PublishSubject<Int>()
        var log: [String] = []
        func note(_ text: String) -> () -> Void { { log.append(text) } }
        _ = source.do(onDispose: note("upstream disposed"))
            .do(afterCompleted: note("after completed"), onDispose: note("disposed"))
            .subscribe(onCompleted: note("completed"))
        source.onCompleted()
        #expect(log == ["completed", "after completed", "upstream disposed", "disposed"])
    }

    @Test func `skip unsubscribes from its trigger when it emits`() {
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

    @Test func `a source that completes while it is skipped never completes the result and drops its trigger`() {
        let (source, trigger) = (PublishSubject<Int>(), PublishSubject<Void>())
        let recorder = Recorder<Int>()
        _ = source.skip(until: trigger).subscribe(recorder)
        source.onCompleted()
        #expect(recorder.events == [])
        #expect(!trigger.hasObservers)
    }

    @Test func `a selector that throws terminates a concatenation while an inner source is active`() {
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

    @Test func `groups with observers stay active after the outer subscription ends`() {
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

    @Test func `a generator computes the next state only when it is needed`() {
        var advances = 0
        let numbers = Observable.generate(initialState: 0, condition: { $0 < 9 }) { number in
            advances += 1
            return number + 1
        }
        #expect(numbers.take(1).immediateEvents == [.next(0), .completed])
        #expect(advances == 0)
    }

    @Test func `a subscription that begins on a scheduler ends there`() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(300, 1)])
        #expect(scheduler.run { source.subscribe(on: scheduler) } == [.next(300, 1)])
        #expect(source.subscriptions == [Subscription(201, 1001)])
    }
}

struct RetryTests {
    @Test(.smallStack) func `five thousand attempts that fail immediately do not grow the stack`() {
        var attempts = 0
        let stream = Observable<Int>.deferred {
            attempts += 1
            return attempts < 5000 ? .error(Failure()) : .just(attempts)
        }
        #expect(stream.retry(when: { $0 }).immediateEvents == [.next(5000), .completed])
    }

    @Test func `a trigger that completes early ends the result at the next failure`() {
        let source = PublishSubject<Int>()
        let recorder = Recorder<Int>()
        _ = source.retry(when: { (_: Observable<any Error>) in Observable<Void>.empty() }).subscribe(recorder)
        source.onNext(1)
        #expect(recorder.events == [.next(1)])
        source.onError(Failure())
        #expect(recorder.events == [.next(1), .completed])
    }

    @Test func `only failures of the declared type reach the closure`() {
        struct Other: Error {}
        var seen = 0
        let stream = Observable<Int>.error(Other()).retry(when: { (failures: Observable<Failure>) in
            failures.do(onNext: { _ in seen += 1 })
        })
        guard case .error(let error)? = stream.immediateEvents.last else {
            Issue.record("expected a failure")
            return
        }
        #expect(error is Other)
        #expect(seen == 0)
    }
}

@Suite struct DelayTests {
    @Test(arguments: 0..<20)
    func `on a concurrent scheduler, every element is delayed and in order`(_ run: Int) async {
        let scheduler = ConcurrentDispatchQueueScheduler(qos: .default)
        let (done, order) = (Signal(), Lock<[Int]>([]))
        _ = Observable.from(0..<200).delay(.microseconds(50), scheduler: scheduler).subscribe(
            onNext: { number in order.withLock { $0.append(number) } }, onCompleted: { done.signal() })
        await done.wait()
        #expect(order.withLock { $0 } == Array(0..<200))
    }

    @Test func `an error received during the delivery of an element does not wait for it`() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = PublishSubject<Int>()
        let recorder = Recorder<Int>()
        var isInside = false
        _ = source.delay(.seconds(1), scheduler: scheduler).subscribe { event in
            recorder.on(event)
            guard !isInside, case .next = event else { return }
            isInside = true
            source.onError(Failure())
            // Sent by the call that delivers the element, after the delivery.
            #expect(recorder.events == [.next(1)])
        }
        source.onNext(1)
        scheduler.start()
        #expect(recorder.events == [.next(1), .error(Failure())])
    }
}

@Suite struct ReplayTests {
    @Test func `an observer may wait during a replay for a lock whose owner is sending`() async {
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

    @Test func `an observer of a completed async subject may send to it`() {
        let subject = AsyncSubject<Int>()
        subject.onNext(1)
        subject.onCompleted()
        let recorder = Recorder<Int>()
        _ = subject.subscribe { event in
            recorder.on(event)
            subject.onNext(2)
        }
        #expect(recorder.events == [.next(1), .completed])
        #expect(subject.immediateEvents == [.next(1), .completed])
    }

    @Test func `elements sent during a replay follow it, once`() {
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
        #expect(subject.immediateEvents == [.next(3), .next(4), .completed])
    }
}
