import Dispatch
import FoundationEssentials
import RxCore
import RxTesting
import Testing

struct PeriodicActionTests {
    private let scheduler = TestScheduler(initialClock: 0)

    /// The times of the first ticks of an interval of 50 whose observer takes the given time.
    private func times(ofTicks count: Int, takingEach duration: TestTime) -> [TestTime] {
        var times: [TestTime] = []
        _ = Observable<Int>.interval(.seconds(50), scheduler: scheduler).take(count).subscribe(onNext: { _ in
            times.append(scheduler.clock)
            scheduler.sleep(duration)
        })
        scheduler.start()
        return times
    }

    @Test func `the duration of the action does not delay the next runs`() {
        #expect(times(ofTicks: 20, takingEach: 20) == (1...20).map { $0 * 50 })
    }

    @Test func `runs whose times are over are skipped, and the others are on the grid`() {
        // The run of 100 begins late, at 170, and stands for that of 150.
        #expect(times(ofTicks: 4, takingEach: 120) == [50, 170, 290, 410])
        let other = PeriodicActionTests()
        #expect(other.times(ofTicks: 3, takingEach: 70) == [50, 120, 190])
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
