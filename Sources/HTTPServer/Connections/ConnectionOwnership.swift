import Synchronization

/// Which loop may touch a connection: the *owner*, in whose epoll set its socket is, or another loop that answers one of its
/// requests and to which the owner has lent it.
///
/// One atomic word is exchanged by both loops. What one of them wrote before, the other sees after. While the connection is
/// lent, the owner touches nothing of it but this value, its place in the loop's tables and its timer.
struct ConnectionOwnership: ~Copyable {
    private enum Holder: UInt8, AtomicRepresentable {
        case owner
        /// Another loop, which returns the connection without notice.
        case borrower
        /// Another loop, which notifies the owner when it returns the connection.
        case recalledBorrower
    }

    private let holder = Atomic(Holder.owner)
    /// The events that the socket reported while the connection was lent. Only the owner touches them; atomic, because a
    /// variable beside `holder` would make its accesses overlap with the borrower's.
    private let missed = Atomic<UInt32>(0)

    /// Returns whether the owner may touch the connection. If not, the borrower notifies the owner when it returns it,
    /// whatever the result of the request is. On the owner's loop.
    @inline(__always)
    borrowing func claim() -> Bool {
        if holder.load(ordering: .acquiring) == .owner { return true }
        // The borrower may return the connection between the load and the exchange. The exchange shows this, and the word
        // has to be put back then: nobody else would.
        guard holder.exchange(.recalledBorrower, ordering: .acquiringAndReleasing) == .owner else { return false }
        takeBack()
        return true
    }

    /// Returns whether the owner may touch the connection, and leaves it to the borrower otherwise. On the owner's loop.
    borrowing func isWithOwner() -> Bool { holder.load(ordering: .acquiring) == .owner }

    /// Lends the connection. On the owner's loop.
    ///
    /// - Parameter isRecalled: Whether the owner has something to do for the connection, so that it has to be notified.
    borrowing func lend(isRecalled: Bool) {
        holder.store(isRecalled ? .recalledBorrower : .borrower, ordering: .releasing)
    }

    /// Returns the connection on the borrower's loop. `false` if the owner has to be notified; it takes the connection back
    /// then.
    borrowing func returnWithoutNotice() -> Bool {
        holder.compareExchange(expected: .borrower, desired: .owner, ordering: .acquiringAndReleasing).exchanged
    }

    /// The owner was notified that the connection is returned.
    borrowing func takeBack() {
        // Relaxed: the notification, or the exchange before this, has ordered the borrower's writes before this store.
        holder.store(.owner, ordering: .relaxed)
    }

    /// Notes events of the socket for the time when the connection is returned.
    borrowing func miss(_ events: SocketEvents) {
        missed.store(missed.load(ordering: .relaxed) | events.rawValue, ordering: .relaxed)
    }

    /// Returns the events that were missed, and forgets them.
    borrowing func takeMissedEvents() -> SocketEvents {
        let events = SocketEvents(rawValue: missed.load(ordering: .relaxed))
        missed.store(0, ordering: .relaxed)
        return events
    }
}
