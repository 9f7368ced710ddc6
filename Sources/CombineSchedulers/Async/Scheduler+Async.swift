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
                // Repeating, since only what repeats can be taken back; it is, before it could repeat.
                let token = schedule(
                    after: date, interval: .seconds(1), tolerance: tolerance ?? minimumTolerance, options: options
                ) { sleep.wake() }
                sleep.keep(token)
            }
        } onCancel: {
            sleep.cancel()
        }
    }

    /// The moments on this scheduler's clock, one `interval` apart, until the reading task ends or is cancelled.
    ///
    /// Moments that are not read at once are kept until they are.
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
