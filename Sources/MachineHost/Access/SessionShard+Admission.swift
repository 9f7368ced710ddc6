import Access
import HTTPModel

// Whether a requester may use a session. Checked before anything else is done for a request.
extension SessionShard {
    /// Returns whether a requester may know that a session exists or has existed. To others, it does not exist.
    func mayKnow(
        _ requester: Requester, _ owner: PrincipalHash?, _ id: @autoclosure () -> StoredSessionID
    ) -> Bool {
        switch requester {
        case .anonymous: owner == nil
        case .principal(_, let hash): owner == nil || owner == hash
        case .ticket(let ticket): ticket.session == SessionDigest(id())
        }
    }

    /// Returns whether a requester may know of a session in memory.
    func mayKnow(_ requester: Requester, _ session: Session) -> Bool {
        mayKnow(requester, session.owner, session.storedID)
    }

    /// Returns the session that was found for a request.
    ///
    /// - Throws: The problem of a session that does not exist or has ended, as far as the requester may know.
    func knownSession(_ id: SessionID, _ context: inout RequestContext) throws(ProblemDetails) -> Session {
        guard let session = context.session else { throw try missing(id, &context) }
        assert(session.id == id, "expected the session of the route")
        return session
    }

    /// Returns how a session has ended; nil if it has not, or the requester may not know of it.
    ///
    /// - Throws: The problem of a ticket that was revoked before the end: its holder does not learn of anything after that.
    func knownEnd(of id: SessionID, to requester: Requester) throws(ProblemDetails) -> StoredEnd? {
        guard let ending = sessions.ending(of: id), mayKnow(requester, ending.owner, StoredSessionID(of: id)) else {
            return nil
        }
        guard case .ticket(let ticket) = requester, ticket.generation != ending.ticketGeneration else { return ending }
        audit(.credentialsRejected(.revokedTicket), by: requester, session: id)
        throw CredentialRejection.revokedTicket.problem
    }

    /// Returns whether a session is known to have ended, as far as a requester may know.
    // What is looked up for an unknown session is also looked up for one of somebody else, so that both take the same time.
    func mayKnowEnd(of id: SessionID, _ requester: Requester) -> Bool {
        guard let ending = sessions.ending(of: id) else { return false }
        return mayKnow(requester, ending.owner, StoredSessionID(of: id))
    }

    /// Returns the problem of a session that is not in memory, or that the requester may not know of.
    private func missing(
        _ id: SessionID, _ context: inout RequestContext
    ) throws(ProblemDetails) -> ProblemDetails {
        if let ending = try knownEnd(of: id, to: context.requester) {
            context.wait(for: sessions.unstoredEnd(of: id))
            return .sessionEnded(ending.reason)
        }
        // A client must not learn of an end that could still be lost, even if no ends are remembered.
        if sessions.ending(of: id) == nil { context.wait(for: sessions.unstoredEnd(of: id)) }
        return .noSession
    }

    /// Returns whether the requester has a ticket for another session.
    func isOfOtherTicket(_ requester: Requester, _ id: SessionID) -> Bool {
        // Not `guard case`, which copies the requester of each request.
        switch requester {
        case .ticket(let ticket): return ticket.session != SessionDigest(StoredSessionID(of: id))
        case .anonymous, .principal: return false
        }
    }

    /// Throws unless a requester, who may know of a session, may perform an operation on it.
    func permit(
        _ operation: AccessOperation, on session: Session, to requester: Requester
    ) throws(ProblemDetails) {
        try admit(requester, operation, to: session, session.machineKind.definition.rule)
    }

    /// Throws unless a requester may perform an operation on a session, as far as its rule is not concerned or given.
    func admit(
        _ requester: Requester, _ operation: AccessOperation, to session: Session, _ rule: AccessRule? = nil
    ) throws(ProblemDetails) {
        switch requester {
        case .anonymous, .principal:
            if let rule { try check(requester, operation, on: session, rule) }
        case .ticket(let ticket):
            try check(requester, operation, on: session, rule)
            try count(ticket, of: session)
        }
    }

    private func check(
        _ requester: Requester, _ operation: AccessOperation, on session: Session, _ rule: AccessRule?
    ) throws(ProblemDetails) {
        let access = SessionAccess(
            session: SessionDigest(session.storedID), owner: session.owner,
            ticketGeneration: session.ownership.tickets.generation)
        try check(AccessCheck.operation(operation, on: access, by: requester, rule: rule), of: requester)
    }

    /// Throws unless the requester may send each of the inputs of a batch.
    func permit(
        inputs names: some Sequence<String>, on session: Session, to requester: Requester
    ) throws(ProblemDetails) {
        guard let rule = session.machineKind.definition.rule else { return }
        for name in names {
            guard case .deny(let reason) = rule(requester.principal, .input(name)) else { continue }
            throw .forbidden(reason)
        }
    }

    /// Throws if the requester cannot create sessions of any machine: a ticket is for one session, and no principal.
    func requirePrincipalForCreation(from requester: Requester) throws(ProblemDetails) {
        if case .ticket = requester, access.configuration.requiresPrincipal { throw .credentialsRequired }
    }

    /// Throws unless the requester may create a session of a machine.
    func permitCreation(of machine: RegisteredMachine, by requester: Requester) throws(ProblemDetails) {
        guard let rule = machine.definition.rule else { return }
        try check(AccessCheck.creation(of: machine.definition.name, by: requester, rule: rule), of: requester)
    }

    private func check(_ verdict: AccessCheck.Verdict, of requester: Requester) throws(ProblemDetails) {
        switch verdict {
        case .allowed: return
        case .notFound: throw .noSession
        case .forbidden(let reason): throw .forbidden(reason)
        case .rejected(let rejection):
            audit(.credentialsRejected(rejection), by: requester)
            throw rejection.problem
        }
    }

    /// Records the use of a ticket that permits a number of uses.
    func count(_ ticket: Ticket, of session: Session) throws(ProblemDetails) {
        guard ticket.uses != nil else { return }
        do throws(CredentialRejection) {
            try session.ownership.tickets.use(ticket, at: credentialTime)
        } catch {
            audit(.credentialsRejected(error), by: .ticket(ticket))
            throw error.problem
        }
        storeTickets(of: session)
    }
}

extension SessionDigest {
    init(_ id: StoredSessionID) { self.init(high: id.high, low: id.low) }
}

extension Session {
    /// The id under which the session is stored, or would be.
    var storedID: StoredSessionID { storage?.id ?? StoredSessionID(of: id) }
}
