import CombineCore
import Locking

/// Whether and how a subject has terminated. May be used from any thread.
final class SubjectState {
    enum Phase {
        case open
        case completed
        case failed(any Error)
        case disposed
    }

    fileprivate let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) fileprivate var current = Phase.open

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

    /// Sends an event to all observers, unless the subject has already terminated.
    func send<Element>(_ event: Event<Element>, through core: some Subject<Element, any Error>) {
        switch event {
        case .next(let element):
            if isOpen { core.send(element) }
        case .error(let error):
            // The phase changes before observers are notified: one that subscribes again in that event must see the
            // end.
            if end(as: .failed(error)) { core.send(completion: .failure(error)) }
        case .completed:
            if end(as: .completed) { core.send(completion: .finished) }
        }
    }

    /// Marks the subject as disposed, whether or not it has terminated.
    func dispose() {
        lock.withLock { current = .disposed }
    }
}

extension SubjectState {
    var end: SubjectEnd {
        switch phase {
        case .open: .none
        case .completed: .completed
        case .failed: .failed
        case .disposed: .disposed
        }
    }

    /// Puts back a captured state.
    ///
    /// - Returns: The terminal event for the observers that subscribe from now on.
    func restore(_ end: SubjectEnd) -> Event<Never>? {
        lock.withLock {
            switch end {
            case .none:
                current = .open
                return nil
            case .completed:
                current = .completed
                return .completed
            case .failed:
                let error = RestoredError()
                current = .failed(error)
                return .error(error)
            case .disposed:
                current = .disposed
                return nil
            }
        }
    }
}

/// Whether and how a subject has terminated, in a captured state.
enum SubjectEnd: Int, Codable {
    case none
    case completed
    case failed
    case disposed
}

extension Subject where Failure == any Error {
    /// Ends a subject that had ended before the machine was restored.
    func restore(_ end: Event<Never>?) {
        switch end {
        case .completed: send(completion: .finished)
        case .error(let error): send(completion: .failure(error))
        case .next, .none: break
        }
    }
}
