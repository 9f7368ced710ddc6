import Access
import HTTPModel

/// The lease of a stream: its end, which depends on the credential with which it was opened, and the client for which it counts. Confined
/// to the loop of its session.
// A class, because most streams have none.
final class StreamLease {
    /// The holder of the credential with which a stream was opened.
    enum Holder: Equatable {
        case principal(PrincipalHash)
        case ticket(Ticket.Nonce)
    }

    /// Nil for a client without credentials.
    private(set) var holder: Holder?
    private var lease: CredentialLease
    /// The key on which the credential depends; nil if it depends on none.
    private(set) var key: CredentialKey?
    /// The time of the loop at which the stream ends.
    var tick = Tick.max
    /// The place of the stream among those of its client; nil if the client is not limited, or the stream was closed.
    var share: StreamShare?

    /// Creates the lease of a new stream. Returns nil for a client without credentials that is not limited.
    init?(of requester: Requester, share: StreamShare? = nil) {
        self.share = share
        switch requester {
        case .anonymous:
            guard share != nil else { return nil }
            holder = nil
            lease = CredentialLease(expires: nil)
        case .principal(let principal, let hash):
            holder = .principal(hash)
            lease = CredentialLease(expires: principal.expires)
            key = principal.key
        case .ticket(let ticket):
            holder = .ticket(ticket.nonce)
            lease = CredentialLease(expires: ticket.expires)
            key = ticket.key
        }
    }

    /// The time at which the stream ends; nil if the credential does not expire.
    var end: UnixTime? { lease.end }

    /// Whether the stream was opened with a ticket.
    var isOfTicket: Bool {
        if case .ticket = holder { true } else { false }
    }

    /// Extends the lease of a principal that has presented a newer credential before.
    func renew(by newest: CredentialExpiryCache.Credential) {
        assert(!isOfTicket, "expected the lease of a principal, got that of a ticket")
        if lease.renew(expires: newest.expires) { key = newest.key }
    }

    /// Extends the lease if a requester is the same, with a credential that may be newer. Returns whether it is.
    func renew(by requester: Requester) -> Bool {
        guard case .principal(let principal, let hash) = requester, holder == .principal(hash),
            lease.renew(expires: principal.expires)
        else { return false }
        key = principal.key
        return true
    }

    /// Passes the lease to the ticket for which its own one was redeemed.
    ///
    /// - Parameter key: The key that signs it.
    func renew(_ ticket: Ticket, for renewed: Ticket, key: CredentialKey?) {
        guard holder == .ticket(ticket.nonce) else { return }
        holder = .ticket(renewed.nonce)
        lease.renew(expires: renewed.expires)
        self.key = key
    }
}

// The leases of a session's streams.
extension SessionShard {
    /// Extends the streams of the requester for a session of which it may know, also those that it opens later.
    func renewLeases(of session: Session, by requester: Requester) {
        guard access.note(requester, for: session) else { return }
        for stream in streams(of: session) {
            guard let lease = stream.lease, lease.renew(by: requester) else { continue }
            lease.tick = leaseTick(of: lease.end)
            // The claims of a newer credential may lead to another view.
            guard session.machineKind.views != nil,
                visibleOutputs(of: session, to: requester)?.tag ?? 0 != stream.filter?.tag ?? 0
            else { continue }
            stream.endImmediately(.rotated)
        }
    }

    /// Calls a closure with the lease of each stream of a session, awake or not, and updates the end of the stream.
    func forEachLeased(_ session: Session, _ change: (StreamLease) -> Void) {
        for stream in streams(of: session) {
            guard let lease = stream.lease else { continue }
            change(lease)
            lease.tick = leaseTick(of: lease.end)
        }
    }

    /// Ends the streams that were opened with tickets.
    func endTicketStreams(of session: Session) {
        for stream in streams(of: session) where stream.lease?.isOfTicket == true {
            stream.endImmediately(.unauthorized)
        }
    }

    /// Ends the streams whose credentials depend on keys that are no longer accepted.
    func endRevokedStreams() {
        for session in sessions.values { session.streams.forEach(endIfRevoked) }
        for slot in hibernation.slots.values { slot.streams.forEach(endIfRevoked) }
        openingStreams.all.forEach(endIfRevoked)
    }

    /// Ends a stream if its credential depends on a key that is no longer accepted.
    func endIfRevoked(_ stream: SessionStream) {
        if let lease = stream.lease, !access.accepts(lease.key) { stream.endImmediately(.unauthorized) }
    }

    private func streams(of session: Session) -> [SessionStream] {
        let begun = session.isAsleep ? hibernation.slots[session.storedID]?.streams.all ?? [] : session.streams
        return openingStreams.count == 0 ? begun : begun + openingStreams.streams(of: session.id)
    }

    /// Returns the time of the loop at which a lease ends.
    func leaseTick(of end: UnixTime?) -> Tick {
        guard let end else { return .max }
        let milliseconds = max(0, (end - access.time).wholeMilliseconds)
        // Rounded up without an addition, which could overflow: a credential may be valid for ever.
        let seconds = milliseconds / 1000 + (milliseconds % 1000).signum()
        // Ticks are truncated, so one is added: a stream must not end early. Half of the range, as deadlines add to it.
        return Tick(min(Int64(tick) + seconds + 1, Int64(Tick.max / 2)))
    }
}
