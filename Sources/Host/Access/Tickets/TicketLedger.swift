/// The record of a session's tickets: their generation, and the use counts of those with a limited number of uses. A value, which
/// is a part of the session's state.
package struct TicketLedger: Sendable, Equatable {
    package struct Use: Sendable, Equatable {
        package let nonce: Ticket.Nonce
        /// How often it was used.
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
        uses.removeAll { $0.expires <= now }
        guard uses.count < TicketLedger.maxCount else { throw .usedTicket }
        uses.append(Use(nonce: ticket.nonce, count: 1, expires: ticket.expires))
    }
}
