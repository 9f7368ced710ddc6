import Dispatch
import RxCore
import RxTesting
import StackTesting
import Testing

struct CombiningTests {
    private let left = PublishSubject<Int>()
    private let right = PublishSubject<Int>()

    private func listen<Element>(to stream: Observable<Element>) -> Recorder<Element> {
        let recorder = Recorder<Element>()
        _ = stream.subscribe(recorder)
        return recorder
    }

    @Test func `the latest elements are combined once every source has emitted`() {
        let recorder = listen(to: Observable.combineLatest(left, right) { $0 * 10 + $1 })
        left.onNext(1)
        left.onNext(2)
        #expect(recorder.events == [])
        right.onNext(3)
        left.onNext(4)
        left.onCompleted()
        right.onNext(5)
        right.onCompleted()
        #expect(recorder.events == [.next(23), .next(43), .next(45), .completed])
    }

    @Test func `a source that completes without an element does not terminate the result by itself`() {
        let empty = Observable<Int>.empty()
        let combined = listen(to: Observable.combineLatest(empty, left) { $0 + $1 })
        let collected = listen(to: Observable.combineLatest([empty, left.asObservable()]) { $0[0] })
        let zipped = listen(to: Observable.zip(left, empty) { $0 + $1 })
        let zippedCollection = listen(to: Observable.zip([left.asObservable(), empty]) { $0[0] })
        for recorder in [combined, collected, zipped, zippedCollection] { #expect(recorder.events == []) }
        left.onNext(1)
        // No pair is possible any more. Only the `zip` of two to eight sources ignores that.
        #expect(combined.events == [.completed])
        #expect(collected.events == [.completed])
        #expect(zipped.events == [])
        #expect(zippedCollection.events == [.completed])
        left.onCompleted()
        #expect(zipped.events == [.completed])
        let never = Observable<Int>.never()
        #expect(Observable.zip(empty, never) { $0 + $1 }.immediateEvents == [])
        #expect(Observable.combineLatest(empty, never) { $0 + $1 }.immediateEvents == [])
    }

    @Test func `an empty collection of sources completes, after the combination of no elements`() {
        #expect(Observable.zip([Observable<Int>]()) { $0.count }.immediateEvents == [.completed])
        #expect(Observable.combineLatest([Observable<Int>]()) { $0.count }.immediateEvents == [.next(0), .completed])
        #expect(Observable.combineLatest([Observable<Int>]()).immediateEvents == [.next([]), .completed])
        let failing = Observable<Int>.combineLatest([Observable<Int>]()) { _ in throw Failure() }
        #expect(failing.immediateEvents == [.error(Failure())])
        let infallible = Infallible.combineLatest([Infallible<Int>]()) { $0.count }
        #expect(infallible.asObservable().immediateEvents == [.next(0), .completed])
    }

    @Test func `elements at the same position are zipped`() {
        let recorder = listen(to: Observable.zip(left, right) { $0 * 10 + $1 })
        left.onNext(1)
        left.onNext(2)
        right.onNext(3)
        right.onNext(4)
        right.onNext(5)
        left.onCompleted()
        #expect(recorder.elements == [13, 24])
        #expect(!recorder.hasCompleted)
        right.onCompleted()
        #expect(recorder.hasCompleted)
    }

    @Test func `up to eight sources are combined and zipped in order`() {
        let s = (0..<8).map { Observable.just($0) }
        func number(_ digits: Int...) -> Int { digits.reduce(0) { $0 * 10 + $1 } }
        let all: Observable<Int> = .combineLatest(s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[0]) {
            number($0, $1, $2, $3, $4, $5, $6, $7)
        }
        #expect(all.immediateEvents == [.next(12_345_670), .completed])
        let seven: Observable<Int> = .zip(s[1], s[2], s[3], s[4], s[5], s[6], s[7]) {
            number($0, $1, $2, $3, $4, $5, $6)
        }
        #expect(seven.immediateEvents == [.next(1_234_567), .completed])
        let six: Observable<Int> = .combineLatest(s[1], s[2], s[3], s[4], s[5], s[6]) { number($0, $1, $2, $3, $4, $5) }
        #expect(six.immediateEvents == [.next(123_456), .completed])
        let five: Observable<Int> = .zip(s[1], s[2], s[3], s[4], s[5]) { number($0, $1, $2, $3, $4) }
        #expect(five.immediateEvents == [.next(12_345), .completed])
    }

    @Test func `without a closure, sources are combined into tuples or arrays`() {
        let pair = listen(to: Observable.combineLatest(left, right))
        let list = listen(to: Observable.combineLatest([left, right]))
        let places = listen(to: Observable.zip([left, right]))
        left.onNext(1)
        right.onNext(2)
        right.onNext(3)
        #expect(pair.elements.map { [$0.0, $0.1] } == [[1, 2], [1, 3]])
        #expect(list.elements == [[1, 2], [1, 3]])
        #expect(places.elements == [[1, 2]])
        left.onCompleted()
        #expect(!places.hasCompleted)
        #expect(!list.hasCompleted)
        right.onCompleted()
        #expect(places.hasCompleted)
        #expect(list.hasCompleted)
    }

    @Test func `merged sources complete together`() {
        let recorder = listen(to: Observable.merge(left, right))
        left.onNext(1)
        right.onNext(2)
        left.onCompleted()
        #expect(!recorder.hasCompleted)
        right.onNext(3)
        right.onCompleted()
        #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
    }

    @Test func `a concatenated source is subscribed to only after the previous one`() {
        let recorder = listen(to: left.concat(right))
        right.onNext(0)
        left.onNext(1)
        #expect(!right.hasObservers)
        left.onCompleted()
        right.onNext(2)
        right.onCompleted()
        #expect(recorder.events == [.next(1), .next(2), .completed])
        #expect(
            Observable.concat(.of(1), .of(2), .of(3)).immediateEvents == [.next(1), .next(2), .next(3), .completed])
    }

    @Test(.smallStack) func `many sources that complete immediately are concatenated without growing the stack`() {
        let streams = (0..<5000).map { Observable.just($0) }
        let recorder = listen(to: Observable.concat(streams).takeLast(1))
        #expect(recorder.events == [.next(4999), .completed])
    }

    @Test func `startWith emits its elements first`() {
        #expect(Observable.of(3).startWith(1, 2).immediateEvents == [.next(1), .next(2), .next(3), .completed])
    }

    @Test func `amb follows the source that emits first`() {
        let recorder = listen(to: left.amb(right))
        right.onNext(1)
        left.onNext(2)
        #expect(!left.hasObservers)
        right.onNext(3)
        #expect(recorder.elements == [1, 3])
    }

    @Test func `an element is combined with the latest one of the other source`() {
        let recorder = listen(to: left.withLatestFrom(right) { $0 * 10 + $1 })
        let plain = listen(to: left.withLatestFrom(right))
        left.onNext(1)
        right.onNext(2)
        right.onNext(3)
        left.onNext(4)
        right.onCompleted()
        left.onNext(5)
        left.onCompleted()
        #expect(recorder.events == [.next(43), .next(53), .completed])
        #expect(plain.elements == [3, 3])
    }

    @Test func `sample emits only if there is a new element`() {
        let recorder = listen(to: left.sample(right))
        right.onNext(0)
        left.onNext(1)
        left.onNext(2)
        right.onNext(0)
        right.onNext(0)
        left.onNext(3)
        right.onCompleted()
        left.onNext(4)
        left.onCompleted()
        #expect(recorder.events == [.next(2), .next(3)])
    }

    @Test func `a sampled source completes at the first sample after its completion, or fails`() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(220, 1), .next(240, 2), .next(360, 3), .completed(400)])
        let sampler = scheduler.createHotObservable([.next(230, 0), .next(320, 0), .completed(500)])
        #expect(
            scheduler.run { source.sample(sampler) }
                == [.next(230, 1), .next(320, 2), .next(500, 3), .completed(500)])
        let recorder = listen(to: left.sample(right))
        right.onCompleted()
        left.onError(Failure())
        #expect(recorder.events == [.error(Failure())])
    }

    @Test(arguments: 0..<12)
    func `a source after one that has failed is subscribed to and disposed of`(kind: Int) {
        var log: [String] = []
        let failing = Observable<Int>.error(Failure())
        let late = Observable<Int>.never().do(
            onSubscribe: { log.append("subscribed") }, onDispose: { log.append("disposed") })
        let streams: [Observable<Int>] = [
            .combineLatest(failing, late) { $0 + $1 }, .zip(failing, late) { $0 + $1 }, .merge(failing, late),
            .zip([failing, late]) { $0[0] }, late.withLatestFrom(failing), failing.sample(late),
            late.take(until: failing), failing.skip(until: late), failing.amb(late),
            .merge(failing, late.catchAndReturn(0)), .merge(failing, late.concat(late)),
            .merge(failing, late.retry(when: { $0 })),
        ]
        #expect(streams[kind].immediateEvents == [.error(Failure())])
        #expect(log == ["subscribed", "disposed"])
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5])
    func `an error of either source terminates the result and unsubscribes from the other`(kind: Int) {
        let streams: [Observable<Int>] = [
            .combineLatest(left, right) { $0 + $1 }, .zip(left, right) { $0 + $1 }, .merge(left, right),
            left.withLatestFrom(right), left.sample(right), .combineLatest([left, right]) { $0[0] + $0[1] },
        ]
        let recorder = listen(to: streams[kind])
        right.onError(Failure())
        #expect(recorder.events == [.error(Failure())])
        #expect(!left.hasObservers)
    }
}
