public import CombineCore
import Locking

extension Scheduler {
    /// Suspends the calling task until `interval` has passed on this scheduler's clock.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    nonisolated(nonsending) public func sleep(
        for interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride? = nil,
        options: SchedulerOptions? = nil
    ) async throws {
        try await sleep(until: now.advanced(by: interval), tolerance: tolerance, options: options)
    }

    /// Suspends the calling task until this scheduler's clock reaches `date`.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    nonisolated(nonsending) public func sleep(
        until date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride? = nil, options: SchedulerOptions? = nil
    ) async throws {
        let sleep = Sleep()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (sleeper: CheckedContinuation<Void, any Error>) in
                guard sleep.begin(sleeper) else { return }
                // Scheduled as repeating because only repeating actions return a token that cancels them. It is
                // cancelled before it repeats.
                let token = schedule(
                    after: date, interval: .seconds(1), tolerance: tolerance ?? minimumTolerance, options: options
                ) { sleep.wake() }
                sleep.keep(token)
            }
        } onCancel: {
            sleep.cancel()
        }
    }

    /// Returns a stream of this scheduler's time, one value per `interval`, until the reading task ends or is
    /// cancelled.
    ///
    /// Values are buffered until they are read.
    public func timer(
        interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride? = nil,
        options: SchedulerOptions? = nil
    ) -> AsyncStream<SchedulerTimeType> where SchedulerTimeType: Sendable {
        let (stream, continuation) = AsyncStream<SchedulerTimeType>.makeStream()
        let token = schedule(
            after: now.advanced(by: interval), interval: interval, tolerance: tolerance ?? minimumTolerance,
            options: options
        ) { continuation.yield(now) }
        let kept = Lock<(any Cancellable)?>(token)
        continuation.onTermination = { _ in
            let taken = kept.withLock { kept in
                let taken = kept
                kept = nil
                return taken
            }
            taken?.cancel()
        }
        return stream
    }
}
