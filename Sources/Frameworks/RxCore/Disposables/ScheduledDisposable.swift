import Locking

/// A disposable that disposes of another one on a scheduler. May be used from any thread.
public final class ScheduledDisposable: Cancelable {
    /// The scheduler that runs the disposal.
    public let scheduler: any ImmediateSchedulerType
    private let lock = WordLock()
    /// Guarded by `lock`; nil once disposed of.
    @exclusivity(unchecked) private var disposable: (any Disposable)?

    /// Creates a disposable that disposes of `disposable` on `scheduler`.
    public init(scheduler: any ImmediateSchedulerType, disposable: any Disposable) {
        self.scheduler = scheduler
        self.disposable = disposable
    }

    /// Whether the disposal has run.
    public var isDisposed: Bool { lock.withLock { disposable == nil } }

    /// Schedules the disposal. The scheduled action retains this object until it has run.
    public func dispose() {
        _ = scheduler.schedule(self) { scheduled in
            scheduled.disposeNow()
            return Disposables.create()
        }
    }

    private func disposeNow() {
        let held: (any Disposable)? = lock.withLock {
            defer { disposable = nil }
            return disposable
        }
        held?.dispose()
    }
}
