import RxCore
import StackTesting
import Testing

struct FlatteningTests {
    private let outer = PublishSubject<Int>()
    private let inner = (0..<3).map { _ in PublishSubject<String>() }

    private func listen(to stream: Observable<String>) -> Recorder<String> {
        let recorder = Recorder<String>()
        _ = stream.subscribe(recorder)
        return recorder
    }

    @Test func `flatMap emits the elements of all inner sources`() {
        let recorder = listen(to: outer.flatMap { [inner] in inner[$0] })
        outer.onNext(0)
        outer.onNext(1)
        inner[0].onNext("a")
        inner[1].onNext("b")
        outer.onCompleted()
        inner[0].onCompleted()
        #expect(!recorder.hasCompleted)
        inner[1].onCompleted()
        #expect(recorder.elements == ["a", "b"])
        #expect(recorder.hasCompleted)
    }

    @Test func `flatMapLatest emits only the elements of the latest inner source`() {
        let recorder = listen(to: outer.flatMapLatest { [inner] in inner[$0] })
        outer.onNext(0)
        inner[0].onNext("a")
        outer.onNext(1)
        inner[0].onNext("lost")
        inner[1].onNext("b")
        #expect(!inner[0].hasObservers)
        outer.onCompleted()
        #expect(!recorder.hasCompleted)
        inner[1].onCompleted()
        #expect(recorder.elements == ["a", "b"])
        #expect(recorder.hasCompleted)
    }

    @Test func `flatMapFirst ignores other inner sources until the first one completes`() {
        let recorder = listen(to: outer.flatMapFirst { [inner] in inner[$0] })
        outer.onNext(0)
        outer.onNext(1)
        inner[0].onNext("a")
        inner[1].onNext("lost")
        inner[0].onCompleted()
        outer.onNext(2)
        inner[2].onNext("c")
        #expect(recorder.elements == ["a", "c"])
    }

    @Test func `a selector that sends to its own source keeps the order of RxSwift`() {
        func selector(_ number: Int) -> Observable<String> {
            if number == 0 { outer.onNext(1) }
            return inner[number].asObservable()
        }
        // The limit is checked before the selector runs, and the source counts only after that. So both are within it.
        let first = listen(to: outer.flatMapFirst(selector))
        outer.onNext(0)
        inner[1].onNext("b")
        inner[0].onNext("a")
        #expect(first.elements == ["b", "a"])
    }

    @Test func `a selector of concatMap that sends to its own source comes first`() {
        let recorder = listen(
            to: outer.concatMap { [inner, outer] number in
                if number == 0 { outer.onNext(1) }
                return inner[number]
            })
        outer.onNext(0)
        inner[1].onNext("lost")
        inner[0].onNext("a")
        inner[0].onCompleted()
        inner[1].onNext("b")
        #expect(recorder.elements == ["a", "b"])
    }

    @Test func `concatMap subscribes to inner sources one after another`() {
        let recorder = listen(to: outer.concatMap { [inner] in inner[$0].startWith("begin \($0)") })
        outer.onNext(0)
        outer.onNext(1)
        outer.onNext(2)
        inner[1].onNext("lost")
        inner[0].onNext("a")
        inner[0].onCompleted()
        inner[1].onNext("b")
        inner[1].onCompleted()
        outer.onCompleted()
        inner[2].onCompleted()
        #expect(recorder.elements == ["begin 0", "a", "begin 1", "b", "begin 2"])
        #expect(recorder.hasCompleted)
    }

    @Test func `merge limits the number of active inner sources`() {
        let recorder = listen(to: outer.map { [inner] in inner[$0].asObservable() }.merge(maxConcurrent: 2))
        for number in 0..<3 { outer.onNext(number) }
        inner[2].onNext("lost")
        inner[0].onCompleted()
        inner[2].onNext("c")
        inner[1].onNext("b")
        #expect(recorder.elements == ["c", "b"])
    }

    @Test(arguments: 0..<4)
    func `an inner source on the current thread starts after the inner stream is subscribed`(kind: Int) {
        let source = PublishSubject<Int>()
        let (small, large) = (Observable.of(1, 2), Observable.of(3, 4))
        let shared = small.share()
        let streams: [(stream: Observable<Int>, elements: [Int])] = [
            (.combineLatest(small, large) { $0 * 10 + $1 }, [13, 23, 24]), (.merge(small, large), [1, 3, 2, 4]),
            (small.withLatestFrom(large) { $0 * 10 + $1 }, [13, 24]), (.merge(shared, shared), [1, 1, 2, 2]),
        ]
        let (stream, elements) = streams[kind]
        let recorders = (0..<4).map { _ in Recorder<Int>() }
        _ = source.flatMap { _ in stream }.subscribe(recorders[0])
        _ = source.flatMapLatest { _ in stream }.subscribe(recorders[1])
        _ = source.concatMap { _ in stream }.subscribe(recorders[2])
        _ = source.flatMap { _ in Observable.deferred { stream.map { $0 } } }.subscribe(recorders[3])
        // Outside of any subscription, and so outside of its trampoline.
        source.onNext(0)
        for recorder in recorders { #expect(recorder.elements == elements) }
    }

    @Test func `an inner subject sends its elements to the end of the stream one after another`() {
        let (source, replay, recorder) = (PublishSubject<Int>(), ReplaySubject<Int>.createUnbounded(), Recorder<Int>())
        replay.onNext(1)
        replay.onNext(2)
        _ = source.flatMap { _ in replay }.flatMap { Observable.of($0, $0 * 10) }.subscribe(recorder)
        source.onNext(0)
        #expect(recorder.elements == [1, 10, 2, 20])
    }

    @Test(arguments: 0..<5)
    func `the sources of a subject's elements alternate behind an operator`(kind: Int) {
        let (source, replay, recorder) = (PublishSubject<Int>(), ReplaySubject<Int>.createUnbounded(), Recorder<Int>())
        replay.onNext(1)
        replay.onNext(2)
        func pair(_ number: Int) -> Observable<Int> { .of(number, number * 10) }
        let streams: [Observable<Int>] = [
            source.flatMap { _ in replay.map { $0 } }.flatMap(pair),
            source.flatMap { _ in replay.compactMap { $0 } }.flatMap(pair),
            source.flatMap { _ in replay.publisher.asObservable() }.flatMap(pair),
            source.flatMap { _ in replay.flatMap(pair) },
            source.flatMap { _ in replay.flatMapLatest(pair) },
        ]
        _ = streams[kind].subscribe(recorder)
        source.onNext(0)
        #expect(recorder.elements == (kind == 4 ? [2, 20] : [1, 2, 10, 20]))
    }

    @Test func `flatMapLatest of infallibles is an infallible`() {
        let recorder = Recorder<Int>()
        let latest: Infallible<Int> = Observable.of(1, 2).flatMapLatest { Infallible.of($0, $0 * 10) }
        _ = latest.bind(to: recorder)
        // The second source replaces the first one before that continues.
        #expect(recorder.events == [.next(1), .next(2), .next(20), .completed])
    }

    @Test func `an error of an inner source terminates the result`() {
        let recorder = listen(to: outer.flatMap { [inner] in inner[$0] })
        outer.onNext(0)
        outer.onNext(1)
        inner[0].onError(Failure())
        inner[1].onNext("lost")
        #expect(recorder.events == [.error(Failure())])
        #expect(!outer.hasObservers)
        #expect(!inner[1].hasObservers)
    }

    @Test(.smallStack) func `many inner sources that complete immediately do not grow the stack`() {
        let recorder = Recorder<Int>()
        _ = Observable.from(0..<5000).concatMap { Observable.just($0) }.takeLast(1).subscribe(recorder)
        #expect(recorder.events == [.next(4999), .completed])
    }

    @Test func `optional elements become observables as in the slides`() {
        let texts: Observable<String?> = .of("a", nil, "b")
        #expect(
            texts.flatMap { $0.map(Observable.just) ?? .empty() }.immediateEvents
                == [.next("a"), .next("b"), .completed])
    }

    @Test func `disposing of the subscription unsubscribes from all inner sources`() {
        let subscription = outer.flatMap { [inner] in inner[$0] }.subscribe()
        outer.onNext(0)
        outer.onNext(1)
        subscription.dispose()
        #expect(!outer.hasObservers)
        #expect(!inner[0].hasObservers)
        #expect(!inner[1].hasObservers)
    }
}
