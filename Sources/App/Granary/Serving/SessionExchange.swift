import Locking

/// The hand-off of a server's sessions to the new server that takes over.
struct SessionExchange: Sendable {
    /// The stored sessions; nil if none are stored.
    let store: SessionStore?
    /// How long effects in flight may take.
    let patience: Duration
    /// How long turns in progress may take.
    let turnPatience: Duration
    /// Has the server accept new connections, or leave them in the queues of its sockets.
    let setAccepting: @Sendable (Bool) -> Void
    private let isCancelled = Lock(false)

    /// Releases the sessions: waits for effects in flight, stops accepting connections and taking turns, and stores everything.
    ///
    /// - Parameter released: Receives whether that is done. It is not if it was cancelled, or if turns have not ended in time.
    func release(_ released: @escaping @Sendable (Bool) -> Void) {
        isCancelled.withLock { $0 = false }
        guard let store else {
            setAccepting(false)
            return released(true)
        }
        store.release(
            within: patience, turnsWithin: turnPatience, isCancelled: { [isCancelled] in isCancelled.withLock { $0 } },
            // New clients wait for the new server, in which their requests succeed.
            willSuspend: { setAccepting(false) }, released: released)
    }

    /// Stops waiting for effects and turns, because no new server takes the sessions.
    func cancel() { isCancelled.withLock { $0 = true } }

    /// The descriptor of the lock of the released sessions; nil if none exists.
    var lock: Int32? { store?.lock }

    /// Continues to serve after the release. Does nothing if nothing was released.
    func takeBack() {
        store?.takeBack()
        setAccepting(true)
    }

    /// Leaves the sessions to the new server.
    ///
    /// - Parameter channel: The channel to it; nil if it has ended.
    func leave(over channel: Int32?) { store?.leave(to: channel.flatMap { SuccessorClient(channel: $0) }) }
}
