public import MachineHost

extension SQLiteJournal {
    /// The sizes and ages of what is stored. Counting 100,000 sessions takes some ten milliseconds.
    public func statistics() throws -> JournalStatistics {
        let database = try database()
        var statistics = JournalStatistics()
        let count = try SQLiteStatement(
            "SELECT count(*), min(used_at) FROM sessions WHERE has_ended = 0", database.connection)
        try count.use {
            guard try count.step() else { return }
            statistics.sessions = Int(count.integer(0))
            statistics.oldestUse = count.optionalInteger(1)
        }
        statistics.rows = database.tails.uncovered
        statistics.bytes =
            (JournalDirectory.size(of: directory.database) ?? 0) + (JournalDirectory.size(of: directory.log) ?? 0)
        return statistics
    }

    /// Returns the bytes that the disk still has room for.
    public func freeBytes() throws -> Int64 { try directory.freeBytes() }
}
