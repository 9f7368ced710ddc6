import Locking

/// Whether and how a subject has terminated. May be used from any thread.
final class Ending {
    enum Situation {
        case open
        case completed
        case failed(any Error)
        case disposed
    }

    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var current = Situation.open

    deinit {
        stayOutOfClients()
    }

    var situation: Situation { lock.withLock { current } }

    var isOpen: Bool {
        if case .open = situation { true } else { false }
    }

    var isDisposed: Bool {
        if case .disposed = situation { true } else { false }
    }

    /// Sets the terminal phase and returns true, unless the subject has already terminated.
    func become(_ situation: Situation) -> Bool {
        lock.withLock {
            guard case .open = current else { return false }
            current = situation
            return true
        }
    }

    /// Marks the subject as disposed, whether or not it has terminated.
    func dispose() {
        lock.withLock { current = .disposed }
    }
}
