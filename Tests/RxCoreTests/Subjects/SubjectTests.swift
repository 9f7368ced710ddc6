import RxCore
import Testing

struct SubjectTests {
    @Test func `a publish subject tells only who is there, in the order of subscription`() {
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

    @Test func `the end of a subject is for good, and told to who comes late`() {
        let subject = PublishSubject<Int>()
        let recorder = Recorder<Int>()
        _ = subject.subscribe(recorder)
        subject.onNext(1)
        subject.onError(Failure())
        subject.onNext(2)
        subject.onCompleted()
        #expect(recorder.events == [.next(1), .error(Failure())])
        #expect(subject.saidAtOnce == [.error(Failure())])
        #expect(!subject.hasObservers)
    }

    @Test func `a subject that was disposed of fails who comes and tells nobody anything`() {
        let subject = PublishSubject<Int>()
        let recorder = Recorder<Int>()
        _ = subject.subscribe(recorder)
        subject.dispose()
        subject.onNext(1)
        #expect(recorder.events.isEmpty)
        #expect(subject.isDisposed)
        guard case .error(RxError.disposed)? = subject.saidAtOnce.first else {
            Issue.record("expected the failure of a disposed subject")
            return
        }
    }

    @Test func `a behavior subject starts off with its value, which throws after a failure`() throws {
        let subject = BehaviorSubject(value: 1)
        #expect(try subject.value() == 1)
        let recorder = Recorder<Int>()
        _ = subject.subscribe(recorder)
        subject.onNext(2)
        #expect(try subject.value() == 2)
        subject.onError(Failure())
        #expect(recorder.events == [.next(1), .next(2), .error(Failure())])
        #expect(throws: Failure()) { try subject.value() }
        #expect(subject.saidAtOnce == [.error(Failure())])
    }

    @Test func `a behavior subject that completed keeps its value, one that was disposed of has none`() throws {
        let subject = BehaviorSubject(value: 1)
        subject.onCompleted()
        subject.onNext(2)
        #expect(try subject.value() == 1)
        #expect(subject.saidAtOnce == [.completed])
        subject.dispose()
        #expect(throws: RxError.self) { try subject.value() }
    }

    @Test func `a replay subject starts off with the last elements and the end`() {
        let subject = ReplaySubject<Int>.create(bufferSize: 2)
        for number in 1...3 { subject.onNext(number) }
        #expect(subject.saidAtOnce == [.next(2), .next(3)])
        subject.onCompleted()
        #expect(subject.saidAtOnce == [.next(2), .next(3), .completed])
    }

    @Test func `what is sent while a replay goes on comes behind it, once`() {
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

    @Test func `who cancels during a delivery gets nothing more`() {
        let subject = PublishSubject<Int>()
        let recorder = Recorder<Int>()
        let second = SerialDisposable()
        _ = subject.subscribe(onNext: { _ in second.dispose() })
        second.disposable = subject.subscribe(recorder)
        subject.onNext(1)
        #expect(recorder.events.isEmpty)
    }

    @Test func `an async subject tells its last element when it completes, also to who comes late`() {
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
        #expect(subject.saidAtOnce == [.next(2), .completed])
        #expect(!subject.hasObservers)
    }

    @Test func `an async subject that fails tells the error only, one without elements its end only`() {
        let (failing, empty) = (AsyncSubject<Int>(), AsyncSubject<Int>())
        failing.onNext(1)
        failing.onError(Failure())
        #expect(failing.saidAtOnce == [.error(Failure())])
        empty.onCompleted()
        #expect(empty.saidAtOnce == [.completed])
    }

    @Test func `an observer that comes while an async subject tells its element gets it, too`() {
        let subject = AsyncSubject<Int>()
        let late = Recorder<Int>()
        _ = subject.subscribe(onNext: { _ in _ = subject.subscribe(late) })
        subject.onNext(1)
        subject.onCompleted()
        #expect(late.events == [.next(1), .completed])
    }

    @Test func `an async subject that was disposed of fails who comes`() {
        let subject = AsyncSubject<Int>()
        let recorder = Recorder<Int>()
        _ = subject.subscribe(recorder)
        subject.onNext(1)
        subject.dispose()
        subject.onCompleted()
        #expect(subject.isDisposed)
        #expect(recorder.events.isEmpty)
        guard case .error(RxError.disposed)? = subject.saidAtOnce.first else {
            Issue.record("expected the failure of a disposed subject")
            return
        }
    }
}
