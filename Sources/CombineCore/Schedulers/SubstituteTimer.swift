import Locking

/// Runs an action again and again on a ``MainSubstitute``, by asking for the next run at each.
final class SubstituteTimer: Cancellable {
    private let substitute: any MainSubstitute
    private let interval: Duration
    private let lock = WordLock()
    /// These are guarded by `lock`; without an action the timer has been cancelled.
    @exclusivity(unchecked) private var action: (() -> Void)?
    @exclusivity(unchecked) private var token: (any Cancellable)?

    init(_ substitute: any MainSubstitute, _ interval: Duration, _ action: @escaping () -> Void) {
        self.substitute = substitute
        self.interval = interval
        self.action = action
    }

    deinit {
        stayOutOfClients()
        token?.cancel()
    }

    func start() {
        let next = substitute.schedule(after: interval) { [weak self] in self?.fire() }
        let isWanted = lock.withLock {
            guard action != nil else { return false }
            token = next
            return true
        }
        if !isWanted { next.cancel() }
    }

    private func fire() {
        guard let action = lock.withLock({ action }) else { return }
        start()
        action()
    }

    func cancel() {
        let former = lock.withLock {
            let taken = (action, token)
            action = nil
            token = nil
            return taken
        }
        former.1?.cancel()
    }
}
