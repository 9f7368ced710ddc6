/// The record of a session's tickets: their generation, the use counts of those with a limited number of uses, and the tickets for which
/// these were redeemed. A value, which is a part of the session's state.
package struct TicketLedger: Sendable, Equatable {
    /// A ticket that was used, or for which such a ticket was redeemed.
    package struct Use: Sendable, Equatable {
        package let nonce: Ticket.Nonce
        /// How often it was used; 0 for one for which another was redeemed, whose uses are not limited.
        package var count: UInt16
        /// The time after which it does not have to be remembered.
        package let expires: UnixTime

        /// Creates a record of uses.
        package init(nonce: Ticket.Nonce, count: UInt16, expires: UnixTime) {
            self.nonce = nonce
            self.count = count
            self.expires = expires
        }
    }

    /// The maximum number of tickets that are remembered.
    package static let maxCount = 1024

    /// How long an expired ticket is remembered, unless its room is needed: it is valid again if the wall clock was set forward by mistake.
    private static let spare = Duration.seconds(86_400)

    /// The generation of the tickets that are valid.
    package private(set) var generation: UInt32
    package private(set) var uses: [Use]

    /// Creates a ledger, empty or from what was stored.
    package init(generation: UInt32 = 0, uses: [Use] = []) {
        self.generation = generation
        self.uses = uses
    }

    /// Invalidates all tickets that were issued.
    package mutating func revokeAll() {
        generation &+= 1
        uses.removeAll()
    }

    /// Counts a use of a ticket. Tickets for any number of uses are not counted.
    ///
    /// - Throws: If the ticket was revoked or used up, or if too many tickets are remembered.
    package mutating func use(_ ticket: Ticket, at now: UnixTime) throws(CredentialRejection) {
        guard ticket.generation == generation else { throw .revokedTicket }
        guard now < ticket.expires else { throw .expired }
        guard let most = ticket.uses else { return }
        if let index = uses.firstIndex(where: { $0.nonce == ticket.nonce }) {
            guard uses[index].count < most else { throw .usedTicket }
            uses[index].count += 1
            return
        }
        // Forgetting a use would permit it again, so a full ledger accepts no further tickets.
        guard makeRoom(at: now) else { throw .usedTicket }
        uses.append(Use(nonce: ticket.nonce, count: 1, expires: ticket.expires))
    }

    /// Remembers a ticket for which another was redeemed, so that the response can be repeated as long as the ticket is valid.
    package mutating func remember(_ redeemed: Ticket, at now: UnixTime) {
        guard makeRoom(at: now) else { return }
        uses.append(Use(nonce: redeemed.nonce, count: 0, expires: redeemed.expires))
    }

    /// Returns when a remembered ticket expires; nil if no ticket was redeemed for it, or it has expired.
    package func expiry(ofRedeemed nonce: Ticket.Nonce, at now: UnixTime) -> UnixTime? {
        uses.first { $0.count == 0 && $0.nonce == nonce && now < $0.expires }?.expires
    }

    /// Returns whether one more ticket can be remembered. For that, forgets the oldest response that could be repeated.
    private mutating func makeRoom(at now: UnixTime) -> Bool {
        uses.removeAll { $0.expires + TicketLedger.spare <= now }
        guard uses.count >= TicketLedger.maxCount else { return true }
        uses.removeAll { $0.expires <= now }
        guard uses.count >= TicketLedger.maxCount else { return true }
        guard let oldest = uses.firstIndex(where: { $0.count == 0 }) else { return false }
        uses.remove(at: oldest)
        return true
    }
}
