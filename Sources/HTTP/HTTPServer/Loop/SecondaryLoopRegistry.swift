import Locking

/// The secondary loops that are attached to a primary loop or request it. Usable from any thread.
final class SecondaryLoopRegistry: Sendable {
    private struct State {
        var waiting: [EpollEventLoop] = []
        var attached: [EpollEventLoop] = []
        var isClosed = false
    }

    private let state = Lock(State())

    /// Adds a loop that requests to be attached. Returns `false` if the primary loop no longer attaches any.
    func request(_ loop: EpollEventLoop) -> Bool {
        state.withLock { state in
            if !state.isClosed { state.waiting.append(loop) }
            return !state.isClosed
        }
    }

    /// Attaches all waiting loops and returns them.
    func attachWaiting() -> [EpollEventLoop] {
        state.withLock { state in
            defer { state.waiting = [] }
            state.attached += state.waiting
            return state.waiting
        }
    }

    /// Removes and returns all loops, which then belong to the caller.
    func removeAll() -> [EpollEventLoop] {
        state.withLock { state in
            defer { (state.waiting, state.attached) = ([], []) }
            return state.attached + state.waiting
        }
    }

    /// Returns a loop that could not be detached to the registry.
    func restore(_ loop: EpollEventLoop) {
        state.withLock { $0.attached.append(loop) }
    }

    func remove(_ loop: EpollEventLoop) {
        state.withLock { state in state.attached.removeAll { $0 === loop } }
    }

    /// Rejects all later requests.
    func close() {
        state.withLock { $0.isClosed = true }
    }
}
