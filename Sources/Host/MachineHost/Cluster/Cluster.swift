import HTTPModel

/// What one of several nodes that share a journal may do, and must do: renew its lease, serve a session or claim it, fence a node that has
/// stopped.
///
/// The journal protects what is stored: it rejects whatever a fenced node sends. The lease protects what is read: a node that cannot renew
/// it serves nothing from its memory after a deadline, and the others do not fence the node before.
///
/// The owner of the value performs its actions and reports their results. Times are those of a clock that also runs while the system is
/// suspended, so that a node that wakes up knows that its deadline has passed.
struct Cluster {
    /// The time from the sending of a renewal to the deadline, and the time for which a lease must be seen unchanged.
    static let term = Duration.seconds(5)
    /// The time between two renewals.
    static let interval = Duration.seconds(1)
    /// The longest time between two looks at the leases that still belong together.
    // After a longer one, the journal may have been unavailable to all nodes, which are then about to renew their leases.
    static let longestGap = Duration.seconds(2)
    /// The longest time for which requests wait for a move.
    static let patience = Duration.milliseconds(100)

    enum Action: Equatable {
        /// Renew the lease, and report ``leaseWasRenewed(sentAt:_:now:)`` or ``wasFenced()``.
        case renew
        /// Fence a node, if its lease has not changed.
        case fence(NodeLease)
        /// Stop reads, and end the streams with `rotated`, until the lease is renewed: the deadline has passed.
        case suspend
        /// Drop a session, and end its streams with `rotated`: another node holds it.
        case drop(StoredSessionID)
        /// Drop all sessions, and end all streams with `rotated`: this node was fenced.
        case dropAll
    }

    /// What happens to a request for a session.
    enum Decision: Equatable {
        /// This node holds the session.
        case serve
        /// Claim the session, and report ``claimHasEnded(_:_:)``. The request waits.
        case claim
        /// Wait until the session is claimed or moved, and decide again; refuse the request at the time.
        case wait(until: MonotonicTime?)
        /// Respond with 503: the node may not know what others have stored.
        case refuse
    }

    private enum Lease {
        case held(until: MonotonicTime)
        case lapsed
        case fenced
    }

    private enum Place {
        case claiming
        case held(epoch: Int64)
        case moving(epoch: Int64, until: MonotonicTime)
    }

    let node: NodeID
    private var lease: Lease
    private var places: [StoredSessionID: Place] = [:]
    /// When this node has first seen the present counters of the others' leases.
    private var seen: [NodeID: (counter: Int64, since: MonotonicTime)] = [:]
    private var lastLook: MonotonicTime?
    private var nextRenewal: MonotonicTime
    private var isRenewing = false

    /// - Parameters:
    ///   - node: This node.
    ///   - time: When it has begun to join, which is its first renewal.
    init(node: NodeID, joinedAt time: MonotonicTime) {
        self.node = node
        lease = .held(until: time + Cluster.term)
        nextRenewal = time + Cluster.interval
    }

    /// The time before which the node may read from its memory; nil if its deadline has passed.
    var deadline: MonotonicTime? {
        if case .held(let until) = lease { until } else { nil }
    }

    /// When ``tick(now:)`` must be called next; nil if only when something else is reported.
    var nextTick: MonotonicTime? {
        if case .fenced = lease { return nil }
        return .earliest(deadline, isRenewing ? nil : nextRenewal)
    }

    /// Returns the number under which this node holds a session, for its batches; nil if it does not hold it.
    func epoch(of session: StoredSessionID) -> Int64? {
        switch places[session] {
        case .held(let epoch), .moving(let epoch, _): epoch
        case .claiming, nil: nil
        }
    }
}

// Leases.
extension Cluster {
    mutating func tick(now: MonotonicTime) -> [Action] {
        if case .fenced = lease { return [] }
        var actions: [Action] = []
        if let deadline, now >= deadline {
            lease = .lapsed
            actions.append(.suspend)
        }
        if !isRenewing, now >= nextRenewal {
            isRenewing = true
            actions.append(.renew)
        }
        return actions
    }

    /// - Parameters:
    ///   - sent: A time before the renewal was sent, for the first time if it had to be repeated.
    ///   - leases: The leases of all nodes.
    mutating func leaseWasRenewed(sentAt sent: MonotonicTime, _ leases: [NodeLease], now: MonotonicTime) -> [Action] {
        assert(sent <= now, "expected a renewal that was sent before it is confirmed")
        if case .fenced = lease { return [] }
        isRenewing = false
        nextRenewal = sent + Cluster.interval
        // A confirmation may be so late that it confirms nothing.
        if now < sent + Cluster.term { lease = .held(until: sent + Cluster.term) }
        return look(at: leases, now: now)
    }

    private mutating func look(at leases: [NodeLease], now: MonotonicTime) -> [Action] {
        let isContinuous = lastLook.map { now - $0 <= Cluster.longestGap } == true
        lastLook = now
        let former = isContinuous ? seen : [:]
        seen = [:]
        var actions: [Action] = []
        for other in leases where other.node != node {
            var since = now
            if let known = former[other.node], known.counter == other.counter {
                // The other one sent the renewal before it was seen here, so its deadline has passed.
                if now - known.since >= Cluster.term { actions.append(.fence(other)) } else { since = known.since }
            }
            seen[other.node] = (other.counter, since)
        }
        return actions
    }

    /// Called when the journal has rejected something because this node is fenced, which is final.
    mutating func wasFenced() -> [Action] {
        if case .fenced = lease { return [] }
        lease = .fenced
        places = [:]
        return [.dropAll]
    }
}

// Sessions.
extension Cluster {
    /// Returns what happens to a request for a session.
    mutating func locate(_ session: StoredSessionID, now: MonotonicTime) -> Decision {
        guard let deadline, now < deadline else { return .refuse }
        switch places[session] {
        case .held: return .serve
        case .claiming: return .wait(until: nil)
        case .moving(_, let until): return now < until ? .wait(until: until) : .refuse
        case nil:
            places[session] = .claiming
            return .claim
        }
    }

    /// - Parameter holder: What the journal has returned.
    /// - Returns: The other node that holds the session, to which its requests are passed on; nil if this one holds it, or it is not stored.
    mutating func claimHasEnded(_ session: StoredSessionID, _ holder: SessionHolder?) -> SessionHolder? {
        guard case .claiming = places[session] else { return nil }
        places[session] = holder.flatMap { $0.node == node ? .held(epoch: $0.epoch) : nil }
        return holder.flatMap { $0.node == node ? nil : $0 }
    }

    /// Called when this node creates a session.
    mutating func sessionWasCreated(_ session: StoredSessionID) {
        assert(places[session] == nil, "expected a new session")
        places[session] = .held(epoch: 0)
    }

    /// Called when a batch is stored, after which its new sessions are no longer new.
    mutating func batchWasStored(under epochs: [StoredSessionID: Int64]) {
        for (session, epoch) in epochs where epoch == 0 {
            if case .held(epoch: 0) = places[session] { places[session] = .held(epoch: 1) }
        }
    }

    /// Called when the journal has rejected a batch, because other nodes hold some of its sessions.
    mutating func sessionsWereLost(_ sessions: [StoredSessionID]) -> [Action] {
        sessions.compactMap { places.removeValue(forKey: $0) == nil ? nil : .drop($0) }
    }

    /// Called when a session has left the memory of this node. The node still holds it, and claims it again when it is requested.
    mutating func sessionWasReleased(_ session: StoredSessionID) {
        if case .held = places[session] { places[session] = nil }
    }

    /// Begins to move a session to another node: its requests wait, its snapshot must be stored, and then the journal must pass it on.
    ///
    /// - Returns: The number under which this node holds the session; nil if the session cannot be moved at the moment.
    // This node serves no reads meanwhile: the other one may run turns before this one knows that the session was passed on.
    mutating func move(_ session: StoredSessionID, now: MonotonicTime) -> Int64? {
        guard case .held(let epoch) = places[session], epoch > 0, let deadline, now < deadline else { return nil }
        places[session] = .moving(epoch: epoch, until: now + Cluster.patience)
        return epoch
    }

    /// - Parameter holder: What the journal has returned.
    mutating func moveHasEnded(_ session: StoredSessionID, _ holder: SessionHolder?) -> [Action] {
        guard case .moving = places[session] else { return [] }
        places[session] = holder.flatMap { $0.node == node ? .held(epoch: $0.epoch) : nil }
        return places[session] == nil ? [.drop(session)] : []
    }
}
