/// A thread of execution that owns connections and what they ask for: everything confined to a loop is touched on it
/// only. The server's loops run on epoll; tests use a virtual one.
public protocol EventLoop: AnyObject, Sendable {
    /// Which of the server's loops this is, from 0.
    var index: Int { get }

    /// How many loops the server has.
    var count: Int { get }

    /// Whether the caller is on this loop now.
    var isCurrent: Bool { get }

    /// The time of the loop's present round: cheap, monotonic, and the same throughout a round. On the loop only.
    var now: MonotonicTime { get }

    /// The time now, even in the middle of a round, on the same clock as ``now``: cheap and coarse. It may lag
    /// by a few milliseconds, and so lie before ``now``. On the loop only.
    var currentTime: MonotonicTime { get }

    /// Runs the work on the loop, later and in the order of the calls. From anywhere.
    func execute(_ work: @escaping @Sendable () -> Void)

    /// Runs the work on the loop once the delay has passed. On the loop only. Ticks are no finer than a
    /// few milliseconds.
    func schedule(after delay: Duration, _ work: @escaping () -> Void) -> any EventLoopTimer
}

extension EventLoop {
    /// The time of the present round, for a loop whose time stands still during a round.
    public var currentTime: MonotonicTime { now }
}

/// Work that is to run later.
public protocol EventLoopTimer: AnyObject {
    /// Forgets the work unless it has run. On the loop only.
    func cancel()
}
