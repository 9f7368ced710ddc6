/// Uses a journal for an operator: one that a command has opened, or that of a running server.
package protocol JournalAccess {
    /// Returns the result of a closure that uses the journal, after everything that was added before has been stored.
    func use<Result>(_ body: @escaping (any Journal) throws -> Result) throws -> Result

    /// Stores the changes that a closure returns, as one step with what the closure reads.
    func commit(_ changes: @escaping (any Journal) throws -> [JournalBatch.Change]) throws

    /// Notifies the server that a session is stored which may have ended before.
    func sessionReturned(_ id: StoredSessionID)

    /// Ends a session.
    ///
    /// - Returns: Whether it was ended; false if it is in use at this moment, so that the caller may try again.
    func end(_ session: SessionSummary) throws -> Bool
}

/// The journal of a command that runs without a server.
package struct DirectJournalAccess: JournalAccess {
    private let journal: any Journal

    package init(_ journal: any Journal) {
        self.journal = journal
    }

    /// Returns the result of a closure that uses the journal.
    package func use<Result>(_ body: @escaping (any Journal) throws -> Result) throws -> Result { try body(journal) }

    /// Stores the changes that a closure returns.
    package func commit(_ changes: @escaping (any Journal) throws -> [JournalBatch.Change]) throws {
        var batch = JournalBatch()
        for change in try changes(journal) { batch.add(change) }
        try journal.commit(batch, isFlushed: true)
    }

    /// Does nothing: no server knows the session.
    package func sessionReturned(_ id: StoredSessionID) {}

    package func end(_ session: SessionSummary) throws -> Bool {
        try commit { _ in [.remove(session.id)] }
        return true
    }
}
