import CombineCore
import CombineSchedulers
import Locking

/// The clock of a hosted session. Tasks that sleep on it continue with a turn of the session, so that time is virtual where that of
/// the session is: in tests and in replays.
struct SessionClock: Clock {
    typealias Instant = TestClock<Duration>.Instant

    private let session: any MainSubstitute

    init(_ session: any MainSubstitute) {
        self.session = session
    }

    /// The time on the clock of the session's loop.
    var now: Instant { Instant(offset: session.now) }

    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let sleep = SessionSleep()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let wake = OneTimeResume(continuation)
                guard sleep.begin(wake) else { return wake.resume() }
                // Only the session's loop knows the exact time. If the session ends, the blocks are released, which wakes the task.
                session.schedule {
                    sleep.keep(session.schedule(after: now.duration(to: deadline)) { wake.resume() })
                }
            }
        } onCancel: {
            sleep.cancel()
        }
        try Task.checkCancellation()
    }
}

/// A task that sleeps on the clock of a session.
private final class SessionSleep: Sendable {
    private struct State {
        /// Resumes the task. Weak: the session's blocks retain it.
        weak var wake: OneTimeResume?
        var timer: UnsafeTransfer<any Cancellable>?
        var isCancelled = false
    }

    private let state = Lock(State())

    /// Stores the object that resumes the task. Returns false if the task has been cancelled.
    func begin(_ wake: OneTimeResume) -> Bool {
        state.withLock { state in
            state.wake = wake
            return !state.isCancelled
        }
    }

    /// Stores the timer, or cancels it if the task has been cancelled.
    func keep(_ timer: any Cancellable) {
        let kept = UnsafeTransfer(timer)
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.timer = kept }
            return state.isCancelled
        }
        if isCancelled { timer.cancel() }
    }

    /// Wakes the task because it was cancelled.
    func cancel() {
        let (wake, timer) = state.withLock { state in
            state.isCancelled = true
            defer { state.timer = nil }
            return (state.wake, state.timer)
        }
        timer?.value.cancel()
        wake?.resume()
    }
}
