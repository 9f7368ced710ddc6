import Dispatch
import RxCore
import RxTesting
import StackTesting
import Testing

struct CreatingTests {
    @Test func `simple sources emit their elements`() {
        #expect(Observable.just(1).immediateEvents == [.next(1), .completed])
        #expect(Observable.of(1, 2).immediateEvents == [.next(1), .next(2), .completed])
        #expect(Observable.from([1, 2]).immediateEvents == [.next(1), .next(2), .completed])
        #expect(Observable.from(1...2).immediateEvents == [.next(1), .next(2), .completed])
        #expect(Observable<Int>.empty().immediateEvents == [.completed])
        #expect(Observable<Int>.never().immediateEvents == [])
        #expect(Observable<Int>.error(Failure()).immediateEvents == [.error(Failure())])
        #expect(Observable.from(optional: 1 as Int?).immediateEvents == [.next(1), .completed])
        #expect(Observable<Int>.from(optional: nil).immediateEvents == [.completed])
        #expect(Observable.range(start: 3, count: 3).immediateEvents == [.next(3), .next(4), .next(5), .completed])
        #expect(Observable.range(start: 3, count: 0).immediateEvents == [.completed])
        #expect(
            Observable.generate(initialState: 1, condition: { $0 < 5 }, iterate: { $0 * 2 }).immediateEvents
                == [.next(1), .next(2), .next(4), .completed])
    }

    @Test func `sources on the current thread alternate if they are subscribed together`() {
        let merged = Observable.merge(Observable.of(1, 2), Observable.of(3, 4))
        #expect(merged.immediateEvents == [.next(1), .next(3), .next(2), .next(4), .completed])
    }

    @Test func `an endless source stops when its subscription ends`() {
        #expect(
            Observable.repeatElement(7).take(3).immediateEvents == [.next(7), .next(7), .next(7), .completed])
    }

    @Test(.smallStack) func `a long sequence does not grow the stack`() {
        let recorder = Recorder<Int>()
        _ = Observable.from(0..<10_000).filter { $0 == 9999 }.subscribe(recorder)
        #expect(recorder.events == [.next(9999), .completed])
    }

    @Test func `a deferred observable is created for each observer`() {
        var count = 0
        let stream = Observable<Int>.deferred {
            count += 1
            if count == 3 { throw Failure() }
            return .just(count)
        }
        #expect(stream.immediateEvents == [.next(1), .completed])
        #expect(stream.immediateEvents == [.next(2), .completed])
        #expect(stream.immediateEvents == [.error(Failure())])
    }

    @Test func `a resource is disposed of when the subscription ends`() {
        let resource = BooleanDisposable()
        let stream = Observable<Int>.using({ resource }, observableFactory: { _ in .never() })
        let subscription = stream.subscribe()
        #expect(!resource.isDisposed)
        subscription.dispose()
        #expect(resource.isDisposed)
    }

    @Test func `a source is disposed of before the resource that it uses`() {
        var order: [String] = []
        func logged(_ name: String) -> CompositeDisposable {
            let resource = CompositeDisposable()
            _ = resource.insert(Disposables.create { order.append(name) })
            return resource
        }
        let stream = Observable<Int>.using(
            { logged("resource") },
            observableFactory: { _ in Observable.never().do(onDispose: { order.append("source") }) })
        stream.subscribe().dispose()
        #expect(order == ["source", "resource"])
        let failing = Observable<Int>.using(
            { logged("unused") }, observableFactory: { _ in throw RxError.unknown })
        _ = failing.subscribe()
        #expect(order == ["source", "resource", "unused"])
    }

    @Test func `a timer fires once or repeatedly`() {
        let scheduler = TestScheduler(initialClock: 0)
        #expect(
            scheduler.run { Observable<Int>.timer(.seconds(300), scheduler: scheduler) }
                == [.next(500, 0), .completed(500)])
        let other = TestScheduler(initialClock: 0)
        #expect(
            other.run { Observable<Int>.interval(.seconds(300), scheduler: other) }
                == [.next(500, 0), .next(800, 1)])
    }
}
