/// A clock of any type with a type of durations.
///
/// Unlike `any Clock<Duration>`, it has times: those since it was created.
public final class AnyClock<Duration: DurationProtocol & Hashable>: Clock, Sendable {
    /// A time on the clock.
    public typealias Instant = TestClock<Duration>.Instant

    private let read: @Sendable () -> Instant
    private let readResolution: @Sendable () -> Duration
    private let sleep: @Sendable (Instant, Duration?) async throws -> Void

    /// Creates a clock that uses another one.
    public init<C: Clock>(_ clock: C) where C.Duration == Duration {
        // On demand: a clock that must not be used would report that its time is read here.
        let start = Start<C>(clock)
        read = { Instant(offset: start.value.duration(to: clock.now)) }
        readResolution = { clock.minimumResolution }
        sleep = { try await clock.sleep(until: start.value.advanced(by: $0.offset), tolerance: $1) }
    }

    /// The time since the clock was first used.
    public var now: Instant { read() }

    /// The smallest duration that the clock can measure.
    public var minimumResolution: Duration { readResolution() }

    /// Suspends the calling task until a time.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await sleep(deadline, tolerance)
    }
}
