import Dispatch
import RxCore
import RxTesting
import Testing

/// The former names have the behavior of the current ones. Calls through a protocol avoid the deprecation warnings.
struct FormerNamesTests {
    private protocol Spelling {
        func run() -> [[Event<Int>]]
    }

    private struct Former: Spelling {
        @available(*, deprecated)
        func run() -> [[Event<Int>]] {
            let (numbers, failing) = (Observable.of(1, 2, 3), Observable<Int>.error(Failure()))
            return [
                numbers.observeOn(CurrentThreadScheduler.instance).immediateEvents,
                numbers.subscribeOn(CurrentThreadScheduler.instance).immediateEvents,
                failing.catchError { _ in .just(1) }.immediateEvents,
                failing.catchErrorJustReturn(1).immediateEvents,
                Observable.catchError([failing, numbers]).immediateEvents,
                failing.retryWhen { $0.flatMap { _ in Observable<Int>.empty() }.take(1) }.immediateEvents,
                numbers.takeUntil(Observable.just(0)).immediateEvents,
                numbers.takeWhile { $0 < 2 }.immediateEvents,
                numbers.skipUntil(Observable<Int>.never()).immediateEvents,
                numbers.skipWhile { $0 < 2 }.immediateEvents,
                numbers.elementAt(1).immediateEvents,
                numbers.takeUntil(.inclusive) { $0 == 2 }.immediateEvents,
                numbers.take(.never, scheduler: TestScheduler(initialClock: 0)).immediateEvents,
                Single.just(1).observeOn(CurrentThreadScheduler.instance).immediateEvents,
                Maybe.just(1).subscribeOn(CurrentThreadScheduler.instance).immediateEvents,
                failing.asSingle().catchError { _ in .just(1) }.immediateEvents,
                failing.asSingle().catchErrorJustReturn(1).immediateEvents,
                failing.asMaybe().catchErrorJustReturn(1).immediateEvents,
                failing.asMaybe().retryWhen { $0.flatMap { _ in Observable<Int>.empty() }.take(1) }.immediateEvents,
                outcome(of: .just(1)), outcome(of: failing.asSingle()),
            ]
        }

        @available(*, deprecated)
        private func outcome(of single: Single<Int>) -> [Event<Int>] {
            let recorder = Recorder<Int>()
            _ = single.subscribe(onSuccess: recorder.onNext, onError: recorder.onError)
            return recorder.events
        }
    }

    private func run(_ spelling: any Spelling) -> [[Event<Int>]] {
        spelling.run()
    }

    @Test func `operators also have their former names`() {
        let all: [Event<Int>] = [.next(1), .next(2), .next(3), .completed]
        let one: [Event<Int>] = [.next(1), .completed]
        #expect(
            run(Former()) == [
                all, all, one, one, all, [], [.completed], one, [], [.next(2), .next(3), .completed],
                [.next(2), .completed], [.next(1), .next(2), .completed], all, one, one, one, one, one, [], [.next(1)],
                [.error(Failure())],
            ])
    }
}
