/// The time of a client: production has the system's, tests advance theirs.
@MainActor
protocol ClientClock: AnyObject {
    /// The time since an arbitrary moment. It goes on while the system sleeps.
    var now: Duration { get }

    /// Runs work after a delay, unless the returned object is released.
    func schedule(after delay: Duration, _ work: @escaping @MainActor () -> Void) -> any ScheduledWork
}

/// Work that is due later. It is cancelled when the object is released.
@MainActor
protocol ScheduledWork: AnyObject {}

@MainActor
final class SystemClock: ClientClock {
    private let start = ContinuousClock.now

    var now: Duration { ContinuousClock.now - start }

    func schedule(after delay: Duration, _ work: @escaping @MainActor () -> Void) -> any ScheduledWork {
        SleepingTask(delay: delay, work)
    }

    private final class SleepingTask: ScheduledWork {
        private let task: Task<Void, Never>

        init(delay: Duration, _ work: @escaping @MainActor () -> Void) {
            task = Task { @MainActor in
                // Only a cancellation ends the pause early.
                guard (try? await Task.sleep(for: delay, clock: .continuous)) != nil, !Task.isCancelled else { return }
                work()
            }
        }

        deinit { task.cancel() }
    }
}
