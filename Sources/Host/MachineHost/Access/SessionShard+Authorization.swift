import Access
import HTTPModel

// The sessions that exist for a requester.
extension SessionShard {
    /// Returns the end of a session; nil if it has not ended, or the requester may not know of it.
    ///
    /// - Throws: The problem of a ticket that was revoked before the end: its holder does not learn of anything after that.
    func knownEnd(of id: SessionID, to requester: Requester) throws(ProblemDetails) -> StoredEnd? {
        guard let ending = visibleEnd(of: id, to: requester) else { return nil }
        guard case .ticket(let ticket) = requester, ticket.generation != ending.ticketGeneration else { return ending }
        access.audit(.credentialsRejected(.revokedTicket), by: requester, session: id)
        throw CredentialRejection.revokedTicket.problem
    }

    /// Returns the end of a session; nil if it has not ended, or did not exist for the requester.
    func visibleEnd(of id: SessionID, to requester: Requester) -> StoredEnd? {
        guard let ending = sessions.ending(of: id), requester.sees(ending.owner, StoredSessionID(of: id)) else {
            return nil
        }
        return ending
    }

    /// Returns the problem of a session that is not in memory, or that the requester may not know of.
    func missing(_ id: SessionID, _ context: inout RequestContext) throws(ProblemDetails) -> ProblemDetails {
        if let ending = try knownEnd(of: id, to: context.requester) {
            context.wait(for: sessions.unstoredEnd(of: id))
            return .sessionEnded(ending.reason)
        }
        // A client must not learn of an end that could still be lost, even if no ends are remembered.
        if sessions.ending(of: id) == nil { context.wait(for: sessions.unstoredEnd(of: id)) }
        return .noSession
    }
}
