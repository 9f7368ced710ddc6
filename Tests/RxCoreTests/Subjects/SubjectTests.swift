import RxCore
import Testing

struct SubjectTests {
    @Test func `a publish subject notifies current observers in the order of subscription`() {
        let subject = PublishSubject<Int>()
        subject.onNext(0)
        var order: [String] = []
        let bag = DisposeBag()
        for name in ["a", "b", "c", "d"] {
            subject.subscribe(onNext: { order.append("\(name)\($0)") }).disposed(by: bag)
        }
        subject.onNext(1)
        #expect(order == ["a1", "b1", "c1", "d1"])
        #expect(subject.hasObservers)
    }

    @Test func `a subject terminates once, and later observers receive its terminal event`() {
        let subject = PublishSubject<Int>()
        let recorder = Recorder<Int>()
        _ = subject.subscribe(recorder)
        subject.onNext(1)
        subject.onError(Failure())
        subject.onNext(2)
        subject.onCompleted()
        #expect(recorder.events == [.next(1), .error(Failure())])
        #expect(subject.immediateEvents == [.error(Failure())])
        #expect(!subject.hasObservers)
    }

    @Test func `a disposed subject sends nothing and fails for later observers`() {
        let subject = PublishSubject<Int>()
        let recorder = Recorder<Int>()
        _ = subject.subscribe(recorder)
        subject.dispose()
        subject.onNext(1)
        #expect(recorder.events.isEmpty)
        #expect(subject.isDisposed)
        guard case .error(RxError.disposed)? = subject.immediateEvents.first else {
            Issue.record("expected the failure of a disposed subject")
            return
        }
    }

    @Test func `a behavior subject begins with its value, and value() throws after a failure`() throws {
        let subject = BehaviorSubject(value: 1)
        #expect(try subject.value() == 1)
        let recorder = Recorder<Int>()
        _ = subject.subscribe(recorder)
        subject.onNext(2)
        #expect(try subject.value() == 2)
        subject.onError(Failure())
        #expect(recorder.events == [.next(1), .next(2), .error(Failure())])
        #expect(throws: Failure()) { try subject.value() }
        #expect(subject.immediateEvents == [.error(Failure())])
    }

    @Test func `a completed behavior subject keeps its value, a disposed one has none`() throws {
        let subject = BehaviorSubject(value: 1)
        subject.onCompleted()
        subject.onNext(2)
        #expect(try subject.value() == 1)
        #expect(subject.immediateEvents == [.completed])
        subject.dispose()
        #expect(throws: RxError.self) { try subject.value() }
    }

    @Test func `what an observer subscribes to during a replay starts immediately`() {
        let subject = BehaviorSubject(value: 1)
        var log: [Int] = []
        let observer: (Int) -> Void = { element in
            _ = Observable.of(element * 10, element * 100).subscribe(onNext: { log.append($0) })
            log.append(element)
        }
        _ = subject.subscribe(onNext: observer)
        // A stream starts with the rest of its chain.
        _ = subject.map { $0 + 1 }.subscribe(onNext: observer)
        #expect(log == [10, 100, 1, 2, 20, 200])
    }

    @Test func `a replay subject replays the last elements and the terminal event`() {
        let subject = ReplaySubject<Int>.create(bufferSize: 2)
        for number in 1...3 { subject.onNext(number) }
        #expect(subject.immediateEvents == [.next(2), .next(3)])
        subject.onCompleted()
        #expect(subject.immediateEvents == [.next(2), .next(3), .completed])
    }

    @Test func `elements sent during a replay follow it, once`() {
        let subject = ReplaySubject<Int>.createUnbounded()
        subject.onNext(1)
        subject.onNext(2)
        let recorder = Recorder<Int>()
        _ = subject.do(onNext: { if $0 == 1 { subject.onNext(3) } }).subscribe(recorder)
        subject.onNext(4)
        #expect(recorder.elements == [1, 2, 3, 4])
    }

    @Test func `a subject is an observable and an observer`() {
        let subject = PublishSubject<Int>()
        let stream: Observable<Int> = subject
        let recorder = Recorder<Int>()
        _ = stream.subscribe(recorder)
        _ = Observable.of(1, 2).bind(to: subject)
        #expect(recorder.events == [.next(1), .next(2), .completed])
    }

    @Test func `an observer that is disposed of during a delivery receives nothing more`() {
        let subject = PublishSubject<Int>()
        let recorder = Recorder<Int>()
        let second = SerialDisposable()
        _ = subject.subscribe(onNext: { _ in second.dispose() })
        second.disposable = subject.subscribe(recorder)
        subject.onNext(1)
        #expect(recorder.events.isEmpty)
    }

    @Test func `an async subject emits its last element on completion, also to later observers`() {
        let subject = AsyncSubject<Int>()
        let recorder = Recorder<Int>()
        _ = subject.subscribe(recorder)
        subject.onNext(1)
        subject.onNext(2)
        #expect(recorder.events.isEmpty)
        #expect(subject.hasObservers)
        subject.onCompleted()
        subject.onNext(3)
        #expect(recorder.events == [.next(2), .completed])
        #expect(subject.immediateEvents == [.next(2), .completed])
        #expect(!subject.hasObservers)
    }

    @Test func `a failed async subject emits only its error, and an empty one only its completion`() {
        let (failing, empty) = (AsyncSubject<Int>(), AsyncSubject<Int>())
        failing.onNext(1)
        failing.onError(Failure())
        #expect(failing.immediateEvents == [.error(Failure())])
        empty.onCompleted()
        #expect(empty.immediateEvents == [.completed])
    }

    @Test func `an observer that subscribes while an async subject emits also receives the element`() {
        let subject = AsyncSubject<Int>()
        let late = Recorder<Int>()
        _ = subject.subscribe(onNext: { _ in _ = subject.subscribe(late) })
        subject.onNext(1)
        subject.onCompleted()
        #expect(late.events == [.next(1), .completed])
    }

    @Test func `a disposed async subject fails for later observers`() {
        let subject = AsyncSubject<Int>()
        let recorder = Recorder<Int>()
        _ = subject.subscribe(recorder)
        subject.onNext(1)
        subject.dispose()
        subject.onCompleted()
        #expect(subject.isDisposed)
        #expect(recorder.events.isEmpty)
        guard case .error(RxError.disposed)? = subject.immediateEvents.first else {
            Issue.record("expected the failure of a disposed subject")
            return
        }
    }
}
