import CSQLite
import MachineHost

/// A connection to a database, which one thread at a time may use.
final class SQLiteConnection {
    let path: String
    private(set) var handle: OpaquePointer?
    private let frames = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

    /// Opens a database file, which must exist.
    init(path: String) throws {
        self.path = path
        frames.initialize(to: 0)
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK else {
            let failure = error(code, "open")
            close()
            throw failure
        }
        // A connection that failed must not write anything more, and what is found damaged must stay unchanged. A journal
        // that is closed in order runs a checkpoint itself.
        try check(granary_sqlite_keep_log_on_close(handle), "configure")
    }

    deinit {
        close()
        frames.deallocate()
    }

    /// Closes the connection. Its statements must have been released.
    func close() {
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// Runs statements that have no parameters, and ignores their results.
    func execute(_ statements: String) throws {
        try check(sqlite3_exec(handle, statements, nil, nil, nil), "run \(statements)")
    }

    /// Returns the first column of the first row of a query's result as text; nil if there is no row.
    func text(_ query: String) throws -> String? {
        let statement = try SQLiteStatement(query, self)
        return try statement.use { try statement.step() ? statement.text(0) : nil }
    }

    /// Returns the first column of the first row of a query's result; 0 if there is no row.
    func integer(_ query: String) throws -> Int64 {
        let statement = try SQLiteStatement(query, self)
        return try statement.use { try statement.step() ? statement.integer(0) : 0 }
    }

    /// Returns the number of pages that were written since the last call with `resets`.
    func writtenPages(resets: Bool = false) -> Int {
        var pages: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, resets ? 1 : 0)
        return Int(pages)
    }

    /// The number of frames in the write-ahead log up to the last commit.
    var logFrames: UInt32 { UInt32(frames.pointee) }

    /// Begins to count the frames of the write-ahead log, which has a number of them.
    func watchLog(from count: UInt32) {
        frames.pointee = Int32(clamping: count)
        granary_sqlite_watch_frames(handle, frames)
    }

    /// Copies the pages of the write-ahead log into the database.
    ///
    /// - Returns: False if the disk has no room for them. They stay in the log, and the connection stays usable.
    @discardableResult
    func checkpoint(_ mode: Int32) throws -> Bool {
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil)
        // Only a write reports this. A flush that finds no room is an error of the device, and ends the process.
        if code & 0xff == SQLITE_FULL { return false }
        try check(code, "move the log into")
        _ = writtenPages(resets: true)
        return true
    }

    /// Throws if a result code is an error.
    @inline(__always)
    func check(_ code: Int32, _ action: @autoclosure () -> String) throws {
        if code != SQLITE_OK { throw error(code, action()) }
    }

    /// Returns the error of the last call.
    func error(_ code: Int32, _ action: String) -> JournalError {
        JournalError(
            sqlite: code, system: handle.map { granary_sqlite_system_error($0) } ?? 0,
            message: handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory",
            expected: "to \(action) \(path)")
    }
}
