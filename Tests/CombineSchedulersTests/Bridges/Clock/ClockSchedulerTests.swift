import CombineCore
import CombineSchedulers
import Dispatch
import Locking
import Testing

@Suite struct ClockSchedulerTests {
    private let clock = ManualClock()
    private let scheduler: ClockScheduler<ManualClock>
    private let log = EventLog()

    init() {
        scheduler = clock.scheduler()
    }

    @Test func `immediate actions run on the queue, in order`() {
        for number in 1...5 { scheduler.schedule { log.note("\(number)") } }
        scheduler.queue.sync {}
        #expect(log.events == ["1", "2", "3", "4", "5"])
    }

    @Test func `actions run in the order of their times, then in the order of scheduling`() async {
        let start = scheduler.now
        scheduler.schedule(after: start.advanced(by: .seconds(3))) { log.note("3") }
        scheduler.schedule(after: start.advanced(by: .seconds(1))) { log.note("1") }
        scheduler.schedule(after: start.advanced(by: .seconds(2))) { log.note("2a") }
        scheduler.schedule(after: start.advanced(by: .seconds(2))) { log.note("2b") }
        await clock.sleepers(4)
        clock.advance(by: .seconds(2))
        #expect(await log.first(3) == ["1", "2a", "2b"])
        clock.advance(by: .seconds(1))
        #expect(await log.first(4) == ["1", "2a", "2b", "3"])
    }

    @Test func `a repeating action runs at each interval until its token is cancelled`() async {
        let token = scheduler.schedule(after: scheduler.now.advanced(by: .seconds(1)), interval: .seconds(2)) {
            log.note("tick")
        }
        for (count, seconds) in [(1, 1), (2, 2), (3, 2)] {
            await clock.sleepers(1)
            clock.advance(by: .seconds(seconds))
            #expect(await log.first(count).count == count)
        }
        await clock.sleepers(1)
        token.cancel()
        await clock.sleepers(0)
        clock.advance(by: .seconds(10))
        scheduler.queue.sync {}
        #expect(log.events.count == 3)
    }

    @Test func `a repeating action can cancel itself`() async {
        let token = Lock<(any Cancellable)?>(nil)
        let made = scheduler.schedule(after: scheduler.now.advanced(by: .seconds(1)), interval: .seconds(1)) {
            log.note("tick")
            token.withLock { $0 }?.cancel()
        }
        token.withLock { $0 = made }
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        #expect(await log.first(1) == ["tick"])
        await clock.sleepers(0)
        clock.advance(by: .seconds(5))
        scheduler.queue.sync {}
        #expect(log.events == ["tick"])
    }

    @Test func `operators use the clock's time`() async {
        let token = Just("value").delay(for: .milliseconds(1_500), scheduler: scheduler).sink { log.note($0) }
        await clock.sleepers(2)
        clock.advance(by: .milliseconds(1_499))
        scheduler.queue.sync {}
        #expect(log.events.isEmpty)
        clock.advance(by: .milliseconds(1))
        #expect(await log.first(1) == ["value"])
        token.cancel()
    }

    @Test func `a continuous clock works`() async throws {
        let scheduler = ContinuousClock().scheduler()
        let start = scheduler.now
        try await scheduler.sleep(for: .milliseconds(20))
        #expect(start.distance(to: scheduler.now) >= .milliseconds(20))
    }

    @Test func `intervals are durations`() {
        #expect(DurationStride.seconds(2).duration == .seconds(2))
        #expect(DurationStride.seconds(0.5).duration == .milliseconds(500))
        #expect(DurationStride.milliseconds(3).duration == .milliseconds(3))
        #expect(DurationStride.microseconds(3).duration == .microseconds(3))
        #expect(DurationStride.nanoseconds(3).duration == .nanoseconds(3))
        #expect((1.5 as DurationStride) * 2 == 3)
        #expect((-2 as DurationStride).magnitude == 2)
        #expect(DurationStride(exactly: 4) == 4)
        #expect(DurationStride(exactly: UInt64.max) == nil)
        #expect((1 as DurationStride) < 1.5)
        #expect(3 - (1 as DurationStride) + 0.5 == 2.5)
    }
}
