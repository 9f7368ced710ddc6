/// Uses a journal for an operator: one that a command has opened, or that of a running server.
package protocol JournalAccess {
    /// Returns the result of a closure that uses the journal, after everything that was added before has been stored.
    func use<Result>(_ body: @escaping (any Journal) throws -> Result) throws -> Result

    /// Ends a session.
    ///
    /// - Returns: Whether it was ended; false if it is in use at this moment, so that the caller may try again.
    func end(_ session: SessionSummary) throws -> Bool
}

/// The journal of a command that runs without a server.
package struct DirectJournalAccess: JournalAccess {
    private let journal: any Journal

    /// Creates the access to an open journal.
    package init(_ journal: any Journal) {
        self.journal = journal
    }

    /// Returns the result of a closure that uses the journal.
    package func use<Result>(_ body: @escaping (any Journal) throws -> Result) throws -> Result { try body(journal) }

    /// Removes a session.
    package func end(_ session: SessionSummary) throws -> Bool {
        var batch = JournalBatch()
        batch.add(.remove(session.id))
        try journal.commit(batch, isFlushed: true)
        return true
    }
}
