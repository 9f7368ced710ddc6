import CLinux
import HTTP1
import HTTPModel

// The way to another loop, between two requests.
extension Connection {
    /// Moves the connection to another loop, where the request is answered.
    func handOver(to target: ServerLoop, _ message: HTTP1Message) {
        context.loop.remove(self)
        state = .arrived(message)
        wait = .nothing
        // The other epoll set tells anew what the socket is ready for.
        flags.remove(.canRead)
        let passenger = Passenger(connection: self)
        target.loop.execute { passenger.connection.arrive(at: target) }
    }

    private func arrive(at target: ServerLoop) {
        context = target
        let readiness = flags.contains(.watchesWriting) ? Connection.watched | granary_writable : Connection.watched
        guard context.loop.add(self, for: readiness) >= 0 else {
            state = .closed
            granary_close(descriptor)
            return context.gauge.leave()
        }
        step()
    }

    /// Carries a connection over: the loop that sends it has forgotten it, and only the one that receives it touches it
    /// from then on.
    private struct Passenger: @unchecked Sendable {
        let connection: Connection
    }
}
