import CombineCore
import Dispatch
import Locking
import Testing

@Suite struct DispatchQueueSchedulerTests {
    private let queue = DispatchQueue(label: "scheduler")

    @Test func `actions run on the queue in order`() {
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let got = Lock<[Int]>([])
        for number in 1...10 {
            queue.schedule { if DispatchQueue.getSpecific(key: key) == true { got.withLock { $0.append(number) } } }
        }
        queue.sync {}
        #expect(got.withLock { $0 } == Array(1...10))
    }

    @Test func `a group waits for a delayed action as soon as it is scheduled`() {
        let group = DispatchGroup()
        let ran = Lock(false)
        queue.schedule(
            after: queue.now.advanced(by: .milliseconds(5)), tolerance: .zero,
            options: .init(qos: .userInitiated, group: group)
        ) { ran.withLock { $0 = true } }
        group.wait()
        #expect(ran.withLock { $0 })
    }

    @Test func `a group waits for an action that is scheduled without a delay`() {
        let group = DispatchGroup()
        let ran = Lock(false)
        queue.suspend()
        queue.schedule(options: .init(flags: .barrier, group: group)) { ran.withLock { $0 = true } }
        #expect(group.wait(timeout: .now()) == .timedOut)
        queue.resume()
        group.wait()
        #expect(ran.withLock { $0 })
    }

    @Test func `a repeating action runs until its token is cancelled`() {
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
        queue.sync { token.cancel() }
        let former = count.withLock { $0 }
        queue.sync {}
        #expect(count.withLock { $0 } == former)
    }

    @Test func `a cancelled repeating action is released`() async {
        final class Witness {}
        weak var witness: Witness?
        do {
            let kept = Witness()
            witness = kept
            let token = queue.schedule(after: queue.now.advanced(by: .seconds(3_600)), interval: .seconds(1)) {
                withExtendedLifetime(kept) {}
            }
            #expect(witness != nil)
            token.cancel()
        }
        // Dispatch releases the action on the queue, after the cancellation.
        while witness != nil, !Task.isCancelled { await Task.yield() }
        #expect(witness == nil)
    }
}
