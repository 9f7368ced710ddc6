import Locking

/// A log of events, and the callers that wait for a number of them.
final class EventLog: Sendable {
    private struct State {
        var events: [String] = []
        var readers: [(count: Int, continuation: CheckedContinuation<[String], Never>)] = []
    }

    private let state = Lock(State())

    /// The events so far.
    var events: [String] { state.withLock { $0.events } }

    func note(_ event: String) {
        state.withLock { $0.events.append(event) }
        tellReaders()
    }

    /// Returns when the log has the given number of events.
    func first(_ count: Int) async -> [String] {
        await withCheckedContinuation { continuation in
            state.withLock { $0.readers.append((count, continuation)) }
            tellReaders()
        }
    }

    private func tellReaders() {
        let (events, ready) = state.withLock { state in
            let count = state.events.count
            let ready = state.readers.filter { $0.count <= count }
            state.readers.removeAll { $0.count <= count }
            return (state.events, ready)
        }
        for reader in ready { reader.continuation.resume(returning: events) }
    }
}
