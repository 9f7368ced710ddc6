import Dispatch
import RxCore
import Synchronization
import Testing

struct SchedulerTests {
    @Test func `the current thread runs one action after another`() {
        var order: [Int] = []
        _ = CurrentThreadScheduler.instance.schedule(()) {
            _ = CurrentThreadScheduler.instance.schedule(()) {
                order.append(2)
                return Disposables.create()
            }
            order.append(1)
            return Disposables.create()
        }
        #expect(order == [1, 2])
        #expect(CurrentThreadScheduler.isScheduleRequired)
    }

    @Test func `an action that is disposed of before its turn does not run`() {
        var hasRun = false
        _ = CurrentThreadScheduler.instance.schedule(()) {
            CurrentThreadScheduler.instance.schedule(()) {
                hasRun = true
                return Disposables.create()
            }.dispose()
            return Disposables.create()
        }
        #expect(!hasRun)
    }

    @Test func `a recursive action stops when it is disposed of`() {
        var count = 0
        let again = SerialDisposable()
        again.disposable = CurrentThreadScheduler.instance.scheduleRecursive(0) { number, again in
            count = number
            if number < 10_000 { again(number + 1) }
        }
        #expect(count == 10_000)
    }

    /// Waits until the semaphore is signalled; false if that takes too long.
    private func isReached(_ semaphore: DispatchSemaphore) -> Bool {
        semaphore.wait(timeout: .now() + 20) == .success
    }

    @Test func `a serial queue keeps the order, away from the caller`() {
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "rx.tests")
        let (done, order) = (DispatchSemaphore(value: 0), Recorder<Int>())
        _ = Observable.from(0..<100).observe(on: scheduler).subscribe(
            onNext: { order.onNext($0) }, onCompleted: { done.signal() })
        #expect(isReached(done))
        #expect(order.elements == Array(0..<100))
    }

    @Test func `a concurrent queue delivers one at a time in order all the same`() {
        let scheduler = ConcurrentDispatchQueueScheduler(qos: .default)
        let (done, order) = (DispatchSemaphore(value: 0), Recorder<Int>())
        _ = Observable.from(0..<1_000).observe(on: scheduler).subscribe(
            onNext: { order.onNext($0) }, onCompleted: { done.signal() })
        #expect(isReached(done))
        #expect(order.elements == Array(0..<1_000))
    }

    @Test func `a queue's timer fires once, or not at all if it is disposed of`() {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let done = DispatchSemaphore(value: 0)
        let count = Counter()
        let disposed = scheduler.scheduleRelative((), dueTime: .milliseconds(1)) {
            count.add(100)
            return Disposables.create()
        }
        disposed.dispose()
        _ = scheduler.scheduleRelative((), dueTime: .milliseconds(2)) {
            count.add(1)
            done.signal()
            return Disposables.create()
        }
        #expect(isReached(done))
        #expect(count.value == 1)
    }

    @Test func `a queue's interval ticks until nobody listens`() {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let done = DispatchSemaphore(value: 0)
        let ticks = Recorder<Int>()
        _ = Observable<Int>.interval(.milliseconds(1), scheduler: scheduler).take(3)
            .subscribe(onNext: { ticks.onNext($0) }, onCompleted: { done.signal() })
        #expect(isReached(done))
        #expect(ticks.elements == [0, 1, 2])
    }

    private final class Counter: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .sequentiallyConsistent) }
        func add(_ amount: Int) { count.add(amount, ordering: .sequentiallyConsistent) }
    }
}
