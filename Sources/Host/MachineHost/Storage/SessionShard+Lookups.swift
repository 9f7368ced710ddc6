import Access
import HTTPModel

// To whom stored sessions belong, which is known before their contents are read.
extension SessionShard {
    /// Queues a request until it is known to whom its session belongs.
    ///
    /// Only those who may know of the session have its content read. To others, a session in memory, one that is stored, one that has
    /// ended and one that nobody can read cost the same as one that does not exist: this look-up.
    func lookUp(_ id: SessionID, _ stored: StoredSessionID, for waiting: PendingRequest) {
        readJournal(for: waiting, .lookUp(id, WorkSource(waiting.request.peer))) { journal in
            let found = Result { try journal?.summary(of: stored) }
            return { shard, waiting in shard.wasLookedUp(id, stored, found, for: waiting) }
        }
    }

    private func wasLookedUp(
        _ id: SessionID, _ stored: StoredSessionID, _ found: Result<SessionSummary?, any Error>,
        for waiting: PendingRequest
    ) {
        loop.assertCurrent()
        let requester = waiting.requester
        // Computed for every session, so that the time does not tell which of them have owners.
        let own = requester.owner
        // It may have been loaded, or woken by a timer, meanwhile.
        guard sessions[id] == nil, sessions[stored] == nil else {
            if let session = sessions[stored], session.id != id, requester.sees(session.owner, stored) {
                rename(session, id)
            }
            // Behind earlier requests, for which the session was loaded.
            if pending.contains(.arrivals(id)) { wait(waiting, for: .arrivals(id)) } else { resume(waiting) }
            return
        }
        let summary: SessionSummary?
        do {
            summary = try found.get()
        } catch {
            return respond(to: waiting, with: cannotRestore(id, error))
        }
        guard let summary, SessionShard.isVisible(stored, of: summary.owner, to: requester, owning: own) else {
            return resume(waiting)
        }
        load(stored, named: id, for: waiting)
    }

    /// Returns whether a stored session is visible to a requester, who owns the sessions of `own`.
    private static func isVisible(
        _ id: StoredSessionID, of owner: SessionOwner?, to requester: Requester, owning own: SessionOwner?
    ) -> Bool {
        if case .ticket(let ticket) = requester { return ticket.session == SessionDigest(id) }
        return owner == nil || owner == own
    }
}

extension Requester {
    /// The owner of the sessions that the requester creates; nil if they have no owner.
    fileprivate var owner: SessionOwner? {
        if case .principal(_, let hash) = self { SessionOwner(hash) } else { nil }
    }
}
