import Dispatch
import Synchronization

/// Checks a loop from another thread at short intervals, while the loop is active and for about a second afterwards.
///
/// Sendable: `timer` and `check` are constant, and `idleChecks` is accessed only by the timer's handler, which two
/// threads never run at the same time.
final class StallWatchdog: @unchecked Sendable {
    // Internal for the reason that `ConnectionOwnership.Holder` gives.
    enum State: UInt8, AtomicRepresentable {
        /// The timer runs.
        case checking
        /// The timer is suspended until the loop is active again.
        case suspended
        case cancelled
    }

    private static let interval = DispatchTimeInterval.milliseconds(25)
    private static let idleChecks = 40

    private let timer: any DispatchSourceTimer
    private let state = Atomic(State.checking)
    private let check: @Sendable () -> Bool
    private var idleChecks = 0

    /// Starts the checks. The closure is called on an arbitrary thread and returns whether the loop is active.
    init(_ check: @escaping @Sendable () -> Bool) {
        self.check = check
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "granary.watchdog"))
        timer.schedule(
            deadline: .now() + StallWatchdog.interval, repeating: StallWatchdog.interval, leeway: .milliseconds(5))
        timer.setEventHandler { [weak self] in self?.tick() }
        timer.activate()
    }

    deinit {
        cancel()
    }

    /// Resumes the checks, if they are suspended: the loop has become active.
    func resume() {
        if state.compareExchange(expected: .suspended, desired: .checking, ordering: .sequentiallyConsistent).exchanged
        {
            timer.resume()
        }
    }

    /// Ends the checks. Call it once.
    func cancel() {
        // Dispatch crashes when a suspended source is released, so a suspended timer is resumed after it was cancelled.
        switch state.exchange(.cancelled, ordering: .sequentiallyConsistent) {
        case .checking: timer.cancel()
        case .suspended:
            timer.cancel()
            timer.resume()
        case .cancelled: break
        }
    }

    private func tick() {
        idleChecks = check() ? 0 : idleChecks + 1
        guard idleChecks >= StallWatchdog.idleChecks else { return }
        idleChecks = 0
        timer.suspend()
        let isSuspended = state.compareExchange(
            expected: .checking, desired: .suspended, ordering: .sequentiallyConsistent
        ).exchanged
        // Cancelled in the meantime: `cancel()` saw a running timer and left it to this call to resume it.
        if !isSuspended { return timer.resume() }
        // The loop may have become active just before, when there was nothing to resume.
        if check() { resume() }
    }
}
