import Dispatch
import RxCore
import RxTesting
import StackTesting
import Testing

struct TimingTests {
    private let scheduler = TestScheduler(initialClock: 0)

    private func hot(_ events: Recorded<Event<Int>>...) -> TestableObservable<Int> {
        scheduler.createHotObservable(events)
    }

    @Test func `debounce emits an element if no other follows in time`() {
        let source = hot(.next(210, 1), .next(215, 2), .next(240, 3), .next(255, 4), .completed(258))
        #expect(
            scheduler.run { source.debounce(.seconds(10), scheduler: scheduler) }
                == [.next(225, 2), .next(250, 3), .next(258, 4), .completed(258)])
    }

    @Test func `an error is delivered immediately and discards pending elements`() {
        let source = hot(.next(210, 1), .error(215, Failure()))
        #expect(
            scheduler.run { source.debounce(.seconds(10), scheduler: scheduler) } == [.error(215, Failure())])
        let other = TestScheduler(initialClock: 0)
        let second = other.createHotObservable([.next(210, 1), .error(215, Failure())])
        #expect(other.run { second.delay(.seconds(10), scheduler: other) } == [.error(215, Failure())])
    }

    @Test func `throttle emits the first element and then the latest of each interval`() {
        let source = hot(.next(210, 1), .next(212, 2), .next(215, 3), .next(231, 4), .next(250, 5), .completed(300))
        #expect(
            scheduler.run { source.throttle(.seconds(10), scheduler: scheduler) }
                == [.next(210, 1), .next(220, 3), .next(231, 4), .next(250, 5), .completed(300)])
    }

    @Test func `throttle without the latest drops the elements of an interval`() {
        let source = hot(.next(210, 1), .next(212, 2), .next(221, 3), .completed(222))
        #expect(
            scheduler.run { source.throttle(.seconds(10), latest: false, scheduler: scheduler) }
                == [.next(210, 1), .next(221, 3), .completed(222)])
    }

    @Test func `the completion of a throttled source waits for the pending element`() {
        let source = hot(.next(210, 1), .next(212, 2), .completed(214))
        #expect(
            scheduler.run { source.throttle(.seconds(10), scheduler: scheduler) }
                == [.next(210, 1), .next(220, 2), .completed(220)])
    }

    @Test func `delay keeps the intervals between events`() {
        let source = hot(.next(210, 1), .next(213, 2), .completed(220))
        #expect(
            scheduler.run { source.delay(.seconds(100), scheduler: scheduler) }
                == [.next(310, 1), .next(313, 2), .completed(320)])
    }

    @Test func `delaySubscription delays the subscription`() {
        let source = hot(.next(210, 1), .next(260, 2))
        #expect(
            scheduler.run { source.delaySubscription(.seconds(50), scheduler: scheduler) } == [.next(260, 2)])
        #expect(source.subscriptions == [Subscription(250, 1000)])
    }

    @Test func `timeout fails and unsubscribes if an element is late`() {
        let source = hot(.next(210, 1), .next(219, 2), .next(240, 3))
        let events = scheduler.run { source.timeout(.seconds(10), scheduler: scheduler) }
        #expect(events.dropLast() == [.next(210, 1), .next(219, 2)])
        guard let last = events.last, last.time == 229, case .error(RxError.timeout) = last.value else {
            Issue.record("expected a timeout at 229")
            return
        }
        #expect(source.subscriptions == [Subscription(200, 229)])
    }

    @Test func `timeout switches to another source if an element is late`() {
        let source = hot(.next(205, 1))
        let other = scheduler.createColdObservable([.next(5, 9), .completed(6)])
        #expect(
            scheduler.run { source.timeout(.seconds(10), other: other, scheduler: scheduler) }
                == [.next(205, 1), .next(220, 9), .completed(221)])
    }

    @Test func `a buffer is emitted when it is full, when its time has elapsed, and on completion`() {
        let source = hot(.next(210, 1), .next(211, 2), .next(212, 3), .next(240, 4), .completed(245))
        #expect(
            scheduler.run { source.buffer(timeSpan: .seconds(20), count: 2, scheduler: scheduler) }
                == [.next(211, [1, 2]), .next(231, [3]), .next(245, [4]), .completed(245)])
    }

    @Test func `a window is closed when it is full or its time has elapsed`() {
        let source = hot(.next(210, 1), .next(211, 2), .next(212, 3), .next(240, 4), .completed(245))
        let windows = scheduler.run {
            source.window(timeSpan: .seconds(20), count: 2, scheduler: scheduler)
                .flatMap { $0.toArray() }
        }
        #expect(windows == [.next(211, [1, 2]), .next(231, [3]), .next(245, [4]), .completed(245)])
    }

    @Test func `a window with observers outlives the subscription to the windows`() {
        let source = PublishSubject<Int>()
        var elements: [Int] = []
        let bag = DisposeBag()
        let windows = source.window(timeSpan: .seconds(20), count: 2, scheduler: scheduler)
            .subscribe(onNext: { $0.subscribe(onNext: { elements.append($0) }).disposed(by: bag) })
        windows.dispose()
        #expect(source.hasObservers)
        source.onNext(1)
        source.onNext(2)
        // The window is full, and nobody observes the next one.
        source.onNext(3)
        #expect(elements == [1, 2])
        #expect(!source.hasObservers)
    }

    @Test func `no action stays scheduled after the subscription ends`() {
        let source = hot(.next(210, 1), .next(211, 2))
        let subscriptions = [
            source.debounce(.seconds(1_000), scheduler: scheduler).subscribe(),
            source.throttle(.seconds(1_000), scheduler: scheduler).subscribe(),
            source.delay(.seconds(1_000), scheduler: scheduler).subscribe(),
            source.timeout(.seconds(1_000), scheduler: scheduler).subscribe(),
            source.buffer(timeSpan: .seconds(1_000), count: 9, scheduler: scheduler).subscribe(),
            source.observe(on: scheduler).subscribe(),
            Observable<Int>.interval(.seconds(1_000), scheduler: scheduler).subscribe(),
        ]
        scheduler.advanceTo(300)
        subscriptions.forEach { $0.dispose() }
        scheduler.start()
        #expect(scheduler.clock == 300)
    }

    @Test func `observe delivers events on the scheduler in order`() {
        let source = hot(.next(210, 1), .next(220, 2), .completed(230))
        #expect(
            scheduler.run { source.observe(on: scheduler) } == [.next(211, 1), .next(221, 2), .completed(231)])
        #expect(source.subscriptions == [Subscription(200, 231)])
    }

    @Test func `each event takes an action of the scheduler`() {
        #expect(
            scheduler.run { Observable.of(1, 2, 3).observe(on: scheduler) }
                == [.next(201, 1), .next(202, 2), .next(203, 3), .completed(204)])
    }

    @Test(.smallStack) func `events on a scheduler that runs actions immediately do not grow the stack`() {
        let relay = PublishRelay<Int>()
        var last = 0
        let subscription = relay.observe(on: CurrentThreadScheduler.instance).subscribe(onNext: { number in
            last = number
            guard number == 0 else { return }
            for next in 1...10_000 { relay.accept(next) }
        })
        relay.accept(0)
        #expect(last == 10_000)
        subscription.dispose()
    }

    @Test func `an element sent during a delivery is queued behind a scheduler`() {
        let relay = PublishRelay<Int>()
        var seen: [String] = []
        let bag = DisposeBag()
        let ordered = relay.observe(on: CurrentThreadScheduler.instance).share()
        ordered.subscribe(onNext: {
            seen.append("first \($0)")
            if $0 == 1 { relay.accept(2) }
        }).disposed(by: bag)
        ordered.subscribe(onNext: { seen.append("second \($0)") }).disposed(by: bag)
        relay.accept(1)
        #expect(seen == ["first 1", "second 1", "first 2", "second 2"])
    }

    @Test func `subscribe on a scheduler subscribes there`() {
        let source = hot(.next(200, 0), .next(210, 1))
        #expect(scheduler.run { source.subscribe(on: scheduler) } == [.next(210, 1)])
        #expect(source.subscriptions == [Subscription(201, 1001)])
    }

    @Test func `subscribe on a scheduler unsubscribes there when the source ends`() {
        let source = hot(.next(210, 1), .completed(300))
        #expect(scheduler.run { source.subscribe(on: scheduler) } == [.next(210, 1), .completed(300)])
        #expect(source.subscriptions == [Subscription(201, 301)])
    }
}
