import Foundation
import HTTPModel
import Locking
import MachineTesting
import Testing

struct VirtualEventLoopTests {
    private func note(_ log: Lock<[String]>, _ text: String) -> @Sendable () -> Void {
        { log.withLock { $0.append(text) } }
    }

    @Test func `time moves only when advanced, and stops at every timer in between`() {
        let loop = VirtualEventLoop()
        let start = loop.now
        let times = Lock<[Duration]>([])
        for delay in [5, 1, 3] {
            _ = loop.schedule(after: .seconds(delay)) { times.withLock { $0.append(loop.now - start) } }
        }
        loop.run()
        #expect(loop.now == start)
        loop.advance(by: .seconds(4))
        #expect(times.withLock { $0 } == [.seconds(1), .seconds(3)])
        #expect(loop.now - start == .seconds(4))
        #expect(loop.timerCount == 1)
    }

    @Test func `timers with equal deadlines fire in call order, and the work they schedule is on time`() {
        let loop = VirtualEventLoop()
        let log = Lock<[String]>([])
        _ = loop.schedule(after: .seconds(1)) {
            self.note(log, "a")()
            loop.execute(self.note(log, "a's block"))
            _ = loop.schedule(after: .seconds(1), self.note(log, "a's timer"))
        }
        _ = loop.schedule(after: .seconds(1), note(log, "b"))
        loop.advance(by: .seconds(2))
        #expect(log.withLock { $0 } == ["a", "a's block", "b", "a's timer"])
    }

    @Test func `a cancelled timer does not fire, even if another timer cancels it`() {
        let loop = VirtualEventLoop()
        let log = Lock<[String]>([])
        loop.schedule(after: .seconds(1), note(log, "never")).cancel()
        let second = loop.schedule(after: .seconds(2), note(log, "never"))
        _ = loop.schedule(after: .seconds(1)) { second.cancel() }
        loop.advance(by: .seconds(3))
        #expect(log.withLock { $0 }.isEmpty)
        #expect(loop.timerCount == 0)
    }

    @Test func `work from other threads waits for the loop`() {
        let loop = VirtualEventLoop()
        let log = Lock<[String]>([])
        let wasCurrent = Lock(true)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            wasCurrent.withLock { $0 = loop.isCurrent }
            loop.execute(self.note(log, "work"))
            done.signal()
        }
        done.wait()
        #expect(loop.isCurrent)
        #expect(!wasCurrent.withLock { $0 })
        #expect(log.withLock { $0 }.isEmpty)
        loop.run()
        #expect(log.withLock { $0 } == ["work"])
    }
}
