import Locking

/// The guests of a host loop and the loops that want to become guests. Usable from any thread.
final class GuestRegistry: Sendable {
    private struct State {
        var waiting: [EpollEventLoop] = []
        var admitted: [EpollEventLoop] = []
        var isClosed = false
    }

    private let state = Lock(State())

    /// Adds a loop that wants to become a guest. Returns `false` if the host no longer accepts guests.
    func request(_ loop: EpollEventLoop) -> Bool {
        state.withLock { state in
            if !state.isClosed { state.waiting.append(loop) }
            return !state.isClosed
        }
    }

    /// Admits all waiting loops and returns them.
    func admitWaiting() -> [EpollEventLoop] {
        state.withLock { state in
            defer { state.waiting = [] }
            state.admitted += state.waiting
            return state.waiting
        }
    }

    /// Removes and returns all loops, which then belong to the caller.
    func removeAll() -> [EpollEventLoop] {
        state.withLock { state in
            defer { (state.waiting, state.admitted) = ([], []) }
            return state.admitted + state.waiting
        }
    }

    /// Returns a loop that could not be detached to the registry.
    func restore(_ loop: EpollEventLoop) {
        state.withLock { $0.admitted.append(loop) }
    }

    /// Removes a guest that leaves.
    func remove(_ loop: EpollEventLoop) {
        state.withLock { state in state.admitted.removeAll { $0 === loop } }
    }

    /// Rejects all later requests.
    func close() {
        state.withLock { $0.isClosed = true }
    }
}
