import RxCore
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
            ]
        }
    }

    private func run(_ spelling: any Spelling) -> [[Event<Int>]] {
        spelling.run()
    }

    @Test func `operators have their former names, too`() {
        let all: [Event<Int>] = [.next(1), .next(2), .next(3), .completed]
        #expect(
            run(Former()) == [
                all, all, [.next(1), .completed], [.next(1), .completed], [], [.completed], [.next(1), .completed],
                [], [.next(2), .next(3), .completed], [.next(2), .completed],
            ])
    }
}
