import CLinux
import HTTP1
import HTTPModel
import Locking

// The way to another loop, between two requests.
extension Connection {
    /// Requests for one other loop in a row after which the connection lives there. A gateway's connection, whose
    /// requests are for all loops, stays where it is.
    static let visitsBeforeMoving: UInt32 = 8

    /// Where a request for another loop is answered: there, with the connection moved for good, if it is likely to go on
    /// like that (its first request says whose it is, and so do many in a row); otherwise on a visit.
    func leave(for target: ServerLoop, _ message: HTTP1Message) {
        let index = Int32(truncatingIfNeeded: target.loop.index)
        visits = lastVisited == index ? visits + 1 : 1
        lastVisited = index
        // Unsent answers stand before this one, and this loop is told when the socket takes them.
        if flags.contains(.isFresh) || visits >= Connection.visitsBeforeMoving || !unsent.isEmpty {
            flags.remove(.isFresh)
            visits = 0
            state = .arrived(message)
            moveIn(with: target)
        } else {
            visit(target, message)
        }
    }

    /// Follows an answer that is given on another loop.
    func depart(for target: ServerLoop, _ prospect: Prospect) {
        state =
            switch prospect {
            case .made(let response): .answered(response)
            case .promised(let promise): .promised(promise)
            }
        moveIn(with: target)
    }

    /// Moves the connection to another loop, where it goes on with what its state says.
    func moveIn(with target: ServerLoop) {
        context.loop.unmark(self)
        context.loop.remove(self)
        wait = .nothing
        // The other epoll set tells anew what the socket is ready for.
        flags.remove(.canRead)
        let connection = UnsafeTransfer(self)
        target.loop.execute { connection.value.arrive(at: target) }
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
}
