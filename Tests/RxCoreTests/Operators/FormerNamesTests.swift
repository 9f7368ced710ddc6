import Dispatch
import RxCore
import RxTesting
import Testing

/// The former names mean what the present ones do. Through a protocol the test can call them without their warnings.
struct FormerNamesTests {
    private protocol Spelling {
        func run() -> [[Event<Int>]]
    }

    private struct Former: Spelling {
        @available(*, deprecated)
        func run() -> [[Event<Int>]] {
            let (numbers, failing) = (Observable.of(1, 2, 3), Observable<Int>.error(Failure()))
            return [
                numbers.observeOn(CurrentThreadScheduler.instance).saidAtOnce,
                numbers.subscribeOn(CurrentThreadScheduler.instance).saidAtOnce,
                failing.catchError { _ in .just(1) }.saidAtOnce,
                failing.catchErrorJustReturn(1).saidAtOnce,
                failing.retryWhen { $0.flatMap { _ in Observable<Int>.empty() }.take(1) }.saidAtOnce,
                numbers.takeUntil(Observable.just(0)).saidAtOnce,
                numbers.takeWhile { $0 < 2 }.saidAtOnce,
                numbers.skipUntil(Observable<Int>.never()).saidAtOnce,
                numbers.skipWhile { $0 < 2 }.saidAtOnce,
                numbers.elementAt(1).saidAtOnce,
                numbers.takeUntil(.inclusive) { $0 == 2 }.saidAtOnce,
                numbers.take(.never, scheduler: TestScheduler(initialClock: 0)).saidAtOnce,
                Single.just(1).observeOn(CurrentThreadScheduler.instance).saidAtOnce,
                Maybe.just(1).subscribeOn(CurrentThreadScheduler.instance).saidAtOnce,
                failing.asSingle().catchError { _ in .just(1) }.saidAtOnce,
                failing.asSingle().catchErrorJustReturn(1).saidAtOnce,
                failing.asMaybe().catchErrorJustReturn(1).saidAtOnce,
                failing.asMaybe().retryWhen { $0.flatMap { _ in Observable<Int>.empty() }.take(1) }.saidAtOnce,
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

    @Test func `operators have their former names, too`() {
        let all: [Event<Int>] = [.next(1), .next(2), .next(3), .completed]
        let one: [Event<Int>] = [.next(1), .completed]
        #expect(
            run(Former()) == [
                all, all, [.next(1), .completed], [.next(1), .completed], [], [.completed], [.next(1), .completed],
                [], [.next(2), .next(3), .completed], [.next(2), .completed], [.next(1), .next(2), .completed], all,
                one, one, one, one, one, [], [.next(1)], [.error(Failure())],
            ])
    }
}
