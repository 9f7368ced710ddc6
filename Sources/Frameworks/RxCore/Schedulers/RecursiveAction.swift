import Locking

/// An action that schedules itself again.
///
/// If the scheduler runs it immediately, the repetitions run in a loop, so that the stack does not grow with their
/// number.
final class RecursiveAction<State>: Cancelable {
    private struct Progress {
        var next: State?
        var isLooping = false
    }

    private let scheduler: any ImmediateSchedulerType
    private let action: (State, (State) -> Void) -> Void
    private let scheduled = CompositeDisposable()
    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var progress = Progress()

    init(_ scheduler: any ImmediateSchedulerType, action: @escaping (State, (State) -> Void) -> Void) {
        self.scheduler = scheduler
        self.action = action
    }

    var isDisposed: Bool { scheduled.isDisposed }

    func dispose() {
        scheduled.dispose()
    }

    func run(_ state: State) {
        let isFirst = lock.withLock {
            defer { progress.isLooping = true }
            progress.next = state
            return !progress.isLooping
        }
        guard isFirst else { return }
        while let state = takeNext() { schedule(state) }
    }

    private func takeNext() -> State? {
        lock.withLock {
            defer { progress.next = nil }
            // Decided together with taking the state: a state that arrives after this starts its own loop.
            progress.isLooping = progress.next != nil && !isDisposed
            return progress.isLooping ? progress.next : nil
        }
    }

    private func schedule(_ state: State) {
        let pending = SingleAssignmentDisposable()
        guard let key = scheduled.insert(pending) else { return }
        pending.setDisposable(
            scheduler.schedule(state) { [self] state in
                // Removed now, so that the group does not grow with the number of repetitions.
                scheduled.remove(for: key)
                if !isDisposed { action(state, run) }
                return Disposables.create()
            })
    }
}
