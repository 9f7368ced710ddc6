import CombineCore
import Dispatch
import Foundation
import Locking
import Testing

@Suite struct OperationQueueSchedulerTests {
    private let queue = OperationQueue()

    init() {
        queue.maxConcurrentOperationCount = 1
    }

    @Test func `each scheduled action becomes an operation`() {
        queue.isSuspended = true
        let got = Lock<[Int]>([])
        for number in 1...10 { queue.schedule { got.withLock { $0.append(number) } } }
        #expect(queue.operationCount == 10)
        #expect(got.withLock { $0 }.isEmpty)
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        #expect(got.withLock { $0 } == Array(1...10))
    }

    @Test func `an action scheduled for a date does not run early`() {
        let done = DispatchSemaphore(value: 0)
        let due = queue.now.advanced(by: .milliseconds(30))
        let early = Lock<TimeInterval>(0)
        queue.schedule(after: due) {
            early.withLock { $0 = due.date.timeIntervalSinceNow }
            done.signal()
        }
        done.wait()
        // Dispatch and Foundation read the wall clock at slightly different times, so allow a millisecond.
        #expect(early.withLock { $0 } < 0.001)
    }

    @Test func `an action scheduled for a past date runs immediately`() {
        let done = DispatchSemaphore(value: 0)
        queue.schedule(after: .init(.distantPast)) { done.signal() }
        done.wait()
    }

    @Test func `cancelling a repeating action also cancels its pending operations`() {
        let count = Lock(0)
        let thrice = DispatchSemaphore(value: 0)
        let token = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
            if count.withLock({
                $0 += 1; return $0
            }) == 3 {
                thrice.signal()
            }
        }
        thrice.wait()
        queue.isSuspended = true
        token.cancel()
        let former = count.withLock { $0 }
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        // One operation may have been running when the queue was suspended.
        #expect(count.withLock { $0 } <= former + 1)
    }
}
