import Locking

/// A clock on which no sleep takes time, for tests and previews of code that need not wait.
///
/// A sleep moves the clock to its end.
public final class ImmediateClock<Duration: DurationProtocol & Hashable>: Clock, Sendable {
    /// A time on the clock.
    public typealias Instant = TestClock<Duration>.Instant

    private let state: Lock<Instant>

    /// Zero.
    public var minimumResolution: Duration { .zero }

    /// Creates a clock that shows a time; its beginning by default.
    public init(now: Instant = Instant()) {
        state = Lock(now)
    }

    /// The time that the clock shows.
    public var now: Instant { state.withLock { $0 } }

    /// Moves the clock to a time, and lets other tasks run.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        state.withLock { $0 = max($0, deadline) }
        await ReadyTasks.run()
        try Task.checkCancellation()
    }
}

extension ImmediateClock where Duration == Swift.Duration {
    /// Creates a clock of the standard library's durations that shows its beginning.
    public convenience init() {
        self.init(now: Instant())
    }
}

extension Clock where Self == ImmediateClock<Swift.Duration> {
    /// A clock on which no sleep takes time.
    public static var immediate: Self { ImmediateClock() }
}
