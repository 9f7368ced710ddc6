import CombineCore
import Dispatch
import Foundation
import Locking
import Testing

@Suite struct RunLoopSchedulerTests {
    private let thread = RunLoopThread()

    @Test func `actions run in order on the run loop's thread, and wake it if it sleeps`() {
        let got = Lock<[Int]>([])
        let isElsewhere = Lock(false)
        let done = DispatchSemaphore(value: 0)
        let here = ThreadIdentity.current
        for number in 1...100 {
            thread.runLoop.schedule {
                if ThreadIdentity.current == here { isElsewhere.withLock { $0 = true } }
                got.withLock { $0.append(number) }
                if number == 100 { done.signal() }
            }
        }
        done.wait()
        #expect(got.withLock { $0 } == Array(1...100))
        #expect(!isElsewhere.withLock { $0 })
    }

    @Test func `an action scheduled by another action runs after it`() {
        let done = DispatchSemaphore(value: 0)
        let runLoop = thread.runLoop
        runLoop.schedule { runLoop.schedule { runLoop.schedule { done.signal() } } }
        done.wait()
    }

    @Test func `an action scheduled for a date does not run early`() {
        let done = DispatchSemaphore(value: 0)
        let runLoop = thread.runLoop
        let due = runLoop.now.advanced(by: .milliseconds(30))
        let ran = Lock<Date?>(nil)
        runLoop.schedule(after: due) {
            ran.withLock { $0 = Date() }
            done.signal()
        }
        done.wait()
        #expect(ran.withLock { $0.map { $0 >= due.date } } == true)
    }

    @Test func `a repeating action stops when it cancels its own token`() {
        let count = Lock(0)
        let others = Lock(0)
        let done = DispatchSemaphore(value: 0)
        let token = Lock<(any Cancellable)?>(nil)
        let runLoop = thread.runLoop
        runLoop.schedule {
            let made = runLoop.schedule(after: runLoop.now, interval: .milliseconds(1)) {
                guard
                    count.withLock({
                        $0 += 1; return $0
                    }) == 3
                else { return }
                token.withLock { $0 }?.cancel()
            }
            token.withLock { $0 = made }
        }
        // Another action with the same interval repeats often enough afterwards for this one to have repeated.
        let other = runLoop.schedule(after: runLoop.now, interval: .milliseconds(1)) {
            guard count.withLock({ $0 }) >= 3 else { return }
            if others.withLock({
                $0 += 1; return $0
            }) == 20 {
                done.signal()
            }
        }
        done.wait()
        other.cancel()
        #expect(count.withLock { $0 } == 3)
    }

    @Test func `values received on a run loop keep their order`() {
        let got = Lock<[Int]>([])
        let done = DispatchSemaphore(value: 0)
        let token = (1...50).publisher.receive(on: thread.runLoop).sink(
            receiveCompletion: { _ in done.signal() }, receiveValue: { value in got.withLock { $0.append(value) } })
        done.wait()
        token.cancel()
        #expect(got.withLock { $0 } == Array(1...50))
    }
}
