import RxCore
import Testing

struct SideTests {
    @Test func `the closures run on the way, before and after`() {
        var said: [String] = []
        let stream = Observable.of(1).do(
            onNext: { said.append("next \($0)") }, afterNext: { said.append("after \($0)") },
            onCompleted: { said.append("completed") }, afterCompleted: { said.append("after completed") },
            onSubscribe: { said.append("subscribe") }, onSubscribed: { said.append("subscribed") },
            onDispose: { said.append("dispose") })
        _ = stream.subscribe(onNext: { said.append("told \($0)") })
        #expect(
            said == [
                "subscribe", "subscribed", "next 1", "told 1", "after 1", "completed", "after completed", "dispose",
            ])
    }

    @Test func `a closure that throws ends the stream`() {
        let stream = Observable.of(1, 2).do(onNext: { if $0 == 2 { throw Failure() } })
        #expect(stream.saidAtOnce == [.next(1), .error(Failure())])
    }

    @Test func `disposing runs the closure once`() {
        var count = 0
        let subscription = Observable<Int>.never().do(onDispose: { count += 1 }).subscribe()
        subscription.dispose()
        subscription.dispose()
        #expect(count == 1)
    }
}

struct UnretainedTests {
    private final class Object {}

    @Test func `an object that comes along is not retained, and its end is the stream's`() {
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
