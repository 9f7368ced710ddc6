import CLinux
import HTTPModel
import Locking

/// A connection on its way from the loop that has accepted it to the one that it is dealt to. Until it is there it counts as
/// one, so that the server does not end meanwhile; if it never gets there it is closed.
final class AcceptedConnection: Sendable {
    /// Who is at its other end.
    let peer: HTTPPeer
    private let descriptor: Lock<Int32>
    private let gauge: ConnectionGauge

    init(_ descriptor: Int32, _ peer: HTTPPeer, gauge: ConnectionGauge) {
        self.descriptor = Lock(descriptor)
        self.peer = peer
        self.gauge = gauge
        _ = gauge.enter()
    }

    deinit {
        let left = take()
        if left >= 0 { granary_close(left) }
        gauge.leave()
    }

    /// The socket, which is the taker's from now on.
    func take() -> Int32 {
        descriptor.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
    }
}
