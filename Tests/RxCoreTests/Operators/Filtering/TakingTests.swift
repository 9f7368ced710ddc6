import Dispatch
import RxCore
import RxTesting
import Testing

struct TakingTests {
    private let numbers = Observable.of(1, 2, 3, 4)

    @Test func `take emits the first elements and unsubscribes`() {
        let subject = PublishSubject<Int>()
        let recorder = Recorder<Int>()
        _ = subject.take(2).subscribe(recorder)
        subject.onNext(1)
        #expect(subject.hasObservers)
        subject.onNext(2)
        #expect(!subject.hasObservers)
        #expect(recorder.events == [.next(1), .next(2), .completed])
        #expect(numbers.take(0).immediateEvents == [.completed])
    }

    @Test func `an element sent during the delivery of the last one is not taken`() {
        let subject = PublishSubject<Int>()
        let recorder = Recorder<Int>()
        _ = subject.take(2).do(onNext: { if $0 == 2 { subject.onNext(3) } }).subscribe(recorder)
        subject.onNext(1)
        subject.onNext(2)
        #expect(recorder.events == [.next(1), .next(2), .completed])
    }

    @Test func `takeLast emits the last elements on completion`() {
        #expect(numbers.takeLast(2).immediateEvents == [.next(3), .next(4), .completed])
        #expect(numbers.takeLast(9).immediateEvents.count == 5)
    }

    @Test func `elements are taken while or until a closure returns true`() {
        #expect(numbers.take(while: { $0 < 3 }).immediateEvents == [.next(1), .next(2), .completed])
        #expect(
            numbers.take(while: { $0 < 3 }, behavior: .inclusive).immediateEvents
                == [.next(1), .next(2), .next(3), .completed])
        #expect(numbers.take(until: { $0 == 2 }).immediateEvents == [.next(1), .completed])
        #expect(
            numbers.take(until: { $0 == 2 }, behavior: .inclusive).immediateEvents == [.next(1), .next(2), .completed])
    }

    @Test func `elements are skipped`() {
        #expect(numbers.skip(3).immediateEvents == [.next(4), .completed])
        #expect(numbers.skip(while: { $0 != 3 }).immediateEvents == [.next(3), .next(4), .completed])
        #expect(
            Observable.of(1, 5, 1).skip(while: { $0 < 2 }).immediateEvents == [.next(5), .next(1), .completed])
    }

    @Test func `another source starts and ends the elements`() {
        let (source, signal) = (PublishSubject<Int>(), PublishSubject<Void>())
        let (before, after) = (Recorder<Int>(), Recorder<Int>())
        _ = source.take(until: signal).subscribe(before)
        _ = source.skip(until: signal).subscribe(after)
        source.onNext(1)
        signal.onNext(())
        source.onNext(2)
        #expect(before.events == [.next(1), .completed])
        #expect(after.events == [.next(2)])
    }

    @Test func `a duration starts and ends the elements`() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(290, 2), .next(310, 3), .completed(400)])
        #expect(
            scheduler.run { source.take(for: .seconds(100), scheduler: scheduler) }
                == [.next(210, 1), .next(290, 2), .completed(300)])
        #expect(source.subscriptions == [Subscription(200, 300)])
        let other = TestScheduler(initialClock: 0)
        let second = other.createHotObservable([.next(210, 1), .next(310, 3), .completed(400)])
        #expect(
            other.run { second.skip(.seconds(100), scheduler: other) } == [.next(310, 3), .completed(400)])
    }

    @Test func `a source that ends before the duration of a skip ends the result`() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .completed(250)])
        #expect(scheduler.run { source.skip(.seconds(100), scheduler: scheduler) } == [.completed(250)])
    }
}
