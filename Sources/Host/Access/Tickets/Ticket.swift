/// The stored id of a session, to which a ticket is bound. It is a digest: it does not give access to the session.
package struct SessionDigest: Hashable, Sendable {
    let bits: UInt128

    package init(high: UInt64, low: UInt64) { bits = UInt128(high) << 64 | UInt128(low) }

    init(bits: UInt128) { self.bits = bits }
}

/// A permission to use one session, which its owner gives to others. A value: what the signed text contains.
package struct Ticket: Hashable, Sendable {
    /// A random number that distinguishes tickets, under which their uses are counted.
    package struct Nonce: Hashable, Sendable {
        package static let byteCount = 12
        package let bytes: [UInt8]

        /// Creates a nonce from its bytes. Returns nil unless there are 12.
        package init?(_ bytes: some Collection<UInt8>) {
            guard bytes.count == Nonce.byteCount else { return nil }
            self.bytes = Array(bytes)
        }

        static func random() -> Nonce {
            Nonce(bytes: SecretBytes.random(count: Nonce.byteCount).withBytes { Array($0) })
        }

        private init(bytes: [UInt8]) { self.bytes = bytes }
    }

    /// The maximum number of bytes of a label.
    package static let maxLabelLength = 64

    package let session: SessionDigest
    package let rights: TicketRights
    /// The generation of the session's tickets; revoking all tickets begins the next one.
    package let generation: UInt32
    /// The time from which the ticket is no longer accepted.
    package let expires: UnixTime
    /// How often the ticket can be used; nil for any number.
    package let uses: UInt16?
    /// The lifetime of the ticket for which this one can be redeemed; nil if it cannot.
    package let renewsFor: Duration?
    /// The name under which the machine sees the holder; empty if none exists.
    package let label: String
    /// Distinguishes the ticket from others.
    package let nonce: Nonce
    /// The key that has signed the ticket; nil if it was not signed yet. Not a part of its identity.
    package internal(set) var key: CredentialKey?

    /// Whether streams accept the ticket: they reconnect, so its uses must not be counted.
    package var isForStreams: Bool { uses == nil }

    /// Creates a ticket.
    ///
    /// - Throws: If the label is too long or has control characters, there are no rights or uses, or a duration is not
    ///   positive.
    package init(
        session: SessionDigest, rights: TicketRights, generation: UInt32, expires: UnixTime, uses: UInt16? = nil,
        renewsFor: Duration? = nil, label: String = ""
    ) throws(AccessConfigurationError) {
        guard !rights.isEmpty, rights.isSubset(of: .all) else {
            throw AccessConfigurationError("Expected at least one of read, write and delete, got none.")
        }
        guard label.utf8.count <= Ticket.maxLabelLength,
            label.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else {
            throw AccessConfigurationError(
                "Expected a label of at most \(Ticket.maxLabelLength) bytes without control characters, got another text."
            )
        }
        guard uses != 0 else { throw AccessConfigurationError("Expected at least one use, got 0.") }
        if let renewsFor, !(1...Int64(UInt32.max)).contains(renewsFor.components.seconds) {
            throw AccessConfigurationError("Expected a lifetime of at least a second, got a shorter one.")
        }
        self.init(
            session: session, rights: rights, generation: generation, expires: expires, uses: uses,
            renewsFor: renewsFor.map { .seconds($0.components.seconds) }, label: label, nonce: .random())
    }

    init(
        session: SessionDigest, rights: TicketRights, generation: UInt32, expires: UnixTime, uses: UInt16?,
        renewsFor: Duration?, label: String, nonce: Nonce
    ) {
        self.session = session
        self.rights = rights
        self.generation = generation
        self.expires = expires
        self.uses = uses
        self.renewsFor = renewsFor
        self.label = label
        self.nonce = nonce
    }

    /// Returns whether both have the same content.
    package static func == (left: Ticket, right: Ticket) -> Bool { left.bytes == right.bytes }

    /// Hashes the random part.
    package func hash(into hasher: inout Hasher) { hasher.combine(nonce) }
}
