import MachineHost

/// An open database with what is known about its content.
final class OpenDatabase {
    let connection: SQLiteConnection
    let statements: SQLiteStatements
    let files: DatabaseFiles
    let directory: JournalDirectory
    /// Whether the log has room on a disk that is full.
    let hasLogRoom: Bool
    /// Whether a commit flushes.
    private var isFlushing = true
    /// The number of pages that an earlier process has left in the log, at most.
    var inheritedPages: Int
    /// The rows that no snapshot contains.
    var tails = SessionTails()
    /// The number of rows, including those that could be removed.
    var rows = 0
    /// The number of the row after which tidying continues; 0 if none is in progress.
    var tidiedRow: UInt64 = 0
    /// The number of rows that were appended since the last trimming.
    var appended = 0
    /// The number of the last row.
    var lastRow: UInt64 = 0
    /// The number up to which recovery expects no row that is still needed, as recorded in the database.
    var recordedProgress: UInt64 = 0
    /// The key of the last content of a session.
    var lastContent: Int64 = 0

    /// Opens the database of a directory, and finds out what an earlier process left behind.
    init(_ directory: JournalDirectory) throws {
        self.directory = directory
        try directory.prepareDatabase()
        inheritedPages = Int(JournalDirectory.size(of: directory.log) ?? 0) / 4096
        connection = try SQLiteConnection(path: directory.database)
        try SQLiteSchema.prepare(connection)
        // Before recovery, which may take long. The log exists since the first access in its mode.
        files = try DatabaseFiles(directory)
        hasLogRoom = directory.takeLogRoom()
        statements = try SQLiteStatements(connection)
        try recover()
    }

    /// Runs code in a transaction, which becomes durable according to the setting.
    func transaction<Result>(isFlushed: Bool, _ body: () throws -> Result) throws -> Result {
        // The setting can be changed between transactions only, and it takes longer than a small commit without a flush.
        if isFlushed != isFlushing {
            try connection.execute(isFlushed ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL")
            isFlushing = isFlushed
        }
        try statements.begin.run()
        let result = try body()
        try statements.commit.run()
        return result
    }
}
