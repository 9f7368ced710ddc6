import CLinux
import HTTPModel
import Locking

/// A connection in flight from the loop that accepted it to the loop that will serve it. It counts as a connection in
/// the meantime, so that the server does not stop before it arrives. If it never arrives, it is closed.
final class AcceptedConnection: Sendable {
    let peer: HTTPPeer
    private let descriptor: Lock<Int32>
    private let gauge: ConnectionGauge

    init(_ descriptor: Int32, _ peer: HTTPPeer, gauge: ConnectionGauge) {
        self.descriptor = Lock(descriptor)
        self.peer = peer
        self.gauge = gauge
        // The limit is checked when the connection is opened, with the response that belongs to it.
        _ = gauge.enter()
    }

    deinit {
        let left = take()
        if left >= 0 { granary_close(left) }
        gauge.leave()
    }

    /// Returns the socket, which then belongs to the caller.
    func take() -> Int32 {
        descriptor.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
    }
}
