public import MachineHost

/// A journal in a directory, in a database of SQLite.
///
/// One thread at a time may use it. The directory must be on a local disk, and no other program, such as `sqlite3`, may open the
/// database while the journal is open.
public final class SQLiteJournal: MaintainedJournal, FileJournal {
    /// The number of pages in the log at which ``maintain()`` moves them into the database.
    // Moving a thousand takes more than ten milliseconds, in which nothing is stored or loaded.
    static let checkpointedPages = 250
    /// The number of pages at which a commit moves them, because the host calls ``maintain()`` too rarely.
    static let toleratedPages = 4000

    /// The acknowledged data of an earlier process that the journal may lack. The sessions then get new epochs.
    public enum Loss: Sendable {
        /// The database is missing: the journal is empty.
        case database
        /// The write-ahead log is missing, with the newest batches. They are not lost if `sqlite3` has removed it, which first moves its
        /// content into the database.
        case log
        /// The write-ahead log lacks commits: its end was cut or damaged, or it is an older one.
        case commits
        /// A row is damaged, so that its session is unknown.
        case row
        /// The files are copies, or copies were put in their place.
        case copy
    }

    /// The durability of a committed batch, which survives a loss of power if it was flushed.
    public let guarantee = Durability.disk
    /// The path of the damaged database that was moved aside; nil if none was.
    public private(set) var movedAside: String?
    /// The loss that was found when the journal was opened; nil if there was none, and for a backup, which states itself that it is one.
    public private(set) var loss: Loss?
    /// The lock of the directory; nil after ``close()``. A caller who keeps it keeps the directory locked.
    public private(set) var lock: JournalLock?

    let directory: JournalDirectory
    /// The connection and its statements; nil after an error and after closing.
    private(set) var opened: OpenDatabase?
    /// The error that calls throw while ``opened`` is nil.
    private var refusal = JournalError(.closed, "expected an open journal, but it was closed")
    weak var backup: SQLiteBackup?

    /// Opens a journal, which is created if it does not exist.
    ///
    /// - Parameters:
    ///   - directory: The directory, which only this user may access. It is created if it does not exist.
    ///   - moveAside: Whether a damaged journal is renamed and an empty one is created in its place. Otherwise opening it
    ///     throws, and it stays unchanged.
    /// - Throws: `JournalError`: `.held` by another process, `.damaged`, `.newer`, `.readOnly`, `.unprotected`, `.full` or
    ///   `.inputOutput`.
    public convenience init(directory: String, moveAside: Bool = false) throws {
        let place = try JournalDirectory(directory)
        try self.init(place, JournalLock(place), moveAside: moveAside)
    }

    /// Opens a journal whose lock this process already holds, such as one received from the previous process.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - lock: Its lock.
    ///   - moveAside: Whether a damaged journal is renamed, as in ``init(directory:moveAside:)``.
    public convenience init(directory: String, lock: JournalLock, moveAside: Bool = false) throws {
        try self.init(JournalDirectory(directory), lock, moveAside: moveAside)
    }

    private init(_ directory: JournalDirectory, _ lock: JournalLock, moveAside: Bool) throws {
        loss = directory.missingFile(wasUsed: lock.hasHolder)
        try lock.recordHolder()
        self.directory = directory
        self.lock = lock
        do {
            opened = try OpenDatabase(directory)
        } catch let error as JournalError where error.kind == .damaged && moveAside {
            movedAside = try directory.moveAside()
            loss = nil
            opened = try OpenDatabase(directory)
        } catch let error as JournalError where error.kind == .held {
            // Nobody else has the lock of the directory, so this is a program such as `sqlite3`.
            let user = directory.userOfDatabase ?? "another one"
            throw JournalError(
                .held, "expected no other program to use \(directory.database), but \(user) does; end it first")
        }
        try settle()
    }

    /// The property with the mark of the directory.
    static let placeProperty = "place"

    /// Requests new epochs for all sessions if clients may have seen data that the journal lacks, and marks the directory.
    private func settle() throws {
        let database = try database()
        if loss == nil {
            loss = database.lacksCommits ? .commits : database.lacksRows ? .row : database.isCopy ? .copy : nil
        }
        if loss != .database, database.isMarked { loss = nil }
        var batch = JournalBatch()
        if let loss, loss != .database { batch.add(.set(property: JournalProperty.copied, value: [1])) }
        if try database.isCopy || property(SQLiteJournal.placeProperty) == nil, let mark = directory.makeMark() {
            batch.add(.set(property: SQLiteJournal.placeProperty, value: mark))
        }
        if batch.isEmpty { database.noteCommit() } else { try commit(batch, isFlushed: true) }
        database.flushPosition()
    }

    deinit {
        // A journal that is not closed must look like one whose process ended: without a last checkpoint.
        backup?.cancel()
    }

    /// Moves the log into the database and closes it. Later calls throw.
    ///
    /// - Throws: `JournalError`, also if the files are no longer at their paths, or were cut.
    public func close() throws {
        defer {
            discard(JournalError(.closed, "expected an open journal, but it was closed"))
            lock = nil
        }
        backup?.cancel()
        try opened?.verifyFiles()
        try opened?.endRowLog()
        try opened?.checkpointCompletely()
        try opened?.verifyFiles()
    }

    /// Moves the pages of the log into the database if there are many, and rows from the row log if it has little room.
    public func maintain() throws {
        try writing { database in
            try database.maintainRows()
            try database.checkpoint(from: SQLiteJournal.checkpointedPages)
        }
    }

    /// Throws if the database or its log was removed, renamed, replaced or cut since it was opened, alone or with the directory.
    public func verify() throws {
        try writing { _ in }
    }

    /// Returns the open database.
    ///
    /// - Throws: `JournalError(.closed)` after an error of a commit and after closing.
    func database() throws -> OpenDatabase {
        guard let opened else { throw refusal }
        return opened
    }

    /// Runs code that writes, and verifies that it wrote into the files of the directory. After an error, all further calls throw, because
    /// the system may have dropped data that it could not write, and a second attempt to flush would succeed without it.
    func writing<Result>(_ body: (OpenDatabase) throws -> Result) throws -> Result {
        do {
            let database = try database()
            // What is written behind the end of a file that was cut makes it as long as before.
            try database.verifyFiles()
            let result = try body(database)
            // After the write, so that nothing is acknowledged that went into a removed file.
            try database.verifyFiles()
            return result
        } catch let error as JournalError where error.kind != .closed {
            discard(JournalError(.closed, "expected a usable journal, but an earlier call failed: \(error.detail)"))
            throw error
        }
    }

    private func discard(_ reason: JournalError) {
        guard opened != nil else { return }
        refusal = reason
        backup?.cancel()
        opened = nil
    }
}
