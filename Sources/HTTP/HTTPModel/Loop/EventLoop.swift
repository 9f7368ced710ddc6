/// A thread of execution that owns connections and the objects that serve them. Objects that are confined to a loop are
/// accessed only on that loop. The server's loops use epoll; tests use a virtual loop.
public protocol EventLoop: AnyObject, Sendable {
    /// The index of this loop among the server's loops, from 0.
    var index: Int { get }

    /// The number of loops of the server.
    var count: Int { get }

    /// Whether the caller is running on this loop.
    var isCurrent: Bool { get }

    /// The time of the current round: cheap, monotonic, and constant during a round. Use it on the loop only.
    var now: MonotonicTime { get }

    /// The current time, even during a round, on the same clock as ``now``: cheap and coarse. It may lag by a few
    /// milliseconds and thus be before ``now``. Use it on the loop only.
    var currentTime: MonotonicTime { get }

    /// The current time of a loop whose clock is not that of the system; nil for others. Callable from any thread.
    var simulatedTime: MonotonicTime? { get }

    /// Runs work on the loop, later and in the order of the calls. Callable from any thread.
    func execute(_ work: @escaping @Sendable () -> Void)

    /// Runs work of a source on the loop, later and in the order of the calls for the same source. Sources take turns while the loop
    /// is busy, so a source with much work delays that of others by one piece of it. Callable from any thread.
    func execute(for source: WorkSource, _ work: @escaping @Sendable () -> Void)

    /// Whether the round has used up its time, so that work which can wait must be continued in a later one. Reads the clock, so ask
    /// it between two pieces of work, and not before the first. Use it on the loop only.
    var isRoundOver: Bool { get }

    /// Runs work on the loop as soon as it has nothing else to do, and at the latest after a delay. Call it on the loop only.
    ///
    /// For work that costs about the same however much it covers, such as a flush of the disk: a busy loop does it once for many
    /// requests, and an idle one does it at once.
    func executeWhenIdle(orAfter delay: Duration, _ work: @escaping @Sendable () -> Void)

    /// Runs work on the loop after a delay. Call it on the loop only. Delays have a resolution of a few milliseconds.
    func schedule(after delay: Duration, _ work: @escaping () -> Void) -> any EventLoopTimer

    /// Where the tasks of the sessions on this loop run; nil for Swift's thread pool. Not the loop's own thread: a task that
    /// computes for long would delay every session of the loop.
    var taskExecutor: (any TaskExecutor)? { get }
}

extension EventLoop {
    /// Nil, for loops that follow the clock of the system.
    public var simulatedTime: MonotonicTime? { nil }

    /// Swift's thread pool.
    public var taskExecutor: (any TaskExecutor)? { nil }

    /// Runs the work in the next round, for loops that do not know when they have nothing to do.
    public func executeWhenIdle(orAfter delay: Duration, _ work: @escaping @Sendable () -> Void) { execute(work) }

    /// Runs the work like any other, for loops that run all work in the order of the calls.
    public func execute(for source: WorkSource, _ work: @escaping @Sendable () -> Void) { execute(work) }

    /// False, for loops whose rounds have no limit.
    public var isRoundOver: Bool { false }

    /// The time of the current round, for loops whose time does not advance during a round.
    public var currentTime: MonotonicTime { now }
}

/// Scheduled work.
public protocol EventLoopTimer: AnyObject {
    /// Cancels the work unless it has run. Call it on the loop only.
    func cancel()
}
