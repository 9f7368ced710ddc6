import Dispatch
import FoundationEssentials
import RxCore
import RxTesting
import Testing

struct PeriodicActionTests {
    private let scheduler = TestScheduler(initialClock: 0)

    /// The times of the first ticks of an interval of 50 on a scheduler with a real clock. The observer takes the given time
    /// for each of them.
    private func times(ofTicksTaking durations: [TestTime]) -> [TestTime] {
        let scheduler = TestScheduler(initialClock: 0)
        let ticks = Observable<Int>.interval(.seconds(50), scheduler: RealScheduler(scheduler: scheduler))
        var times: [TestTime] = []
        _ = ticks.take(durations.count).subscribe(onNext: { number in
            times.append(scheduler.clock)
            scheduler.sleep(durations[number])
        })
        scheduler.start()
        return times
    }

    /// Forwards to a virtual scheduler, but is not known to be one.
    private struct RealScheduler: SchedulerType {
        let scheduler: TestScheduler

        var now: RxTime { scheduler.now }

        func schedule<State>(_ state: State, action: @escaping (State) -> any Disposable) -> any Disposable {
            scheduler.schedule(state, action: action)
        }

        func scheduleRelative<State>(
            _ state: State, dueTime: RxTimeInterval, action: @escaping (State) -> any Disposable
        ) -> any Disposable {
            scheduler.scheduleRelative(state, dueTime: dueTime, action: action)
        }
    }

    @Test func `the duration of the action does not delay the next runs`() {
        #expect(times(ofTicksTaking: Array(repeating: 20, count: 20)) == (1...20).map { $0 * 50 })
    }

    @Test func `runs whose times are over are skipped, and the others are on the grid`() {
        // The run of 100 begins late, at 120.
        #expect(times(ofTicksTaking: [70, 0, 0, 0]) == [50, 120, 150, 200])
        // The run of 100 begins late, at 170, and stands for that of 150.
        #expect(times(ofTicksTaking: [120, 0, 0]) == [50, 170, 200])
    }

    @Test func `on a virtual scheduler, a period follows the time of the run`() {
        // The first run is due immediately, which a test's scheduler delays by a tick.
        let events = scheduler.run {
            Observable<Int>.timer(.seconds(0), period: .seconds(10), scheduler: scheduler).take(3)
        }
        #expect(events == [.next(201, 0), .next(211, 1), .next(221, 2), .completed(221)])
    }

    @Test func `a tick comes first among the actions of its time`() {
        let events = scheduler.run {
            Observable<Int>.interval(.seconds(10), scheduler: scheduler).take(4)
                .debounce(.seconds(10), scheduler: scheduler)
        }
        #expect(events == [.next(240, 3), .completed(240)])
    }

    @Test func `dates are as exact as with single actions`() {
        let scheduler = HistoricalScheduler()
        var ticks: [RxTime] = []
        let subscription = Observable<Int>.interval(.milliseconds(100), scheduler: scheduler)
            .subscribe(onNext: { _ in ticks.append(scheduler.now) })
        var (date, expected) = (scheduler.now, [RxTime]())
        for _ in 0..<50 {
            date.addTimeInterval(0.1)
            expected.append(date)
        }
        scheduler.advanceTo(date)
        subscription.dispose()
        #expect(ticks == expected)
    }

    @Test func `at most one run waits for the action that is running`() {
        let scheduler = ManualScheduler()
        var log: [String] = []
        let periodic = scheduler.schedulePeriodic(0, startAfter: .seconds(1), period: .seconds(1)) { number in
            log.append("begin \(number)")
            if number == 0 {
                // As on a concurrent scheduler whose other threads run the next actions.
                for _ in 0..<3 { scheduler.runNext() }
            }
            log.append("end \(number)")
            return number + 1
        }
        scheduler.runNext()
        #expect(log == ["begin 0", "end 0", "begin 1", "end 1"])
        scheduler.runNext()
        #expect(log.last == "end 2")
        periodic.dispose()
        scheduler.runNext()
        #expect(log.last == "end 2")
    }

    /// Runs each action on demand, at its time.
    private final class ManualScheduler: SchedulerType {
        private(set) var now = RxTime(timeIntervalSinceReferenceDate: 0)
        private var next: (() -> Void)?

        func schedule<State>(_ state: State, action: @escaping (State) -> any Disposable) -> any Disposable {
            scheduleRelative(state, dueTime: .seconds(0), action: action)
        }

        func scheduleRelative<State>(
            _ state: State, dueTime: RxTimeInterval, action: @escaping (State) -> any Disposable
        ) -> any Disposable {
            let pending = BooleanDisposable()
            let time = now.addingTimeInterval(1)
            next = { [unowned self] in
                guard !pending.isDisposed else { return }
                now = time
                _ = action(state)
            }
            return pending
        }

        func runNext() {
            let run = next
            next = nil
            run?()
        }
    }
}
