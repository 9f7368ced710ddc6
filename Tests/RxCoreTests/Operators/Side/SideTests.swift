import RxCore
import Testing

struct SideTests {
    @Test func `the closures run before and after each event`() {
        var log: [String] = []
        let stream = Observable.of(1).do(
            onNext: { log.append("next \($0)") }, afterNext: { log.append("after \($0)") },
            onCompleted: { log.append("completed") }, afterCompleted: { log.append("after completed") },
            onSubscribe: { log.append("subscribe") }, onSubscribed: { log.append("subscribed") },
            onDispose: { log.append("dispose") })
        _ = stream.subscribe(onNext: { log.append("received \($0)") })
        #expect(
            log == [
                "subscribe", "subscribed", "next 1", "received 1", "after 1", "completed", "after completed", "dispose",
            ])
    }

    @Test func `a closure that throws terminates the observable`() {
        let stream = Observable.of(1, 2).do(onNext: { if $0 == 2 { throw Failure() } })
        #expect(stream.immediateEvents == [.next(1), .error(Failure())])
    }

    @Test func `onDispose runs once`() {
        var count = 0
        let subscription = Observable<Int>.never().do(onDispose: { count += 1 }).subscribe()
        subscription.dispose()
        subscription.dispose()
        #expect(count == 1)
    }
}

struct UnretainedTests {
    private final class Object {}

    @Test func `an unretained object completes the observable when it is deallocated`() {
        let subject = PublishSubject<Int>()
        let recorder = Recorder<Int>()
        var object: Object? = Object()
        weak let kept = object
        _ = subject.withUnretained(object ?? Object()).map { $1 }.subscribe(recorder)
        subject.onNext(1)
        object = nil
        #expect(kept == nil)
        subject.onNext(2)
        #expect(recorder.events == [.next(1), .completed])
        #expect(!subject.hasObservers)
    }
}
