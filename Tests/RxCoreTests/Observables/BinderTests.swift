import CombineCore
import Foundation
import RxCore
import Testing

struct BinderTests {
    private final class Label: ReactiveCompatible {
        var text = ""
    }

    @Test func `a property of the namespace is assigned on the session's loop until the object is deallocated`() {
        let main = FakeMain()
        let source = PublishSubject<String>()
        var label: Label? = Label()
        weak let kept = label
        let subscription = MainContext.with(main.box) {
            label.map { source.bind(to: $0.rx.text) } ?? Disposables.create()
        }
        MainContext.with(main.box) { source.onNext("a") }
        #expect(label?.text == "a")
        label = nil
        #expect(kept == nil)
        MainContext.with(main.box) { source.onNext("b") }
        subscription.dispose()
    }

    @Test func `a binder ignores terminal events`() {
        let main = FakeMain()
        let label = Label()
        MainContext.with(main.box) {
            let binder = Binder(label) { $0.text = $1 }
            binder.onNext("a")
            binder.onError(Failure())
            binder.onCompleted()
            binder.onNext("b")
        }
        #expect(label.text == "b")
    }
}

@Suite struct AsyncBridgeTests {
    @Test func `the asynchronous sequence has the elements and the error of the observable`() async {
        var elements: [Int] = []
        await #expect(throws: Failure.self) {
            for try await element in Observable.of(1, 2).concat(Observable.error(Failure())).values {
                elements.append(element)
            }
        }
        #expect(elements == [1, 2])
    }

    @Test func `traits have asynchronous values`() async throws {
        #expect(try await Single.just(1).value == 1)
        #expect(try await Maybe<Int>.empty().value == nil)
        try await Completable.empty().value
        await #expect(throws: Failure.self) { try await Completable.error(Failure()).value }
    }

    @Test func `a sequence is iterated over for each observer, and its task ends with the subscription`() async {
        let sequence = AsyncStream<Int> { continuation in
            continuation.yield(1)
            continuation.yield(2)
            continuation.finish()
        }
        let (done, recorder) = (Signal(), Recorder<Int>())
        _ = sequence.asObservable().subscribe { event in
            recorder.on(event)
            if event.isStopEvent { done.signal() }
        }
        await done.wait()
        #expect(recorder.events == [.next(1), .next(2), .completed])
    }

    @Test(arguments: [true, false])
    func `the task of a sequence has a priority`(isDetached: Bool) async {
        let sequence = AsyncStream { Task.currentPriority }
        let (done, recorder) = (Signal(), Recorder<TaskPriority>())
        _ = sequence.asObservable(detached: isDetached, priority: .high).take(1).subscribe { event in
            recorder.on(event)
            if event.isStopEvent { done.signal() }
        }
        await done.wait()
        #expect(recorder.events == [.next(.high), .completed])
    }

    @Test func `ending the iteration disposes of the subscription`() async throws {
        let source = PublishSubject<Int>()
        let values = source.values
        #expect(source.hasObservers)
        source.onNext(1)
        for try await element in values {
            #expect(element == 1)
            break
        }
        withExtendedLifetime(values) {}
    }

    @Test func `actions run as operations`() async {
        let queue = OperationQueue()
        let done = Signal()
        let scheduler = OperationQueueScheduler(operationQueue: queue)
        _ = scheduler.schedule(()) {
            done.signal()
            return Disposables.create()
        }
        await done.wait()
    }
}
