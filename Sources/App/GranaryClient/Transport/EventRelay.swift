import Dispatch
import Synchronization

/// Passes the events of one exchange on to the main actor, in order.
final class EventRelay: Sendable {
    private let receive: @MainActor (TransportEvent) -> Void
    private let limit: Int
    /// The received bytes that the main actor has not handled.
    private let pendingBytes = Atomic(0)
    private let isOver = Atomic(false)

    /// Creates a relay with a limit for the bytes that wait for the main actor.
    init(limit: Int, _ receive: @escaping @MainActor (TransportEvent) -> Void) {
        self.limit = limit
        self.receive = receive
    }

    /// Passes no further events on.
    func close() { isOver.store(true, ordering: .relaxed) }

    /// Passes an event on unless the exchange has ended. Returns false if too many bytes wait, which ends it.
    @discardableResult
    func pass(_ event: TransportEvent) -> Bool {
        guard case .bytes(let bytes) = event else {
            schedule(event, 0)
            return true
        }
        let waiting = pendingBytes.add(bytes.count, ordering: .relaxed).newValue
        guard waiting <= limit else {
            schedule(.failed(TransportFailure("the response arrives faster than it is handled")), bytes.count)
            return false
        }
        schedule(event, bytes.count)
        return true
    }

    private func schedule(_ event: TransportEvent, _ count: Int) {
        // The main queue rather than a task: it keeps the order.
        DispatchQueue.main.async { [self] in
            MainActor.assumeIsolated {
                pendingBytes.subtract(count, ordering: .relaxed)
                guard !isOver.load(ordering: .relaxed) else { return }
                switch event {
                case .finished, .failed: close()
                case .head, .bytes: break
                }
                receive(event)
            }
        }
    }
}
