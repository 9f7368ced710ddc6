import RxCore
import Testing

struct SubscribingTests {
    @Test func `the closures are told what there is to tell, and the end of it`() {
        var said: [String] = []
        func listen(to stream: Observable<Int>) -> any Disposable {
            stream.subscribe(
                onNext: { said.append("next \($0)") }, onError: { said.append("error \($0)") },
                onCompleted: { said.append("completed") }, onDisposed: { said.append("disposed") })
        }
        _ = listen(to: .of(1, 2))
        #expect(said == ["next 1", "next 2", "completed", "disposed"])
        said = []
        _ = listen(to: .error(Failure()))
        #expect(said == ["error Failure(name: \"failure\")", "disposed"])
        said = []
        let subscription = listen(to: .never())
        subscription.dispose()
        subscription.dispose()
        #expect(said == ["disposed"])
    }

    @Test func `an object that closures get is not kept alive`() {
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

    @Test func `letting go of a subscription does not end it`() {
        let subject = PublishSubject<Int>()
        let recorder = Recorder<Int>()
        _ = subject.subscribe(recorder)
        subject.onNext(1)
        #expect(recorder.elements == [1])
    }

    @Test func `a created stream serves each observer and is cleaned up after the end`() {
        var (begun, ended) = (0, 0)
        let stream = Observable<Int>.create { observer in
            begun += 1
            observer.onNext(begun)
            observer.onCompleted()
            observer.onNext(99)
            return Disposables.create { ended += 1 }
        }
        #expect(stream.saidAtOnce == [.next(1), .completed])
        #expect(stream.saidAtOnce == [.next(2), .completed])
        #expect((begun, ended) == (2, 2))
    }

    @Test func `what a created stream says after the subscription is over goes nowhere`() {
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

    @Test func `a type of one's own can be an observable`() {
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
        #expect(Pair().map { $0 * 10 }.saidAtOnce == [.next(10), .next(20), .completed])
    }
}
