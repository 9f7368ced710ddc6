import Locking

/// Whether and how a subject has terminated. May be used from any thread.
final class SubjectState {
    enum Phase {
        case open
        case completed
        case failed(any Error)
        case disposed
    }

    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var current = Phase.open

    var phase: Phase { lock.withLock { current } }

    var isOpen: Bool {
        if case .open = phase { true } else { false }
    }

    var isDisposed: Bool {
        if case .disposed = phase { true } else { false }
    }

    /// Sets the terminal phase and returns true, unless the subject has already terminated.
    func end(as phase: Phase) -> Bool {
        lock.withLock {
            guard case .open = current else { return false }
            current = phase
            return true
        }
    }

    /// Marks the subject as disposed, whether or not it has terminated.
    func dispose() {
        lock.withLock { current = .disposed }
    }
}
