import Locking

/// The loops that want to ride along with another, until that has taken them on board. From any thread.
final class Boarding: Sendable {
    private struct State {
        var waiting: [EpollEventLoop] = []
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

    /// Those that wait, who are the caller's from now on.
    func takeAll() -> [EpollEventLoop] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Turns away who comes later; gives those that wait.
    func close() -> [EpollEventLoop] {
        state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.waiting
        }
    }
}
