import Glibc
public import HTTPModel
import Locking
import Synchronization

/// An event loop with virtual time, which runs work only when the test requests it. Tests are therefore deterministic.
///
/// It belongs to the thread that created it, or has adopted it. Other threads may only call ``execute(_:)``. The tasks of sessions run when the
/// test runs the loop, as if on another thread: ``isCurrent`` is false meanwhile.
public final class VirtualEventLoop: EventLoop, @unchecked Sendable {
    /// The simulated index of the loop.
    public let index: Int
    /// The simulated number of loops.
    public let count: Int
    /// The current virtual time; while work runs, the time at which it started.
    public private(set) var now: MonotonicTime {
        didSet { sharedTime.store(now.nanoseconds, ordering: .relaxed) }
    }
    /// The current virtual time, including the time added by ``stall(for:)``.
    public private(set) var currentTime: MonotonicTime
    /// Whether a round has no time left after each piece of work, so that what can wait is continued in the next one.
    package var hasShortRounds = false
    // Sendable: the inbox, which other threads access, is protected by a lock. Everything else is used on the owner's
    // thread only.
    private var owner = pthread_self()
    private let inbox = Lock<[@Sendable () -> Void]>([])
    /// The nanoseconds of ``now``, for other threads.
    private let sharedTime: Atomic<UInt64>
    /// The timers, ordered by deadline and then by the order of the calls.
    private var timers: [Timer] = []
    /// Whether a task of a session runs.
    private var runsTask = false
    private lazy var executor = VirtualTaskExecutor(self)

    /// Creates a loop whose clock does not start at zero.
    public convenience init(index: Int = 0, count: Int = 1) {
        self.init(index: index, count: count, startingAt: MonotonicTime(nanoseconds: 1_000_000_000_000))
    }

    /// Creates a loop whose clock starts at a time, for example that at which another process has ended.
    init(index: Int = 0, count: Int = 1, startingAt time: MonotonicTime) {
        self.index = index
        self.count = count
        sharedTime = Atomic(time.nanoseconds)
        now = time
        currentTime = time
    }

    /// Whether the caller is on the thread that created the loop, and is not a task of a session.
    public var isCurrent: Bool { pthread_equal(owner, pthread_self()) != 0 && !runsTask }

    /// The virtual time, which the tasks of sessions read.
    public var simulatedTime: MonotonicTime? {
        MonotonicTime(nanoseconds: sharedTime.load(ordering: .relaxed))
    }

    /// Makes the calling thread the owner. For tests on an actor, such as the main actor, which runs on one thread at a time but not
    /// always on the same one.
    package func adopt() { owner = pthread_self() }

    /// Whether the loop has short rounds.
    public var isRoundOver: Bool { hasShortRounds }

    /// Runs tasks on the thread that created the loop.
    public var taskExecutor: (any TaskExecutor)? { executor }

    /// Runs a part of a task.
    fileprivate func runTask(_ work: () -> Void) {
        runsTask = true
        work()
        runsTask = false
    }

    /// The number of timers that have not fired.
    public var timerCount: Int { timers.count }

    /// Queues work until ``run()`` or ``advance(by:)``.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        inbox.withLock { $0.append(work) }
    }

    /// Queues work until time has advanced by a delay.
    public func schedule(after delay: Duration, _ work: @escaping () -> Void) -> any EventLoopTimer {
        let timer = Timer(deadline: now + max(delay, .zero), loop: self, work: work)
        let place = timers.firstIndex { $0.deadline > timer.deadline } ?? timers.count
        timers.insert(timer, at: place)
        return timer
    }

    /// Lets time pass without running work, like work that takes that long or a suspended process. During work, ``now``
    /// does not change until the work is done. Timers that become due fire late.
    public func stall(for duration: Duration) {
        currentTime = currentTime + max(duration, .zero)
    }

    /// Runs the queued work and the timers that are due, as one round of a real loop does. Work that these add waits
    /// for the next round. Returns whether there was anything to run.
    @discardableResult
    public func runRound() -> Bool {
        let batch = inbox.withLock { inbox in
            defer { inbox = [] }
            return inbox
        }
        move(to: currentTime)
        let due = timers.prefix { $0.deadline <= now }
        for work in batch { work() }
        for timer in due where timers.contains(where: { $0 === timer }) {
            timer.cancel()
            timer.work()
        }
        return !batch.isEmpty || !due.isEmpty
    }

    /// Runs queued work, and the work that it adds, until none is left for now. Traps after a million blocks, because
    /// they probably add each other endlessly.
    public func run() {
        var budget = 1_000_000
        while true {
            let batch = inbox.withLock { inbox in
                defer { inbox = [] }
                return inbox
            }
            now = currentTime
            guard !batch.isEmpty else { return }
            for work in batch { work() }
            budget -= batch.count
            precondition(budget > 0, "a million blocks were run, and they keep adding more")
        }
    }

    /// Advances time from timer to timer, and runs everything that becomes due, each at its own time.
    public func advance(by duration: Duration) {
        let end = currentTime + duration
        run()
        while let next = timers.first, next.deadline <= max(end, now) {
            timers.removeFirst()
            move(to: next.deadline)
            next.work()
            run()
        }
        move(to: end)
    }

    private func move(to time: MonotonicTime) {
        currentTime = max(currentTime, time)
        now = currentTime
    }

    /// Runs the parts of tasks when the test runs the loop. So the order of everything in a test is always the same.
    private final class VirtualTaskExecutor: TaskExecutor {
        // Weak: the loop retains the executor.
        private weak let loop: VirtualEventLoop?

        init(_ loop: VirtualEventLoop) {
            self.loop = loop
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            loop?.execute { [self] in
                loop?.runTask { job.runSynchronously(on: asUnownedTaskExecutor()) }
            }
        }
    }

    private final class Timer: EventLoopTimer {
        let deadline: MonotonicTime
        let work: () -> Void
        private weak var loop: VirtualEventLoop?

        init(deadline: MonotonicTime, loop: VirtualEventLoop, work: @escaping () -> Void) {
            self.deadline = deadline
            self.loop = loop
            self.work = work
        }

        func cancel() {
            loop?.timers.removeAll { $0 === self }
        }
    }
}
