import Locking

/// The loops that ride along with another, and those that want to. From any thread.
final class GuestRegistry: Sendable {
    private struct State {
        var waiting: [EpollEventLoop] = []
        var aboard: [EpollEventLoop] = []
        var isClosed = false
    }

    private let state = Lock(State())

    /// Queues a loop up; false if nobody is taken on board any more.
    func queue(_ loop: EpollEventLoop) -> Bool {
        state.withLock { state in
            if !state.isClosed { state.waiting.append(loop) }
            return !state.isClosed
        }
    }

    /// Takes on board those that wait, and gives them.
    func admit() -> [EpollEventLoop] {
        state.withLock { state in
            defer { state.waiting = [] }
            state.aboard += state.waiting
            return state.waiting
        }
    }

    /// All of them, who are the caller's from now on.
    func takeAll() -> [EpollEventLoop] {
        state.withLock { state in
            defer { (state.waiting, state.aboard) = ([], []) }
            return state.aboard + state.waiting
        }
    }

    /// One that was taken cannot leave now.
    func keep(_ loop: EpollEventLoop) {
        state.withLock { $0.aboard.append(loop) }
    }

    /// One leaves.
    func remove(_ loop: EpollEventLoop) {
        state.withLock { state in state.aboard.removeAll { $0 === loop } }
    }

    /// Turns away who comes later.
    func close() {
        state.withLock { $0.isClosed = true }
    }
}
