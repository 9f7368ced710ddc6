import Locking

/// How a subject has ended, if it has. May be used from any thread.
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

    var situation: Situation { lock.withLock { current } }

    var isOpen: Bool {
        if case .open = situation { true } else { false }
    }

    var isDisposed: Bool {
        if case .disposed = situation { true } else { false }
    }

    /// Sets the situation and returns true, unless the subject has already ended.
    func become(_ situation: Situation) -> Bool {
        lock.withLock {
            guard case .open = current else { return false }
            current = situation
            return true
        }
    }

    /// Marks the subject as disposed, whether or not it has ended.
    func dispose() {
        lock.withLock { current = .disposed }
    }
}
