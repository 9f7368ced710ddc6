import RxCore
import StackTesting
import Testing

struct ErrorTests {
    private func failing(_ elements: Int...) -> Observable<Int> {
        Observable.from(elements).concat(Observable.error(Failure()))
    }

    @Test func `catch continues with another source after a failure`() {
        #expect(failing(1).catch { _ in .of(2, 3) }.immediateEvents == [.next(1), .next(2), .next(3), .completed])
        #expect(failing(1).catchAndReturn(9).immediateEvents == [.next(1), .next(9), .completed])
        #expect(Observable.of(1).catchAndReturn(9).immediateEvents == [.next(1), .completed])
    }

    @Test func `a failure of the second source, or of the closure, is not caught`() {
        let other = Failure(name: "other")
        #expect(failing(1).catch { _ in .error(other) }.immediateEvents == [.next(1), .error(other)])
        #expect(failing(1).catch { _ in throw other }.immediateEvents == [.next(1), .error(other)])
    }

    @Test func `retry subscribes the given number of times in all`() {
        #expect(failing(1).retry(3).immediateEvents == [.next(1), .next(1), .next(1), .error(Failure())])
    }

    @Test(.smallStack) func `retry repeats a source until it succeeds without growing the stack`() {
        var attempts = 0
        let stream = Observable<Int>.deferred {
            attempts += 1
            return attempts < 5000 ? .error(Failure()) : .just(attempts)
        }
        #expect(stream.retry().immediateEvents == [.next(5000), .completed])
    }

    @Test func `retry repeats a source when the trigger emits`() {
        let again = PublishSubject<Void>()
        var attempts = 0
        let recorder = Recorder<Int>()
        _ = Observable<Int>.deferred {
            attempts += 1
            return attempts < 3 ? self.failing(attempts) : .just(attempts)
        }
        .retry(when: { failures in failures.flatMap { _ in again } })
        .subscribe(recorder)
        #expect(recorder.elements == [1])
        again.onNext(())
        #expect(recorder.elements == [1, 2])
        again.onNext(())
        #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
    }
}
