import Locking

/// An action that schedules itself again. Where the scheduler runs it at once, it runs in a loop, so that the stack does not
/// grow with the number of rounds.
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
            progress.isLooping = progress.next != nil && !isDisposed
            return progress.isLooping ? progress.next : nil
        }
    }

    private func schedule(_ state: State) {
        let place = SingleAssignmentDisposable()
        guard let key = scheduled.insert(place) else { return }
        place.setDisposable(
            scheduler.schedule(state) { [self] state in
                scheduled.remove(for: key)
                if !isDisposed { action(state, run) }
                return Disposables.create()
            })
    }
}
