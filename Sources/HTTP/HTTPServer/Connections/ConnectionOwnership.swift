import Synchronization

/// The loop that may access a connection: the *owner*, whose epoll set contains its socket, or another loop that has
/// borrowed the connection in order to respond to one of its requests.
///
/// Both loops exchange one atomic word. Writes of one loop before the exchange are visible to the other loop after it.
/// While the connection is lent, the owner accesses only this value, the connection's place in the loop's tables, and
/// its timer.
struct ConnectionOwnership: ~Copyable {
    // Internal, because the compiler (6.3.1) gives a private conformance a local symbol, and then fails when it optimizes
    // file by file, as for the fuzzers.
    enum Holder: UInt8, AtomicRepresentable {
        case owner
        /// Another loop, which returns the connection without notice.
        case borrower
        /// Another loop, which notifies the owner when it returns the connection.
        case recalledBorrower
    }

    private let holder = Atomic(Holder.owner)
    /// The events that the socket reported while the connection was lent. Only the owner accesses them. Atomic, because
    /// accesses to an ordinary variable next to `holder` would overlap with those of the borrower.
    private let missed = Atomic<UInt32>(0)

    /// Returns whether the owner may access the connection. If not, the borrower will notify the owner when it returns
    /// the connection, regardless of the result of the request. On the owner's loop.
    @inline(__always)
    borrowing func claim() -> Bool {
        if holder.load(ordering: .acquiring) == .owner { return true }
        // The borrower may return the connection between the load and the exchange. The exchange detects this, and the
        // word must then be restored here, because no other code would do so.
        guard holder.exchange(.recalledBorrower, ordering: .acquiringAndReleasing) == .owner else { return false }
        takeBack()
        return true
    }

    /// Returns whether the owner may access the connection, without notifying the borrower otherwise. On the owner's
    /// loop.
    borrowing func isWithOwner() -> Bool { holder.load(ordering: .acquiring) == .owner }

    /// Lends the connection. On the owner's loop.
    ///
    /// - Parameter isRecalled: Whether the owner has work for the connection, so that it must be notified.
    borrowing func lend(isRecalled: Bool) {
        holder.store(isRecalled ? .recalledBorrower : .borrower, ordering: .releasing)
    }

    /// Returns the connection to the owner, on the borrower's loop. Returns `false` if the owner must be notified,
    /// which then takes the connection back.
    borrowing func returnWithoutNotice() -> Bool {
        holder.compareExchange(expected: .borrower, desired: .owner, ordering: .acquiringAndReleasing).exchanged
    }

    /// Takes the connection back after the owner was notified.
    borrowing func takeBack() {
        // Relaxed: the notification, or the exchange before this, has ordered the borrower's writes before this store.
        holder.store(.owner, ordering: .relaxed)
    }

    /// Records events of the socket until the connection is returned.
    borrowing func recordMissedEvents(_ events: SocketEvents) {
        missed.store(missed.load(ordering: .relaxed) | events.rawValue, ordering: .relaxed)
    }

    borrowing func takeMissedEvents() -> SocketEvents {
        let events = SocketEvents(rawValue: missed.load(ordering: .relaxed))
        missed.store(0, ordering: .relaxed)
        return events
    }
}
