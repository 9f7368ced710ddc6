import Access
import HTTPModel
import JSONText

// `/v1/sessions/{id}/tickets`.
extension SessionShard {
    /// Whether tickets are issued, so that the resource exists.
    var issuesTickets: Bool { access.tickets != nil }

    /// `POST` issues a ticket or, for the holder of one, redeems it; `DELETE` revokes all of them.
    func answerTickets(
        _ request: HTTPRequest, _ context: inout RequestContext, session id: SessionID
    ) throws(ProblemDetails) -> HTTPResponse {
        guard let authority = access.tickets else { throw .noResource }
        if request.method == .post, case .ticket(let ticket) = context.requester {
            return try redeem(ticket, request, &context, session: id, authority)
        }
        let session = try authorize(.tickets, on: id, &context)
        guard request.method == .post else {
            session.ownership.tickets.revokeAll()
            storeTickets(of: session)
            context.wait(for: session.lastSequence)
            endTicketStreams(of: session)
            access.audit(.ticketsRevoked, by: context.requester, session: id, peer: request.peer)
            return HTTPResponse(status: .noContent)
        }
        try requireJSONAccepted(request)
        let terms = try TicketTerms(try document(request))
        let now = access.time
        let ticket: Ticket
        do throws(AccessConfigurationError) {
            ticket = try Ticket(
                session: SessionDigest(session.storedID), rights: terms.rights,
                generation: session.ownership.tickets.generation, expires: now + terms.lifetime, uses: terms.uses,
                renewsFor: terms.renewsFor, label: terms.label)
        } catch {
            throw .invalidValue(error.description, [.init(pointer: "/label", detail: error.description)])
        }
        return response(ticket, authority)
    }

    /// Returns a renewable ticket for another one, whose use is recorded first. A repetition with the same key gets the same ticket.
    private func redeem(
        _ ticket: Ticket, _ request: HTTPRequest, _ context: inout RequestContext, session id: SessionID,
        _ authority: TicketAuthority
    ) throws(ProblemDetails) -> HTTPResponse {
        guard let session = context.session else { throw try missing(id, &context) }
        try requireJSONAccepted(request)
        let rights = try TicketTerms.requestedRights(try document(request))
        let nonce = try redemption(of: ticket, request)
        let now = access.time
        let earlier = nonce.flatMap { session.ownership.tickets.expiry(ofRedeemed: $0, at: now) }
        let renewed: Ticket
        do throws(CredentialRejection) {
            guard ticket.generation == session.ownership.tickets.generation else { throw .revokedTicket }
            renewed = try TicketAuthority.renewal(of: ticket, rights: rights, nonce: nonce, expires: earlier, at: now)
        } catch {
            access.audit(.credentialsRejected(error), by: context.requester, session: id, peer: request.peer)
            throw error.problem
        }
        guard earlier == nil else {
            context.wait(for: session.lastSequence)
            return replay(response(renewed, authority))
        }
        if ticket.uses != nil, session.storage != nil, let refusal = host.journal?.refusal { throw refusal }
        if try access.use(ticket, of: session) {
            if nonce != nil { session.ownership.tickets.remember(renewed, at: now) }
            storeTickets(of: session)
        }
        session.lastActivity = tick
        context.wait(for: session.lastSequence)
        forEachLeased(session) { $0.renew(ticket, for: renewed, key: authority.credentialKeys.first) }
        access.audit(.ticketRedeemed, by: context.requester, session: id, peer: request.peer)
        return response(renewed, authority)
    }

    /// The greatest number of uses of a ticket whose redemptions can be repeated.
    private static let mostRepeatedUses: UInt16 = 8

    /// Returns what distinguishes the ticket for which a request redeems another one: the same for each repetition of the request. Nil
    /// if it has no key, or needs none because it can be repeated anyway.
    private func redemption(of ticket: Ticket, _ request: HTTPRequest) throws(ProblemDetails) -> Ticket.Nonce? {
        // The holder of a ticket for many uses could fill the ledger of the session.
        guard let uses = ticket.uses, uses <= SessionShard.mostRepeatedUses, usesKey(request) else { return nil }
        // A link has several readers, and whoever knows the key, too, gets the new ticket.
        let key = try keyText(of: request, shortest: SessionShard.shortestAnonymousKey)
        // Begins with a byte with which no other digest begins: see `keyScope(of:)`.
        let digest = host.digestKey.digest(path: [4] + ticket.nonce.bytes + Array(key.utf8), body: request.body)
        var writer = RecordWriter()
        writer.append(digest)
        return Ticket.Nonce(writer.take().prefix(Ticket.Nonce.byteCount))
    }

    private func response(_ ticket: Ticket, _ authority: TicketAuthority) -> HTTPResponse {
        var json: [UInt8] = []
        json.append("{\"ticket\":")
        JSONWriter.append(authority.text(of: ticket).secret, to: &json)
        json.append(",\"allows\":[\"")
        json.append(contentsOf: ticket.rights.texts.joined(separator: "\",\"").utf8)
        json.append("\"],\"expires\":\"")
        WallTime(seconds: ticket.expires.seconds).append(to: &json)
        json.append("\"}")
        return HTTPResponse(status: .created, fields: jsonFields, body: .bytes(json))
    }
}
