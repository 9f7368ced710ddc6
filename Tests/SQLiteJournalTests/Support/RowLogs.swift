@testable import SQLiteJournal

extension SQLiteJournal {
    /// Begins to use a small row log, as maintenance does after some commits.
    func beginRowLog(capacity: Int = 64 << 10) throws {
        let database = try database()
        database.rowLogCapacity = capacity
        database.wantsRowLog = true
        try maintain()
    }

    /// The number of rows in the table.
    var rowsInTable: Int64 {
        get throws { try database().connection.integer("SELECT count(*) FROM journal") }
    }
}
