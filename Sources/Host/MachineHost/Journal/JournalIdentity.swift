package import Access

/// The fingerprint of the key that identifies the owners of a journal's sessions, as the journal stores it.
///
/// The owner of a stored session is a keyed hash. With another key, no client is the owner: the session does not exist for it, and
/// one with its name begins anew.
package struct JournalIdentity {
    private static let property = "identity"
    /// The number of sessions that are read at once.
    private static let pageSize = 500

    /// The fingerprint of the key; nil if no fingerprint was recorded.
    package let fingerprint: IdentityFingerprint?
    private let journal: any Journal

    /// Reads the fingerprint of a journal.
    ///
    /// - Throws: The error of the journal, or `JournalError(.damaged)` if it has no valid fingerprint.
    package init(of journal: any Journal) throws {
        self.journal = journal
        guard let stored = try journal.property(Self.property), !stored.isEmpty else {
            fingerprint = nil
            return
        }
        guard let fingerprint = IdentityFingerprint(stored) else {
            throw JournalError(
                .damaged,
                "expected \(IdentityFingerprint.byteCount) bytes in the journal's property \"\(Self.property)\", got "
                    + "\(stored.count)")
        }
        self.fingerprint = fingerprint
    }

    /// Returns whether a key may take the place of the recorded one: if it is the same key, or no session has an owner.
    ///
    /// - Parameter isNew: Whether the key was made for this journal, because no other one was found.
    package func accepts(_ key: IdentityFingerprint, isNew: Bool) throws -> Bool {
        if key == fingerprint { return true }
        // An older build has recorded nothing. Then the key that is found is taken for the right one; a new key cannot be.
        if fingerprint == nil, !isNew { return true }
        return try !hasOwners()
    }

    /// Returns whether a session that has not ended has an owner. If no session has one, all summaries are read: some ten milliseconds for
    /// 100,000 sessions.
    package func hasOwners() throws -> Bool {
        var last: StoredSessionID?
        while true {
            let page = try journal.sessions(after: last, limit: Self.pageSize)
            if page.contains(where: { !$0.hasEnded && $0.owner != nil }) { return true }
            guard page.count == Self.pageSize else { return false }
            last = page.last?.id
        }
    }

    /// Records the fingerprint of the key that is used from now on.
    package func record(_ key: IdentityFingerprint) throws {
        guard key != fingerprint else { return }
        var batch = JournalBatch()
        batch.add(.set(property: Self.property, value: key.bytes))
        // Flushed before a session has an owner.
        try journal.commit(batch, isFlushed: true)
    }
}
