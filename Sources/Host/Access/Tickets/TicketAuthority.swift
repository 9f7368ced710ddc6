/// Signs and verifies tickets. Nodes with the same keys accept each other's tickets.
package struct TicketAuthority: Sendable {
    /// More than the longest text that is issued, of 150 bytes.
    private static let maxTextLength = 256

    private let keys: SigningKeys

    /// Creates an authority with keys, the newest first.
    package init(keys: SigningKeys) { self.keys = keys }

    /// The keys, the one that signs first.
    package var credentialKeys: [CredentialKey] { keys.credentialKeys }

    package func text(of ticket: Ticket) -> TicketText { TicketText(secret: keys.signed(ticket.bytes, for: .ticket)) }

    /// Returns the ticket of a text.
    ///
    /// Its session, its generation and its uses are checked where the session is known: ``AccessCheck``, ``TicketLedger``.
    ///
    /// - Throws: If it was not signed with one of the keys, or has expired.
    package func ticket(_ text: UnsafeRawBufferPointer, at now: UnixTime) throws(CredentialRejection) -> Ticket {
        guard let signed = keys.content(of: text, for: .ticket, longest: TicketAuthority.maxTextLength),
            var ticket = Ticket(signed.bytes)
        else { throw .unknownTicket }
        ticket.key = signed.key
        guard now < ticket.expires else { throw .expired }
        return ticket
    }

    /// Returns the ticket for which another one is redeemed: for the same session, with the same or fewer rights, for any
    /// number of uses, and renewable again.
    ///
    /// The caller records the use of the other ticket first (``TicketLedger/use(_:at:)``).
    ///
    /// - Parameters:
    ///   - rights: The rights that the holder requests; nil for all of the ticket's. Others are not granted.
    ///   - nonce: Distinguishes the new ticket if the uses of the other one are counted; nil for a random one.
    ///   - expires: When the new ticket expires; nil for its lifetime from now.
    /// - Throws: If the ticket cannot be redeemed.
    package static func renewal(
        of ticket: Ticket, rights: TicketRights? = nil, nonce: Ticket.Nonce? = nil, expires: UnixTime? = nil,
        at now: UnixTime
    ) throws(CredentialRejection) -> Ticket {
        guard let lifetime = ticket.renewsFor else { throw .unrenewableTicket }
        let granted = rights.map { ticket.rights.intersection($0) } ?? ticket.rights
        guard !granted.isEmpty else { throw .unrenewableTicket }
        return Ticket(
            session: ticket.session, rights: granted, generation: ticket.generation, expires: expires ?? now + lifetime,
            uses: nil, renewsFor: lifetime, label: ticket.label,
            // A renewed ticket is that of the same holder, whose idempotency keys stay valid. A counted one is given to several.
            nonce: ticket.uses == nil ? ticket.nonce : nonce ?? .random())
    }
}
