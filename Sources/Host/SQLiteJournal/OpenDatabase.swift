import MachineHost

/// An open database, with the state that is derived from its content.
final class OpenDatabase {
    let connection: SQLiteConnection
    let statements: SQLiteStatements
    var files: DatabaseFiles
    let directory: JournalDirectory
    /// Whether the log has room on a disk that is full.
    let hasLogRoom: Bool
    private var isFlushing = true
    /// Whether the log, or the row log, lacks commits that an earlier process has acknowledged.
    private(set) var lacksCommits: Bool
    /// Whether the files are copies, or copies were put in their place.
    private(set) var isCopy = false
    /// Whether the database states that clients may have seen data that it lacks.
    private(set) var isMarked = false
    /// The position that the next process compares with the log; nil if it cannot be stored.
    let positions: PositionFile?
    /// The salt of the log; 0 if it was empty, or may have been restarted since.
    private var logSalt: UInt32 = 0
    /// The number of pages that an earlier process has left in the log, at most.
    var inheritedPages: Int
    /// The rows that no snapshot contains.
    var tails = SessionTails()
    /// The number of rows, including those that could be removed.
    var rows = 0
    /// The number of the row after which tidying continues; 0 if none is in progress.
    var tidiedRow: UInt64 = 0
    /// Whether a session may have lost its newest row, because the row is damaged and does not tell whose it is.
    var lacksRows = false
    /// The number of rows that were appended since the last trimming.
    var appended = 0
    /// The number of the last row.
    var lastRow: UInt64 = 0
    /// The greatest number of a row that was ever in the table.
    var lastTableRow: UInt64 = 0
    /// The newest rows; nil if all are in the table.
    var rowLog: RowLog?
    /// Where the rows in the row log are, by their numbers.
    var loggedRows: [UInt64: UInt64] = [:]
    /// The rows of the batch that is being stored; emptied and reused.
    var rowBytes: [UInt8] = []
    /// The size of the row log; 0 if it cannot be used.
    var rowLogCapacity: Int
    /// Whether there are commits for the row log.
    var wantsRowLog = false
    /// Whether the last commits were not flushed.
    var hasUnflushedCommit = false
    /// The sessions that were removed, with the greatest number that a row of theirs may have. Such rows may be left.
    var removed = RemovedSessions()
    /// The number up to which recovery expects no row that is still needed, as recorded in the database.
    var recordedProgress: UInt64 = 0
    /// The key of the last content of a session.
    var lastContent: Int64 = 0

    /// Opens the database of a directory, and recovers the state that an earlier process left.
    ///
    /// - Parameter rowLogCapacity: The size of the row log.
    init(_ directory: JournalDirectory, rowLogCapacity: Int = RowLog.capacity) throws {
        self.directory = directory
        self.rowLogCapacity = rowLogCapacity
        let isNew = (JournalDirectory.size(of: directory.database) ?? 0) == 0
        try directory.prepareDatabase()
        // Before SQLite opens it and appends to what it takes for its end.
        let lastCommit = LogFile.lastCommit(in: directory.log)
        inheritedPages = Int(JournalDirectory.size(of: directory.log) ?? 0) / 4096
        connection = try SQLiteConnection(path: directory.database)
        try SQLiteSchema.prepare(connection)
        connection.watchLog(from: lastCommit.frames)
        // Before recovery, which may take long. The log exists since the first access in its mode.
        files = try DatabaseFiles(directory)
        hasLogRoom = directory.takeLogRoom()
        statements = try SQLiteStatements(connection)
        positions = PositionFile(directory.position)
        lacksCommits = !isNew && positions?.position.isContained(in: lastCommit) == false
        if lacksCommits { try checkPages() }
        // An older build has marked nothing.
        let place = try property(SQLiteJournal.placeProperty)
        isCopy = place != nil && place != directory.mark
        isMarked = try property(JournalProperty.copied)?.isEmpty == false
        recordedProgress = UInt64(bitPattern: try connection.integer("SELECT covered FROM progress"))
        if try !recoverRows() { lacksCommits = true }
        try recover()
    }

    /// Throws if the database is not consistent: a checkpoint may have moved pages of commits that the log lacks now.
    private func checkPages() throws {
        let result = try connection.text("PRAGMA quick_check(1)") ?? "nothing"
        guard result != "ok" else { return }
        throw JournalError(
            .damaged,
            "expected the log of \(directory.database) as it was left, got one that lacks commits, and the rest does not fit: "
                + result)
    }

    /// Stores the position of the last commit, so that the next process detects a loss. Call after verifying that the files are in place.
    func noteCommit() {
        guard let positions else { return }
        if logSalt == 0 { logSalt = LogFile.salt(of: directory.log) }
        positions.position = LogPosition(salt: logSalt, frames: connection.logFrames)
    }

    /// Records that nothing of the log is needed. Call before the log becomes shorter.
    func forgetLog() {
        files.forgetLog()
        positions?.position = .nothing
        positions?.flush()
        logSalt = 0
    }

    /// Discards the known salt: after a checkpoint, the next commit may restart the log.
    func logMayBeginAgain() { logSalt = 0 }

    /// Flushes the position, so that the next process does not compare the log with the position of an earlier process.
    func flushPosition() { positions?.flush() }

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
