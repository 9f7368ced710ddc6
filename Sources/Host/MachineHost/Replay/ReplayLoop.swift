import Dispatch
import Glibc
import HTTPModel
import Locking
import Synchronization

/// The event loop of a replay, whose time is that of the recorded turns. Confined to the thread that created it, except for
/// ``execute(_:)``.
final class ReplayLoop: EventLoop, @unchecked Sendable {
    let index = 0
    let count = 1
    private(set) var now: MonotonicTime {
        didSet { sharedTime.store(now.nanoseconds, ordering: .relaxed) }
    }
    // Sendable: the inbox, which other threads access, is protected by a lock, and the time that they read is atomic. Everything
    // else is used on the owner's thread only.
    private let owner = pthread_self()
    private let inbox = Lock<[@Sendable () -> Void]>([])
    /// The nanoseconds of ``now``, for other threads.
    private let sharedTime: Atomic<UInt64>
    private let arrivals = DispatchSemaphore(value: 0)
    /// The timers, ordered by deadline and then by the order of the calls.
    private var timers: [ReplayTimer] = []

    /// The time for which a replay waits for the result of work on other threads, which the record does not describe.
    private static let patience = DispatchTimeInterval.milliseconds(500)

    init(at time: MonotonicTime) {
        sharedTime = Atomic(time.nanoseconds)
        now = time
    }

    var simulatedTime: MonotonicTime? { MonotonicTime(nanoseconds: sharedTime.load(ordering: .relaxed)) }

    var isCurrent: Bool { pthread_equal(owner, pthread_self()) != 0 }

    func execute(_ work: @escaping @Sendable () -> Void) {
        inbox.withLock { $0.append(work) }
        if !isCurrent { arrivals.signal() }
    }

    func schedule(after delay: Duration, _ work: @escaping () -> Void) -> any EventLoopTimer {
        assertCurrent()
        let timer = ReplayTimer(deadline: now + max(delay, .zero), work, loop: self)
        // Most timers are due after all others.
        var place = timers.count
        while place > 0, timers[place - 1].deadline > timer.deadline { place -= 1 }
        timers.insert(timer, at: place)
        return timer
    }

    /// Advances the time. Timers that become due wait for ``runNext(for:)``.
    func advance(to time: MonotonicTime) {
        assertCurrent()
        now = max(now, time)
    }

    /// The delay with which a server may run a timer, and the time by which it may measure the timer's time too early.
    // A timer that changed nothing has no record, so its time is not known. One that is due long before the recorded turn ran when it
    // was due, and started others from then on. One that is due just before it is the one that was recorded.
    private static let tolerance = Duration.milliseconds(25)

    /// Runs the queued work or, if none is queued, the next timer. Waits for the work of other threads if there is neither.
    ///
    /// - Parameter time: The time of the recorded turn that is expected.
    /// - Returns: Whether anything was run.
    func runNext(for time: MonotonicTime) -> Bool {
        assertCurrent()
        if time - now <= ReplayLoop.tolerance { advance(to: time) }
        if runInbox() { return true }
        if let first = timers.first, first.deadline <= time + ReplayLoop.tolerance {
            run(first, at: time - first.deadline <= ReplayLoop.tolerance ? max(time, first.deadline) : first.deadline)
            return true
        }
        guard arrivals.wait(timeout: .now() + ReplayLoop.patience) == .success else { return false }
        advance(to: time)
        return runInbox()
    }

    /// Runs the timers that were due long before a time.
    ///
    /// - Parameter most: The number of timers after which to stop.
    func runOverdue(before time: MonotonicTime, most: Int) {
        assertCurrent()
        for _ in 0..<most {
            guard let first = timers.first, time - first.deadline > ReplayLoop.tolerance else { return }
            // The work that the timers before have queued runs first.
            if !runInbox() { run(first, at: first.deadline) }
        }
    }

    private func run(_ timer: ReplayTimer, at time: MonotonicTime) {
        assert(timers.first === timer, "expected the timer that is due first")
        timers.removeFirst()
        advance(to: time)
        timer.work()
    }

    private func runInbox() -> Bool {
        let batch = inbox.withLock { inbox in
            defer { inbox.removeAll(keepingCapacity: true) }
            return inbox
        }
        for work in batch { work() }
        return !batch.isEmpty
    }

    fileprivate func remove(_ timer: ReplayTimer) {
        timers.removeAll { $0 === timer }
    }
}

private final class ReplayTimer: EventLoopTimer {
    let deadline: MonotonicTime
    let work: () -> Void
    private weak var loop: ReplayLoop?

    init(deadline: MonotonicTime, _ work: @escaping () -> Void, loop: ReplayLoop) {
        self.deadline = deadline
        self.work = work
        self.loop = loop
    }

    func cancel() {
        loop?.remove(self)
    }
}
