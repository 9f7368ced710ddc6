import Dispatch
import FoundationEssentials
import RxCore
import Synchronization
import Testing

@Suite struct SchedulerTests {
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

    @Test func `a serial queue runs actions asynchronously and in order`() async {
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "rx.tests")
        let (done, order) = (Signal(), Recorder<Int>())
        _ = Observable.from(0..<100).observe(on: scheduler).subscribe(
            onNext: { order.onNext($0) }, onCompleted: { done.signal() })
        await done.wait()
        #expect(order.elements == Array(0..<100))
    }

    @Test func `on a concurrent queue, elements are delivered one at a time and in order`() async {
        let scheduler = ConcurrentDispatchQueueScheduler(qos: .default)
        let (done, order) = (Signal(), Recorder<Int>())
        _ = Observable.from(0..<1_000).observe(on: scheduler).subscribe(
            onNext: { order.onNext($0) }, onCompleted: { done.signal() })
        await done.wait()
        #expect(order.elements == Array(0..<1_000))
    }

    @Test func `a queue's timer fires once, or not at all if it is disposed of`() async {
        let queue = DispatchQueue(label: "timers")
        let scheduler = SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "timers.serial")
        let done = Signal()
        let count = Counter()
        // While the queue is suspended the timer cannot fire, however long this thread takes to dispose of it.
        queue.suspend()
        let disposed = scheduler.scheduleRelative((), dueTime: .milliseconds(1)) {
            count.add(100)
            return Disposables.create()
        }
        disposed.dispose()
        queue.resume()
        _ = scheduler.scheduleRelative((), dueTime: .milliseconds(2)) {
            count.add(1)
            done.signal()
            return Disposables.create()
        }
        await done.wait()
        #expect(count.value == 1)
    }

    @Test func `a queue's interval ticks until it is disposed of`() async {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let done = Signal()
        let ticks = Recorder<Int>()
        _ = Observable<Int>.interval(.milliseconds(1), scheduler: scheduler).take(3)
            .subscribe(onNext: { ticks.onNext($0) }, onCompleted: { done.signal() })
        await done.wait()
        #expect(ticks.elements == [0, 1, 2])
    }

    @Test func `an interval continues if its first tick overtakes the call that schedules it`() {
        let scheduler = HastyScheduler()
        var ticks: [Int] = []
        let subscription = Observable<Int>.interval(.milliseconds(1), scheduler: scheduler)
            .subscribe(onNext: { ticks.append($0) })
        for _ in 0..<3 { scheduler.runNext() }
        #expect(ticks == [0, 1, 2, 3])
        subscription.dispose()
        scheduler.runNext()
        #expect(ticks == [0, 1, 2, 3])
    }

    /// Runs the first action inside the call that schedules it, as a queue on another thread may, and others on demand.
    private final class HastyScheduler: SchedulerType {
        private var isFirst = true
        private var next: (() -> Void)?

        var now: RxTime { RxTime(timeIntervalSinceReferenceDate: 0) }

        func schedule<State>(_ state: State, action: @escaping (State) -> any Disposable) -> any Disposable {
            scheduleRelative(state, dueTime: .seconds(0), action: action)
        }

        func scheduleRelative<State>(
            _ state: State, dueTime: RxTimeInterval, action: @escaping (State) -> any Disposable
        ) -> any Disposable {
            let pending = BooleanDisposable()
            let run = { if !pending.isDisposed { _ = action(state) } }
            if isFirst {
                isFirst = false
                run()
            } else {
                next = run
            }
            return pending
        }

        func runNext() {
            let run = next
            next = nil
            run?()
        }
    }

    private final class Counter: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .sequentiallyConsistent) }
        func add(_ amount: Int) { count.add(amount, ordering: .sequentiallyConsistent) }
    }
}
