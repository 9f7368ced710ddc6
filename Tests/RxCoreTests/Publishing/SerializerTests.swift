import Dispatch
import Locking
import RxCore
import RxTesting
import Testing

struct SerializerTests {
    /// A stream with two sources, one of which has a teardown that waits for a lock.
    enum Case: CaseIterable {
        case combineLatest, takeOfCombineLatest, zipCollection, withLatestFrom, sample
        case takeUntil, skipUntil, amb, concatMap, merge, flatMap

        func stream(_ slow: Observable<Int>, _ first: Observable<Int>, _ other: Observable<Int>) -> Observable<Int> {
            switch self {
            case .combineLatest: .combineLatest(slow, other) { $0 + $1 }
            case .takeOfCombineLatest: .combineLatest(slow, other.startWith(0)) { $0 + $1 }.take(1)
            case .zipCollection: .zip([slow, other]) { $0[0] + $0[1] }
            case .withLatestFrom: other.withLatestFrom(slow)
            case .sample: slow.sample(other)
            case .takeUntil: other.take(until: slow)
            case .skipUntil: other.skip(until: slow)
            case .amb: .amb([slow, first, other])
            case .concatMap: other.startWith(0).concatMap { _ in slow }
            case .merge: .merge(slow, first, other)
            case .flatMap: first.startWith(0, 1).flatMap { $0 == 0 ? slow : other }
            }
        }

        /// Makes the stream dispose of the slow source.
        func end(_ slow: PublishSubject<Int>, _ first: PublishSubject<Int>) {
            switch self {
            case .combineLatest, .withLatestFrom, .sample: slow.onError(Failure())
            case .takeOfCombineLatest, .takeUntil, .skipUntil: slow.onNext(1)
            case .zipCollection, .concatMap: slow.onCompleted()
            case .amb: first.onNext(1)
            case .merge, .flatMap: first.onError(Failure())
            }
        }
    }

    @Test(arguments: Case.allCases)
    func `a teardown may wait for a lock whose owner is sending to the same operator`(_ kind: Case) async {
        // Subjects may be used from any thread.
        nonisolated(unsafe) let slow = PublishSubject<Int>()
        nonisolated(unsafe) let first = PublishSubject<Int>()
        let other = PublishSubject<Int>()
        let foreign = DispatchSemaphore(value: 1)
        let (isInside, done, isBlocked) = (Signal(), Signal(), Lock(false))
        let source = Observable<Int>.create { observer in
            let teardown = Disposables.create {
                isInside.signal()
                // Not forever, so that the test fails instead of hanging.
                if foreign.wait(timeout: .now() + 60) == .timedOut { isBlocked.withLock { $0 = true } }
                foreign.signal()
            }
            return Disposables.create(teardown, slow.subscribe(observer))
        }
        let subscription = kind.stream(source, first.asObservable(), other.asObservable()).subscribe(onError: { _ in })
        foreign.wait()
        DispatchQueue(label: "rx.serializer").async {
            kind.end(slow, first)
            done.signal()
        }
        await isInside.wait()
        // Would wait for the teardown if that ran inside the operator's lock.
        other.onNext(2)
        foreign.signal()
        await done.wait()
        subscription.dispose()
        #expect(!isBlocked.withLock { $0 })
    }

    @Test(arguments: [false, true])
    func `a subscription may wait for a lock whose owner is sending to the same operator`(isLatest: Bool) async {
        nonisolated(unsafe) let outer = PublishSubject<Int>()
        let inner = PublishSubject<Int>()
        let foreign = DispatchSemaphore(value: 1)
        let (isInside, done, isBlocked) = (Signal(), Signal(), Lock(false))
        let made = Observable<Int>.create { observer in
            let subscription = inner.subscribe(observer)
            isInside.signal()
            if foreign.wait(timeout: .now() + 60) == .timedOut { isBlocked.withLock { $0 = true } }
            foreign.signal()
            return subscription
        }
        let received = Lock<[Int]>([])
        let stream = isLatest ? outer.flatMapLatest { _ in made } : outer.flatMap { _ in made }
        let subscription = stream.subscribe(onNext: { value in received.withLock { $0.append(value) } })
        foreign.wait()
        DispatchQueue(label: "rx.serializer").async {
            outer.onNext(0)
            done.signal()
        }
        await isInside.wait()
        // Would wait for the subscription if that ran inside the operator's lock.
        inner.onNext(2)
        foreign.signal()
        await done.wait()
        subscription.dispose()
        #expect(!isBlocked.withLock { $0 })
        #expect(received.withLock { $0 } == [2])
    }

    @Test func `the end of a window may wait for a lock whose owner is sending to the same operator`() async {
        let outer = PublishSubject<Int>()
        let foreign = DispatchSemaphore(value: 1)
        let (isInside, done, isBlocked) = (Signal(), Signal(), Lock(false))
        let received = Lock<[Int]>([])
        nonisolated(unsafe) let scheduler = TestScheduler(initialClock: 0)
        let windows = outer.window(timeSpan: .seconds(10), count: 9, scheduler: scheduler)
        let subscription = windows.enumerated().subscribe(onNext: { number, window in
            _ = window.subscribe(
                onNext: { value in received.withLock { $0.append(value) } },
                onCompleted: {
                    guard number == 0 else { return }
                    isInside.signal()
                    if foreign.wait(timeout: .now() + 60) == .timedOut { isBlocked.withLock { $0 = true } }
                    foreign.signal()
                })
        })
        outer.onNext(1)
        foreign.wait()
        DispatchQueue(label: "rx.serializer").async {
            scheduler.advanceTo(10)
            done.signal()
        }
        await isInside.wait()
        // Opens the next window, and would wait for the end of the first one if that ran inside the operator's lock.
        outer.onNext(2)
        foreign.signal()
        await done.wait()
        outer.onNext(3)
        subscription.dispose()
        #expect(!isBlocked.withLock { $0 })
        #expect(received.withLock { $0 } == [1, 2, 3])
    }

    @Test func `a source that ends inside a delivery ends the operator before the delivery returns`() {
        let (left, right) = (PublishSubject<Int>(), PublishSubject<Int>())
        var log: [String] = []
        _ = left.take(until: right).subscribe(
            onNext: {
                log.append("begin \($0)")
                right.onNext(0)
                log.append("end \($0)")
            }, onCompleted: { log.append("completed") })
        left.onNext(1)
        left.onNext(2)
        #expect(log == ["begin 1", "completed", "end 1"])
        #expect(!left.hasObservers && !right.hasObservers)
    }
}
