import Glibc
public import HTTPModel
import Locking

/// An event loop whose time stands still until a test moves it, and which runs what it was given when the test says so: the
/// same test does the same every time.
///
/// It belongs to the thread that made it; other threads may only call ``execute(_:)``.
///
/// Sendable because what other threads reach is behind a lock, and the rest is touched on the owner's thread only.
public final class VirtualEventLoop: EventLoop, @unchecked Sendable {
    /// Which of how many loops it plays.
    public let index: Int
    /// How many loops there are said to be.
    public let count: Int
    /// The time that the test has come to; while work runs, the time at which it began.
    public private(set) var now: MonotonicTime
    /// The time that the test has come to, with what ``stall(for:)`` has added to it.
    public private(set) var currentTime: MonotonicTime
    private let owner = pthread_self()
    private let inbox = Lock<[@Sendable () -> Void]>([])
    /// By time, then by the order of the calls.
    private var timers: [Timer] = []

    /// A loop at some time after the beginning of its clock.
    public init(index: Int = 0, count: Int = 1) {
        self.index = index
        self.count = count
        now = MonotonicTime(nanoseconds: 1_000_000_000_000)
        currentTime = now
    }

    /// Whether the caller is on the thread that made the loop.
    public var isCurrent: Bool { pthread_equal(owner, pthread_self()) != 0 }

    /// How many timers have not fired.
    public var timerCount: Int { timers.count }

    /// Keeps the work until ``run()`` or ``advance(by:)``.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        inbox.withLock { $0.append(work) }
    }

    /// Keeps the work until time has moved that far.
    public func schedule(after delay: Duration, _ work: @escaping () -> Void) -> any EventLoopTimer {
        let timer = Timer(deadline: now + max(delay, .zero), loop: self, work: work)
        let place = timers.firstIndex { $0.deadline > timer.deadline } ?? timers.count
        timers.insert(timer, at: place)
        return timer
    }

    /// Lets time pass without running anything, as work that takes that long does, or a process that is stopped. Within
    /// work, ``now`` stays where it is until the work is done; timers that become due meanwhile fire late.
    public func stall(for duration: Duration) {
        currentTime = currentTime + max(duration, .zero)
    }

    /// Runs what it was given until now, and the timers that are due, as one round of a real loop does: what these give it
    /// waits for the next round. Returns whether there was anything to run.
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

    /// Runs what it was given, and what that gives it, until nothing is left to do now. Traps after a million blocks: then
    /// they feed each other.
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
            precondition(budget > 0, "a million blocks ran and there are more: they give each other work without end")
        }
    }

    /// Moves time on, from timer to timer, and runs all that becomes due on the way, each at its own time.
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
