import Foundation
import RxCore
import Testing

struct VirtualTimeSchedulerTests {
    private func date(_ seconds: Double) -> Date {
        Date(timeIntervalSince1970: seconds)
    }

    /// Schedules an action that records the time at each of the given numbers of seconds.
    private func notes(at seconds: [Double], on scheduler: HistoricalScheduler) -> Recorder<Double> {
        let recorder = Recorder<Double>()
        for due in seconds {
            _ = scheduler.scheduleRelativeVirtual(due, dueTime: due) { _ in
                recorder.onNext(scheduler.now.timeIntervalSince1970)
                return Disposables.create()
            }
        }
        return recorder
    }

    @Test func `actions run in the order of their times, and the clock shows the time of each`() {
        let scheduler = HistoricalScheduler()
        let recorder = notes(at: [3, 1, 2], on: scheduler)
        scheduler.start()
        #expect(recorder.elements == [1, 2, 3])
        #expect(scheduler.clock == date(3))
    }

    @Test func `actions of the same time run in the order in which they were scheduled`() {
        let scheduler = HistoricalScheduler()
        let recorder = Recorder<Int>()
        for number in 0..<3 {
            _ = scheduler.scheduleAbsoluteVirtual(number, time: date(1)) {
                recorder.onNext($0)
                return Disposables.create()
            }
        }
        scheduler.start()
        #expect(recorder.elements == [0, 1, 2])
    }

    @Test func `advancing the clock to a time leaves later actions scheduled`() {
        let scheduler = HistoricalScheduler(initialClock: date(0))
        let recorder = notes(at: [1, 2, 3], on: scheduler)
        scheduler.advanceTo(date(2))
        #expect(recorder.elements == [1, 2])
        scheduler.advanceTo(date(2.5))
        #expect(scheduler.now == date(2.5))
        scheduler.start()
        #expect(recorder.elements == [1, 2, 3])
    }

    @Test func `sleep runs no action, and the clock does not go back for overdue ones`() {
        let scheduler = HistoricalScheduler()
        let recorder = notes(at: [1], on: scheduler)
        scheduler.sleep(5)
        #expect(recorder.elements.isEmpty)
        scheduler.start()
        #expect(recorder.elements == [5])
    }

    @Test func `an action may stop the scheduler, and a disposed action does not run`() {
        let scheduler = HistoricalScheduler()
        _ = scheduler.scheduleRelativeVirtual((), dueTime: 1) {
            scheduler.stop()
            return Disposables.create()
        }
        let recorder = notes(at: [2], on: scheduler)
        let disposed = scheduler.scheduleRelativeVirtual((), dueTime: 2) {
            recorder.onNext(-1)
            return Disposables.create()
        }
        disposed.dispose()
        scheduler.start()
        #expect(recorder.elements.isEmpty)
        scheduler.start()
        #expect(recorder.elements == [2])
    }

    @Test func `operators use the scheduler's clock`() {
        let scheduler = HistoricalScheduler()
        let recorder = Recorder<Int>()
        let subscription = Observable<Int>.interval(.seconds(10), scheduler: scheduler).take(3).subscribe(recorder)
        let never = Observable<Int>.timer(.never, scheduler: scheduler).subscribe(recorder)
        scheduler.advanceTo(date(25))
        #expect(recorder.events == [.next(0), .next(1)])
        scheduler.start()
        #expect(recorder.events == [.next(0), .next(1), .next(2), .completed])
        #expect(scheduler.clock == date(30))
        subscription.dispose()
        never.dispose()
    }

    @Test func `a subclass can use its own units and adjust scheduled times`() {
        let scheduler = TickScheduler(initialClock: 100, converter: TickConverter())
        let recorder = Recorder<Int>()
        _ = scheduler.schedule(()) {
            recorder.onNext(scheduler.clock)
            return Disposables.create()
        }
        scheduler.start()
        #expect(recorder.elements == [101])
    }
}

private final class TickScheduler: VirtualTimeScheduler<TickConverter> {
    override func adjustScheduledTime(_ time: Int) -> Int {
        max(time, clock + 1)
    }
}

private struct TickConverter: VirtualTimeConverterType {
    func convertFromVirtualTime(_ virtualTime: Int) -> RxTime {
        Date(timeIntervalSince1970: Double(virtualTime))
    }

    func convertToVirtualTime(_ time: RxTime) -> Int {
        Int(time.timeIntervalSince1970)
    }

    func convertFromVirtualTimeInterval(_ virtualTimeInterval: Int) -> TimeInterval {
        Double(virtualTimeInterval)
    }

    func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> Int {
        Int(timeInterval)
    }

    func offsetVirtualTime(_ time: Int, offset: Int) -> Int {
        time + offset
    }

    func compareVirtualTime(_ lhs: Int, _ rhs: Int) -> VirtualTimeComparison {
        lhs < rhs ? .lessThan : lhs > rhs ? .greaterThan : .equal
    }
}
