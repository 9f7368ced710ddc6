import CombineCore
import Testing

@Suite struct MainTimerTests {
    private let main = VirtualMain()

    private func start(
        after first: Duration = .seconds(1), every interval: Duration, _ action: @escaping () -> Void
    ) -> MainTimer {
        MainTimer.start(on: main, after: first, every: interval, action)
    }

    @Test func `a timer fires after its first interval and then at every interval`() {
        var moments: [Duration] = []
        let began = main.now
        let timer = start(after: .seconds(5), every: .seconds(2)) { moments.append(main.now - began) }
        main.advance(by: .seconds(4))
        #expect(moments.isEmpty)
        main.advance(by: .seconds(6))
        #expect(moments == [.seconds(5), .seconds(7), .seconds(9)])
        timer.cancel()
    }

    @Test(arguments: [Int64.min, -1, 0, .max])
    func `the next time on the grid follows a stored one at any distance`(due: Int64) {
        let (grid, now) = (TimerGrid(interval: .milliseconds(3)), Duration.seconds(1000))
        let next = grid.moment(after: .nanoseconds(due), now: now)
        #expect(next > now)
        #expect(due == .max || next <= now + .milliseconds(3))
    }

    @Test func `a cancelled timer leaves no scheduled action`() {
        var count = 0
        let timer = start(every: .seconds(1)) { count += 1 }
        main.advance(by: .seconds(3))
        timer.cancel()
        timer.cancel()
        #expect(main.count == 0)
        main.advance(by: .seconds(3))
        #expect(count == 3)
    }

    @Test func `a timer can be cancelled from its own action`() {
        var count = 0
        var timer: MainTimer?
        timer = start(every: .seconds(1)) {
            count += 1
            if count == 2 { timer?.cancel() }
        }
        main.advance(by: .seconds(10))
        #expect(count == 2)
        #expect(main.count == 0)
    }

    @Test func `a timer skips missed ticks and continues on its original schedule`() {
        var moments: [Duration] = []
        let began = main.now
        let timer = start(every: .seconds(1)) { moments.append(main.now - began) }
        main.stall(for: .milliseconds(3_500))
        main.advance()
        main.advance(by: .seconds(2))
        #expect(moments == [.milliseconds(3_500), .seconds(4), .seconds(5)])
        timer.cancel()
    }

    @Test func `delays shorter than an interval do not accumulate`() {
        var moments: [Duration] = []
        let began = main.now
        let timer = start(every: .seconds(1)) { moments.append(main.now - began) }
        main.stall(for: .milliseconds(1_250))
        main.advance(by: .seconds(2))
        #expect(moments == [.milliseconds(1_250), .seconds(2), .seconds(3)])
        timer.cancel()
    }

    @Test func `a timer with an interval of zero does not starve other actions`() {
        var count = 0
        let timer = start(after: .zero, every: .zero) { count += 1 }
        main.advance(by: .milliseconds(1))
        timer.cancel()
        #expect(count == 11)
    }

    @Test func `a timer keeps firing if its token is discarded, and is released if it is cancelled`() {
        final class Witness {}
        weak var witness: Witness?
        var count = 0
        do {
            let kept = Witness()
            witness = kept
            let timer = start(every: .seconds(1)) { withExtendedLifetime(kept) { count += 1 } }
            main.advance(by: .seconds(1))
            #expect(witness != nil)
            timer.cancel()
        }
        #expect(witness == nil)
        _ = start(every: .seconds(1)) { count += 1 }
        main.advance(by: .seconds(2))
        #expect(count == 3)
    }
}
