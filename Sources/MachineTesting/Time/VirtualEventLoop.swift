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
    /// The time that the test has come to.
    public private(set) var now: MonotonicTime
    private let owner = pthread_self()
    private let inbox = Lock<[@Sendable () -> Void]>([])
    /// By time, then by the order of the calls.
    private var timers: [Timer] = []

    /// A loop at some time after the beginning of its clock.
    public init(index: Int = 0, count: Int = 1) {
        self.index = index
        self.count = count
        now = MonotonicTime(nanoseconds: 1_000_000_000_000)
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

    /// Runs what it was given, and what that gives it, until nothing is left to do now. Traps after a million blocks: then
    /// they feed each other.
    public func run() {
        var budget = 1_000_000
        while true {
            let batch = inbox.withLock { inbox in
                defer { inbox = [] }
                return inbox
            }
            guard !batch.isEmpty else { return }
            for work in batch { work() }
            budget -= batch.count
            precondition(budget > 0, "a million blocks ran and there are more: they give each other work without end")
        }
    }

    /// Moves time on, from timer to timer, and runs all that becomes due on the way, each at its own time.
    public func advance(by duration: Duration) {
        let end = now + duration
        run()
        while let next = timers.first, next.deadline <= end {
            timers.removeFirst()
            now = max(now, next.deadline)
            next.work()
            run()
        }
        now = end
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
