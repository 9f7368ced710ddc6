/// A sequence of the times of a clock at an interval.
///
/// The times are on the grid that begins when the sequence is first iterated: a consumer that is slow skips those that it has missed.
public struct AsyncTimerSequence<C: Clock>: AsyncSequence, Sendable {
    /// A time of the clock.
    public typealias Element = C.Instant

    /// The times, one after another.
    public struct Iterator: AsyncIteratorProtocol {
        private var clock: C?
        private let interval: C.Duration
        private let tolerance: C.Duration?
        private var last: C.Instant?
        /// The largest number that every `Int` can represent.
        private static var maxMissed: Double { 0x1p53 }

        init(_ sequence: AsyncTimerSequence) {
            clock = sequence.clock
            interval = sequence.interval
            tolerance = sequence.tolerance
        }

        /// Waits for the next time. Returns nil when the task is cancelled.
        public mutating func next() async -> C.Instant? {
            guard let clock else { return nil }
            let now = clock.now
            var next = (last ?? now).advanced(by: interval)
            let missed = next.duration(to: now) / interval
            if missed > 0 { next = next.advanced(by: interval * Int(Swift.min(missed.rounded(.up), Self.maxMissed))) }
            do {
                try await clock.sleep(until: next, tolerance: tolerance)
            } catch {
                self.clock = nil
                return nil
            }
            last = next
            return clock.now
        }
    }

    private let clock: C
    private let interval: C.Duration
    private let tolerance: C.Duration?

    /// Creates a sequence. An interval that is not positive is taken as the clock's resolution, or ends the process if that is not
    /// positive either.
    public init(interval: C.Duration, tolerance: C.Duration? = nil, clock: C) {
        let resolution = interval > .zero ? interval : clock.minimumResolution
        precondition(resolution > .zero, "expected a positive interval, got \(interval)")
        self.interval = resolution
        self.tolerance = tolerance
        self.clock = clock
    }

    /// Returns an iterator over the times.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

extension Clock where Duration: Hashable {
    /// Returns a sequence of this clock's times at an interval.
    ///
    /// ```swift
    /// for await _ in clock.timer(interval: .seconds(1)) { await send(.tick) }
    /// ```
    public func timer(interval: Duration, tolerance: Duration? = nil) -> AsyncTimerSequence<AnyClock<Duration>> {
        AsyncTimerSequence(interval: interval, tolerance: tolerance, clock: AnyClock(self))
    }
}
