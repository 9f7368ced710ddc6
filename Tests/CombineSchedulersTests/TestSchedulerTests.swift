import CombineCore
import CombineSchedulers
import Dispatch
import Testing

@Suite struct TestSchedulerTests {
    private let scheduler = DispatchQueue.test

    private func after(_ seconds: Int) -> DispatchQueue.SchedulerTimeType {
        scheduler.now.advanced(by: .seconds(seconds))
    }

    @Test func `nothing runs before the clock is advanced`() {
        var ran = false
        scheduler.schedule { ran = true }
        #expect(!ran)
        scheduler.advance()
        #expect(ran)
    }

    @Test func `actions at the same time run in the order of scheduling`() {
        var got: [Int] = []
        scheduler.schedule(after: after(1)) { got.append(1) }
        scheduler.schedule(after: after(1)) { got.append(2) }
        scheduler.schedule { got.append(0) }
        scheduler.advance(by: .seconds(1))
        #expect(got == [0, 1, 2])
    }

    @Test func `the clock shows the time of the running action`() {
        let start = scheduler.now
        var moments: [Int] = []
        for seconds in [3, 1, 2] {
            scheduler.schedule(after: after(seconds)) { [scheduler] in
                moments.append(start.distance(to: scheduler.now).magnitude / 1_000_000_000)
            }
        }
        scheduler.advance(by: .seconds(10))
        #expect(moments == [1, 2, 3])
        #expect(start.distance(to: scheduler.now) == .seconds(10))
    }

    @Test func `advancing runs actions that are due at the new time, and no later ones`() {
        var got: [Int] = []
        for seconds in 1...3 { scheduler.schedule(after: after(seconds)) { got.append(seconds) } }
        scheduler.advance(to: after(2))
        #expect(got == [1, 2])
        let here = scheduler.now
        scheduler.advance(to: here.advanced(by: .seconds(-1)))
        #expect(scheduler.now == here)
    }

    @Test func `actions that an action schedules within the advanced interval run in the same call`() {
        var got: [String] = []
        scheduler.schedule(after: after(1)) { [scheduler] in
            got.append("outer")
            scheduler.schedule { got.append("at once") }
            scheduler.schedule(after: scheduler.now.advanced(by: .seconds(1))) { got.append("later") }
            scheduler.schedule(after: scheduler.now.advanced(by: .seconds(5))) { got.append("too late") }
        }
        scheduler.advance(by: .seconds(2))
        #expect(got == ["outer", "at once", "later"])
    }

    @Test func `an action for a past time is due immediately`() {
        scheduler.advance(by: .seconds(5))
        let here = scheduler.now
        var moment: DispatchQueue.SchedulerTimeType?
        scheduler.schedule(after: here.advanced(by: .seconds(-3))) { [scheduler] in moment = scheduler.now }
        scheduler.advance()
        #expect(moment == here)
    }

    @Test func `an action may advance the clock`() {
        let start = scheduler.now
        var got: [Int] = []
        scheduler.schedule(after: after(1)) { [scheduler] in
            got.append(1)
            scheduler.advance(by: .seconds(5))
            got.append(-1)
        }
        for seconds in [2, 4, 8] { scheduler.schedule(after: after(seconds)) { got.append(seconds) } }
        scheduler.advance(by: .seconds(2))
        #expect(got == [1, 2, 4, -1])
        #expect(start.distance(to: scheduler.now) == .seconds(6))
    }

    @Test func `timers with different intervals interleave`() {
        var got: [String] = []
        let twos = scheduler.schedule(after: after(2), interval: .seconds(2)) { got.append("2") }
        let threes = scheduler.schedule(after: after(3), interval: .seconds(3)) { got.append("3") }
        scheduler.advance(by: .seconds(6))
        // At six seconds both are due: the one that was scheduled first runs first.
        #expect(got == ["2", "3", "2", "2", "3"])
        twos.cancel()
        threes.cancel()
        scheduler.advance(by: .seconds(6))
        #expect(got.count == 5)
    }

    @Test func `at each repetition a timer runs before actions that were scheduled later for the same time`() {
        var got: [String] = []
        let timer = scheduler.schedule(after: after(1), interval: .seconds(1)) { got.append("timer") }
        for seconds in 1...3 { scheduler.schedule(after: after(seconds)) { got.append("once") } }
        scheduler.advance(by: .seconds(3))
        #expect(got == ["timer", "once", "timer", "once", "timer", "once"])
        timer.cancel()
    }

    @Test func `a timer's action can cancel the timer`() {
        var count = 0
        var token: (any Cancellable)?
        token = scheduler.schedule(after: after(1), interval: .seconds(1)) {
            count += 1
            if count == 2 { token?.cancel() }
        }
        scheduler.advance(by: .seconds(10))
        #expect(count == 2)
    }

    @Test func `an action can cancel a timer that is due at the same time`() {
        var got: [String] = []
        var timer: (any Cancellable)?
        scheduler.schedule(after: after(1)) {
            got.append("cancel")
            timer?.cancel()
        }
        timer = scheduler.schedule(after: after(1), interval: .seconds(1)) { got.append("timer") }
        scheduler.advance(by: .seconds(5))
        #expect(got == ["cancel"])
    }

    @Test func `a timer stops when its token is released`() {
        var count = 0
        _ = scheduler.schedule(after: after(1), interval: .seconds(1)) { count += 1 }
        scheduler.advance(by: .seconds(5))
        #expect(count == 0)
    }

    @Test func `run returns when nothing is scheduled`() {
        let start = scheduler.now
        var got: [Int] = []
        scheduler.schedule(after: after(3_600)) { [scheduler] in
            got.append(1)
            scheduler.schedule(after: scheduler.now.advanced(by: .seconds(60))) { got.append(2) }
        }
        scheduler.run()
        #expect(got == [1, 2])
        #expect(start.distance(to: scheduler.now) == .seconds(3_660))
        scheduler.run()
        #expect(start.distance(to: scheduler.now) == .seconds(3_660))
    }

    @Test func `a cancelled timer releases its action`() {
        final class Witness {}
        weak var witness: Witness?
        do {
            let kept = Witness()
            witness = kept
            let token = scheduler.schedule(after: after(1), interval: .seconds(1)) { withExtendedLifetime(kept) {} }
            scheduler.advance(by: .seconds(1))
            token.cancel()
        }
        #expect(witness == nil)
    }

    @Test func `operators use its time`() {
        let subject = PassthroughSubject<Int, Never>()
        var got: [Int] = []
        let token = subject.debounce(for: .milliseconds(100), scheduler: scheduler)
            .delay(for: .seconds(1), scheduler: scheduler).sink { got.append($0) }
        subject.send(1)
        scheduler.advance(by: .milliseconds(99))
        subject.send(2)
        scheduler.advance(by: .milliseconds(1_099))
        #expect(got.isEmpty)
        scheduler.advance(by: .milliseconds(1))
        #expect(got == [2])
        token.cancel()
    }
}
