import CSQLite
import MachineHost

extension OpenDatabase {
    /// Returns whether the log has at least so many pages that are not in the database.
    func isDueForCheckpoint(from pages: Int) -> Bool { connection.writtenPages() + inheritedPages >= pages }

    /// Moves the pages of the log into the database if there are at least so many, and the disk has room for them.
    func checkpoint(from pages: Int) throws {
        guard isDueForCheckpoint(from: pages) else { return }
        try recordProgress()
        logMayBeginAgain()
        if try connection.checkpoint(SQLITE_CHECKPOINT_PASSIVE) { inheritedPages = 0 }
    }

    /// Moves all pages of the log into the database and empties the log, if the disk has room for them.
    func checkpointCompletely() throws {
        try recordProgress()
        forgetLog()
        guard try connection.checkpoint(SQLITE_CHECKPOINT_TRUNCATE) else { return noteCommit() }
        // An empty file has no blocks. The next process needs them before it can store anything.
        if hasLogRoom { directory.reserveLogRoom() }
    }

    /// Throws unless the next process will find the database and its log.
    ///
    /// If only the log is missing, its pages are first moved into the database, so that nothing is lost; so are the rows of the row log.
    func verifyFiles() throws {
        do {
            try files.verify()
        } catch let error as JournalError where files.lacksOnlyLog {
            throw JournalError(error.kind, "\(error.detail); \(saveLog())")
        } catch let error as JournalError where files.hasDatabase {
            throw JournalError(error.kind, "\(error.detail); \(saveRows())")
        }
    }

    /// Moves the rows of the removed row log into the database. Returns the result as a clause.
    private func saveRows() -> String {
        do {
            try endRowLog()
            return "what it contained was moved into the database"
        } catch {
            return "what it contained could not be moved into the database: \(error)"
        }
    }

    /// Moves the removed log into the database. Returns the result as a clause.
    // Only if there is no other log, whose older pages the next process would write over those that are moved now. For the same
    // reason the removed log is emptied: it may have been renamed, and may get its name back.
    private func saveLog() -> String {
        do {
            // It may be missing, too.
            try endRowLog()
            forgetLog()
            if try connection.checkpoint(SQLITE_CHECKPOINT_TRUNCATE) {
                files.makeEmptyLog()
                return "what it contained was moved into the database"
            }
            return "what it contained could not be moved into the database, because the disk is full"
        } catch {
            return "what it contained could not be moved into the database: \(error)"
        }
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
