import Dispatch
import FoundationEssentials
import RxCore
import RxTesting
import Testing

struct TestSchedulerTests {
    private let scheduler = TestScheduler(initialClock: 0)

    @Test func `actions run in the order of their times, then in the order of scheduling`() {
        var order: [String] = []
        for (time, name) in [(20, "c"), (10, "a"), (10, "b"), (30, "d")] {
            scheduler.scheduleAt(time) { order.append("\(name)\(scheduler.clock)") }
        }
        scheduler.start()
        #expect(order == ["a10", "b10", "c20", "d30"])
    }

    @Test func `an action scheduled for now runs a tick later, unless that is turned off`() {
        var times: [TestTime] = []
        func note(on scheduler: TestScheduler) {
            _ = scheduler.schedule(()) {
                times.append(scheduler.clock)
                return Disposables.create()
            }
            scheduler.start()
        }
        note(on: scheduler)
        note(on: TestScheduler(initialClock: 0, simulateProcessingDelay: false))
        #expect(times == [1, 0])
    }

    @Test func `the clock advances exactly as far as the test requests`() {
        var times: [TestTime] = []
        for time in [10, 20, 30] { scheduler.scheduleAt(time) { times.append(scheduler.clock) } }
        scheduler.advanceTo(20)
        #expect(times == [10, 20])
        scheduler.advanceBy(5)
        #expect(scheduler.clock == 25)
        #expect(times == [10, 20])
        scheduler.advanceBy(5)
        #expect(times == [10, 20, 30])
    }

    @Test func `the resolution is the duration of a tick`() {
        let fine = TestScheduler(initialClock: 0, resolution: 0.001)
        var time: TestTime?
        _ = fine.scheduleRelative((), dueTime: .milliseconds(300)) {
            time = fine.clock
            return Disposables.create()
        }
        fine.start()
        #expect(time == 300)
        #expect(abs(fine.now.timeIntervalSince1970 - 0.3) < 1e-6)
    }

    @Test func `a disposed action does not run, and one that is never due is not scheduled`() {
        var hasRun = false
        let run = { () -> any Disposable in
            hasRun = true
            return Disposables.create()
        }
        scheduler.scheduleRelative((), dueTime: .seconds(5), action: run).dispose()
        _ = scheduler.scheduleRelative((), dueTime: .never, action: run)
        scheduler.start()
        #expect(!hasRun)
        #expect(scheduler.clock == 0)
    }

    @Test func `a run can be stopped in the middle`() {
        var count = 0
        let subscription = Observable<Int>.interval(.seconds(10), scheduler: scheduler)
            .subscribe(onNext: { number in
                count += 1
                if number == 4 { scheduler.stop() }
            })
        scheduler.start()
        subscription.dispose()
        #expect(count == 5)
        #expect(scheduler.clock == 50)
    }
}
