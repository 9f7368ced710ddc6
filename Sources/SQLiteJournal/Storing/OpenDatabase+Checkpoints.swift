import CSQLite

extension OpenDatabase {
    /// Moves the pages of the log into the database if there are at least so many.
    func checkpoint(from pages: Int) throws {
        guard connection.writtenPages() + inheritedPages >= pages else { return }
        try recordProgress()
        try connection.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
        inheritedPages = 0
    }

    /// Moves all pages of the log into the database and empties the log.
    func checkpointCompletely() throws {
        try recordProgress()
        try connection.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
    }

    /// Sets the number up to which recovery expects no row that is still needed. Belongs into a transaction.
    func setProgress(_ number: UInt64) throws {
        try statements.recordProgress.bind(stored(number), at: 1)
        try statements.recordProgress.run()
        recordedProgress = number
    }

    private func recordProgress() throws {
        let covered = tails.first.map { $0 - 1 } ?? lastRow
        guard covered > recordedProgress else { return }
        // Without a flush: the log keeps the order, so that the number is never newer than the snapshots that it counts on.
        try transaction(isFlushed: false) { try setProgress(covered) }
    }
}
