import RxCore
import Testing

struct CombiningTests {
    private let left = PublishSubject<Int>()
    private let right = PublishSubject<Int>()

    private func listen<Element>(to stream: Observable<Element>) -> Recorder<Element> {
        let recorder = Recorder<Element>()
        _ = stream.subscribe(recorder)
        return recorder
    }

    @Test func `the latest elements are combined once there are some of all`() {
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

    @Test func `a stream that ends without an element ends a zip, but not a combination of two`() {
        let empty = Observable<Int>.empty()
        #expect(Observable.combineLatest(empty, left) { $0 + $1 }.saidAtOnce == [])
        #expect(Observable.combineLatest([empty, left.asObservable()]) { $0[0] }.saidAtOnce == [.completed])
        #expect(Observable.zip(left, empty) { $0 + $1 }.saidAtOnce == [.completed])
        #expect(Observable.zip([left.asObservable(), empty]) { $0[0] }.saidAtOnce == [.completed])
    }

    @Test func `elements of the same place are zipped`() {
        let recorder = listen(to: Observable.zip(left, right) { $0 * 10 + $1 })
        left.onNext(1)
        left.onNext(2)
        right.onNext(3)
        right.onNext(4)
        right.onNext(5)
        left.onCompleted()
        #expect(recorder.elements == [13, 24])
        #expect(recorder.hasCompleted)
    }

    @Test func `up to eight streams are combined and zipped in their order`() {
        let s = (0..<8).map { Observable.just($0) }
        func number(_ digits: Int...) -> Int { digits.reduce(0) { $0 * 10 + $1 } }
        let all: Observable<Int> = .combineLatest(s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[0]) {
            number($0, $1, $2, $3, $4, $5, $6, $7)
        }
        #expect(all.saidAtOnce == [.next(12_345_670), .completed])
        let seven: Observable<Int> = .zip(s[1], s[2], s[3], s[4], s[5], s[6], s[7]) {
            number($0, $1, $2, $3, $4, $5, $6)
        }
        #expect(seven.saidAtOnce == [.next(1_234_567), .completed])
        let six: Observable<Int> = .combineLatest(s[1], s[2], s[3], s[4], s[5], s[6]) { number($0, $1, $2, $3, $4, $5) }
        #expect(six.saidAtOnce == [.next(123_456), .completed])
        let five: Observable<Int> = .zip(s[1], s[2], s[3], s[4], s[5]) { number($0, $1, $2, $3, $4) }
        #expect(five.saidAtOnce == [.next(12_345), .completed])
    }

    @Test func `without a closure streams are combined into tuples, or arrays`() {
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
        #expect(places.hasCompleted)
        #expect(!list.hasCompleted)
        right.onCompleted()
        #expect(list.hasCompleted)
    }

    @Test func `streams are merged and ended together`() {
        let recorder = listen(to: Observable.merge(left, right))
        left.onNext(1)
        right.onNext(2)
        left.onCompleted()
        #expect(!recorder.hasCompleted)
        right.onNext(3)
        right.onCompleted()
        #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
    }

    @Test func `one stream follows another, which is not heard before`() {
        let recorder = listen(to: left.concat(right))
        right.onNext(0)
        left.onNext(1)
        #expect(!right.hasObservers)
        left.onCompleted()
        right.onNext(2)
        right.onCompleted()
        #expect(recorder.events == [.next(1), .next(2), .completed])
        #expect(Observable.concat(.of(1), .of(2), .of(3)).saidAtOnce == [.next(1), .next(2), .next(3), .completed])
    }

    @Test func `many streams that end at once follow each other without growing the stack`() {
        let streams = (0..<50_000).map { Observable.just($0) }
        let recorder = listen(to: Observable.concat(streams).takeLast(1))
        #expect(recorder.events == [.next(49_999), .completed])
    }

    @Test func `given elements come first`() {
        #expect(Observable.of(3).startWith(1, 2).saidAtOnce == [.next(1), .next(2), .next(3), .completed])
    }

    @Test func `the first stream to say something wins`() {
        let recorder = listen(to: left.amb(right))
        right.onNext(1)
        left.onNext(2)
        #expect(!left.hasObservers)
        right.onNext(3)
        #expect(recorder.elements == [1, 3])
    }

    @Test func `an element meets the latest of the other stream`() {
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

    @Test func `a stream is sampled when there is something new`() {
        let recorder = listen(to: left.sample(right))
        right.onNext(0)
        left.onNext(1)
        left.onNext(2)
        right.onNext(0)
        right.onNext(0)
        left.onNext(3)
        right.onCompleted()
        #expect(recorder.events == [.next(2), .next(3), .completed])
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5])
    func `an error of either stream ends the combination and leaves the other`(kind: Int) {
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
