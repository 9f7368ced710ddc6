import RxCore
import Testing

struct SharingTests {
    private final class Source {
        var count = 0
        var subjects: [PublishSubject<Int>] = []
        lazy var stream = Observable<Int>.create { [unowned self] observer in
            count += 1
            let subject = PublishSubject<Int>()
            subjects.append(subject)
            return subject.subscribe(observer)
        }
    }

    private let source = Source()

    private func listen(to stream: Observable<Int>) -> (Recorder<Int>, any Disposable) {
        let recorder = Recorder<Int>()
        return (recorder, stream.subscribe(recorder))
    }

    @Test func `observers share one subscription from the first to the last`() {
        let shared = source.stream.share()
        let (one, first) = listen(to: shared)
        let (other, second) = listen(to: shared)
        source.subjects[0].onNext(1)
        #expect(source.count == 1)
        #expect((one.elements, other.elements) == ([1], [1]))
        first.dispose()
        #expect(source.subjects[0].hasObservers)
        second.dispose()
        #expect(!source.subjects[0].hasObservers)
        let (third, _) = listen(to: shared)
        source.subjects[1].onNext(2)
        #expect(source.count == 2)
        #expect(third.elements == [2])
    }

    @Test func `the last elements are replayed while there are observers`() {
        let shared = source.stream.share(replay: 1)
        let (_, first) = listen(to: shared)
        source.subjects[0].onNext(1)
        source.subjects[0].onNext(2)
        let (late, second) = listen(to: shared)
        #expect(late.elements == [2])
        first.dispose()
        second.dispose()
        let (later, _) = listen(to: shared)
        #expect(later.elements == [])
        #expect(source.count == 2)
    }

    @Test func `with the scope forever, the last elements outlive the observers`() {
        let shared = source.stream.share(replay: 1, scope: .forever)
        let (_, first) = listen(to: shared)
        source.subjects[0].onNext(1)
        first.dispose()
        let (late, _) = listen(to: shared)
        #expect(late.elements == [1])
        #expect(source.count == 2)
        source.subjects[1].onCompleted()
        let (later, _) = listen(to: shared)
        #expect(later.events == [.next(1), .completed])
        #expect(source.count == 2)
    }

    @Test func `an observer after the end starts a new subscription`() {
        let shared = source.stream.share(replay: 1)
        let (one, _) = listen(to: shared)
        source.subjects[0].onNext(1)
        source.subjects[0].onError(Failure())
        #expect(one.events == [.next(1), .error(Failure())])
        let (other, _) = listen(to: shared)
        source.subjects[1].onNext(2)
        #expect(other.elements == [2])
    }

    @Test func `an observer that subscribes again during the terminal event starts a new subscription`() throws {
        let (recorder, _) = listen(to: source.stream.share(replay: 1).retry(2))
        source.subjects[0].onNext(1)
        source.subjects[0].onError(Failure())
        try #require(source.count == 2)
        source.subjects[1].onNext(2)
        #expect(recorder.events == [.next(1), .next(2)])
    }

    @Test func `a source that fails immediately can be retried`() {
        var attempts = 0
        let shared = Observable<Int>.deferred {
            attempts += 1
            return attempts == 1 ? .error(Failure()) : .just(attempts)
        }.share(replay: 1)
        #expect(shared.retry(2).immediateEvents == [.next(2), .completed])
    }

    @Test func `the first observer receives the elements that a source emits during its subscription`() {
        #expect(Observable.of(1, 2).share(replay: 1).immediateEvents == [.next(1), .next(2), .completed])
        #expect(Observable.of(1, 2).share().immediateEvents == [.next(1), .next(2), .completed])
    }

    @Test func `a connectable observable subscribes when it is connected`() {
        let published = source.stream.publish()
        let (recorder, _) = listen(to: published)
        #expect(source.count == 0)
        let connection = published.connect()
        _ = published.connect()
        #expect(source.count == 1)
        source.subjects[0].onNext(1)
        connection.dispose()
        #expect(!source.subjects[0].hasObservers)
        #expect(recorder.elements == [1])
    }

    @Test func `a connectable observable replays`() {
        let replayed = source.stream.replay(2)
        _ = replayed.connect()
        for number in 1...3 { source.subjects[0].onNext(number) }
        #expect(listen(to: replayed).0.elements == [2, 3])
    }

    @Test func `an observable can be shared through a custom subject`() {
        let subject = PublishSubject<Int>()
        let multicast = source.stream.multicast(subject)
        let (recorder, _) = listen(to: subject)
        _ = multicast.connect()
        source.subjects[0].onNext(1)
        #expect(recorder.elements == [1])
    }

    @Test func `a subject may be of any type, with elements of another type`() {
        let recorder = Recorder<String>()
        let shared = source.stream.multicast(TextSubject())
        _ = shared.subscribe(recorder)
        _ = shared.connect()
        source.subjects[0].onNext(1)
        source.subjects[0].onCompleted()
        #expect(recorder.events == [.next("number 1"), .completed])
        var made = 0
        let counted = source.stream.multicast(makeSubject: { () -> TextSubject in
            made += 1
            return TextSubject()
        }).refCount()
        counted.subscribe().dispose()
        counted.subscribe().dispose()
        #expect(made == 2)
    }

    private struct TextSubject: SubjectType {
        typealias Element = String

        private let texts = PublishSubject<String>()

        func asObserver() -> AnyObserver<Int> { texts.mapObserver { "number \($0)" } }

        func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
        where Observer.Element == String {
            texts.subscribe(observer)
        }
    }
}
