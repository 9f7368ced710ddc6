import Access
import HTTPModel
import Locking
import Synchronization

/// The sessions and stored bytes of each client on all loops, which count toward its quotas. Shared by all loops and the journal's
/// thread.
///
/// Loops count new sessions. The journal's thread counts bytes, and removes stored sessions, when they are stored, because it
/// sees everything that is: the rows of turns, the snapshots, and the ends of sessions that sleep.
final class HostQuotas: Sendable {
    // Taken when a session begins or ends, once for each batch that is stored, and for inputs only while a client is over its
    // quota of bytes.
    private let holdings: Lock<SessionHoldings<StoredSessionID>>
    private let counts: Atomic<Bool>
    private let fullness = Atomic(false)

    init(_ limits: QuotaTable.Limits) {
        holdings = Lock(SessionHoldings(limits))
        counts = Atomic(HostQuotas.limitsSessions(limits))
    }

    private static func limitsSessions(_ limits: QuotaTable.Limits) -> Bool {
        limits.sessions != nil || limits.bytes != nil
    }

    /// Whether sessions are counted. If they were not when the host was created, only later ones are.
    var isActive: Bool { counts.load(ordering: .relaxed) }

    func held(_ resource: QuotaResource, by key: LimitKey) -> Int { holdings.withLock { $0.held(resource, by: key) } }

    var sessionCount: Int { holdings.withLock { $0.count } }

    func replace(_ limits: QuotaTable.Limits) {
        change { $0.limits = limits }
        // Never back: what is not counted now would be missing when the limits return.
        if HostQuotas.limitsSessions(limits) { counts.store(true, ordering: .relaxed) }
    }

    func create(_ id: StoredSessionID, for keys: LimitKeys) throws(SessionHoldings<StoredSessionID>.Refusal) {
        guard isActive else { return }
        try holdings.withLock { holdings throws(SessionHoldings<StoredSessionID>.Refusal) in
            try holdings.create(id, for: keys)
        }
    }

    /// Removes a session that has ended and is not stored.
    func end(_ id: @autoclosure () -> StoredSessionID) {
        guard isActive else { return }
        let id = id()
        change { $0.end(id) }
    }

    /// Whether a client has reached its quota of bytes, so that inputs may be refused.
    var isAnyFull: Bool { fullness.load(ordering: .relaxed) }

    /// Returns the refusal of an input to a session; nil if its client is within its quota.
    func refusalToGrow(_ id: StoredSessionID) -> SessionHoldings<StoredSessionID>.Refusal? {
        holdings.withLock { $0.refusalToGrow(id) }
    }

    /// Counts what was stored.
    func note(_ batch: JournalBatch) {
        change { holdings in
            for change in batch.changes {
                switch change {
                case .append(let row): holdings.grow(row.session, by: row.content.count)
                case .store(let snapshot) where snapshot.summary.hasEnded: holdings.end(snapshot.summary.id)
                case .store(let snapshot): holdings.setSize(of: snapshot.summary.id, snapshot.content.count)
                case .remove(let id): holdings.end(id)
                case .update, .set, .note, .removeNotes: break
                }
            }
        }
    }

    /// Counts a session that an earlier process has stored.
    func restore(_ entry: JournalEntry, opening seal: SessionSeal) {
        guard let snapshot = entry.snapshot, !snapshot.summary.hasEnded,
            let stored = try? StoredSession(entry, opening: seal)
        else { return }
        let bytes = entry.rows.reduce(snapshot.content.count) { $0 + $1.content.count }
        change { $0.restore(snapshot.summary.id, for: LimitKeys(stored), bytes: bytes) }
    }

    private func change(_ body: (inout SessionHoldings<StoredSessionID>) -> Void) {
        holdings.withLock { holdings in
            body(&holdings)
            fullness.store(holdings.isAnyFull, ordering: .relaxed)
        }
    }
}

extension LimitKeys {
    init(_ stored: StoredSession) {
        let ownership = stored.ownership
        self.init(
            owner: ownership.owner, isCookie: ownership.principal?.method == .cookie,
            address: stored.client.map { ClientTable.Client($0) })
    }
}

// Quotas of sessions and stored bytes.
extension SessionShard {
    /// Counts a new session.
    ///
    /// - Parameters:
    ///   - client: The client that the session counts for; nil if it is not limited.
    ///   - requester: The requester that creates it.
    ///   - peer: The peer of the request.
    func reserveQuota(
        _ id: @autoclosure () -> StoredSessionID, _ client: ClientTable.Client?, of requester: Requester,
        peer: HTTPPeer
    ) throws(ProblemDetails) {
        guard host.quotas.isActive else { return }
        let id = id()
        do throws(SessionHoldings<StoredSessionID>.Refusal) {
            try host.quotas.create(id, for: SessionShard.quotaKeys(of: requester, client))
        } catch {
            access.audit(.quotaReached(error.resource), by: requester, peer: peer)
            throw .overQuota(error.resource, .tooMany(limit: error.limit))
        }
    }

    private static func quotaKeys(of requester: Requester, _ client: ClientTable.Client?) -> LimitKeys {
        guard case .principal(let principal, let hash) = requester else {
            return LimitKeys(owner: nil, address: client)
        }
        return LimitKeys(owner: hash, isCookie: principal.method == .cookie, address: client)
    }

    /// Throws if the client to which a session belongs has reached its quota of stored bytes.
    func requireQuota(
        _ session: Session, _ request: HTTPRequest, from requester: Requester
    ) throws(ProblemDetails) {
        guard let storage = session.storage, let refusal = host.quotas.refusalToGrow(storage.id) else { return }
        // Rows take more room than the session itself, and without further inputs nothing would replace them.
        if storage.rowsSinceSnapshot > 0 { renewSnapshot(of: session) }
        access.audit(.quotaReached(refusal.resource), by: requester, session: session.id, peer: request.peer)
        throw .overQuota(refusal.resource, .tooMany(limit: refusal.limit))
    }
}
