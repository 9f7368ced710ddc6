import RxCore
import Testing

struct SubscribingTests {
    @Test func `the closures receive each event and the end of the subscription`() {
        var log: [String] = []
        func listen(to stream: Observable<Int>) -> any Disposable {
            stream.subscribe(
                onNext: { log.append("next \($0)") }, onError: { log.append("error \($0)") },
                onCompleted: { log.append("completed") }, onDisposed: { log.append("disposed") })
        }
        _ = listen(to: .of(1, 2))
        #expect(log == ["next 1", "next 2", "completed", "disposed"])
        log = []
        _ = listen(to: .error(Failure()))
        #expect(log == ["error Failure(name: \"failure\")", "disposed"])
        log = []
        let subscription = listen(to: .never())
        subscription.dispose()
        subscription.dispose()
        #expect(log == ["disposed"])
    }

    @Test func `an object passed to closures is not retained`() {
        final class Label { var text = "" }
        let subject = PublishSubject<String>()
        var label: Label? = Label()
        weak let kept = label
        let subscription = subject.subscribe(with: label ?? Label(), onNext: { $0.text = $1 })
        subject.onNext("a")
        #expect(label?.text == "a")
        label = nil
        #expect(kept == nil)
        subject.onNext("b")
        subscription.dispose()
    }

    @Test func `releasing a subscription does not end it`() {
        let subject = PublishSubject<Int>()
        let recorder = Recorder<Int>()
        _ = subject.subscribe(recorder)
        subject.onNext(1)
        #expect(recorder.elements == [1])
    }

    @Test func `a created observable calls its closure for each observer and cleans up at the end`() {
        var (begun, ended) = (0, 0)
        let stream = Observable<Int>.create { observer in
            begun += 1
            observer.onNext(begun)
            observer.onCompleted()
            observer.onNext(99)
            return Disposables.create { ended += 1 }
        }
        #expect(stream.immediateEvents == [.next(1), .completed])
        #expect(stream.immediateEvents == [.next(2), .completed])
        #expect((begun, ended) == (2, 2))
    }

    @Test func `events of a created observable after the end of the subscription are dropped`() {
        var observer: AnyObserver<Int>?
        let stream = Observable<Int>.create {
            observer = $0
            return Disposables.create()
        }
        let recorder = Recorder<Int>()
        let subscription = stream.subscribe(recorder)
        observer?.onNext(1)
        subscription.dispose()
        observer?.onNext(2)
        observer?.onCompleted()
        #expect(recorder.events == [.next(1)])
    }

    @Test func `a custom type can be an observable`() {
        struct Pair: ObservableType {
            typealias Element = Int

            func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
            where Observer.Element == Int {
                observer.onNext(1)
                observer.onNext(2)
                observer.onCompleted()
                return Disposables.create()
            }
        }
        #expect(Pair().map { $0 * 10 }.immediateEvents == [.next(10), .next(20), .completed])
    }
}
