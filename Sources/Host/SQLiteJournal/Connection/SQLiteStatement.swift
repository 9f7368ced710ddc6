import CSQLite
import MachineHost

/// A prepared statement.
///
/// The bytes that are bound are not copied: they must stay where they are until the statement is reset.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let connection: SQLiteConnection

    /// Prepares a statement that is used often.
    init(_ sql: String, _ connection: SQLiteConnection) throws {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else {
            var failure = connection.error(code, "prepare \(sql) for")
            // The text is correct, so a table is missing.
            if code == SQLITE_ERROR { failure.kind = .damaged }
            throw failure
        }
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs code that steps through the result, and resets the statement afterwards.
    @inline(__always)
    func use<Result>(_ body: () throws -> Result) rethrows -> Result {
        defer { sqlite3_reset(handle) }
        return try body()
    }

    /// Runs the statement, which has no result.
    @inline(__always)
    func run() throws {
        let code = sqlite3_step(handle)
        guard code == SQLITE_DONE else {
            let failure = connection.error(code, "write")
            sqlite3_reset(handle)
            throw failure
        }
        sqlite3_reset(handle)
    }

    /// Proceeds to the next row of the result. Returns whether there is one.
    @inline(__always)
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else { throw connection.error(code, "use") }
        return false
    }

    @inline(__always)
    func bind(_ value: Int64, at place: Int32) throws {
        try connection.check(sqlite3_bind_int64(handle, place, value), "bind a number for")
    }

    @inline(__always)
    func bind(_ value: Int64?, at place: Int32) throws {
        guard let value else { return try connection.check(sqlite3_bind_null(handle, place), "bind nothing for") }
        try bind(value, at: place)
    }

    /// Binds bytes without copying them.
    @inline(__always)
    func bind(_ bytes: UnsafeRawBufferPointer, at place: Int32) throws {
        // A null pointer would bind NULL.
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return try connection.check(sqlite3_bind_zeroblob(handle, place, 0), "bind nothing for")
        }
        try connection.check(
            sqlite3_bind_blob64(handle, place, start, UInt64(bytes.count), nil), "bind \(bytes.count) bytes for")
    }

    /// Binds text without copying it.
    func bind(text: UnsafeBufferPointer<UInt8>, at place: Int32) throws {
        let code = text.withMemoryRebound(to: CChar.self) { characters in
            guard let start = characters.baseAddress else { return sqlite3_bind_text(handle, place, "", 0, nil) }
            return sqlite3_bind_text64(handle, place, start, UInt64(text.count), nil, UInt8(SQLITE_UTF8))
        }
        try connection.check(code, "bind \(text.count) bytes of text for")
    }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func optionalInteger(_ column: Int32) -> Int64? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, column)
    }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func text(_ column: Int32) -> String {
        String(decoding: bytes(column), as: UTF8.self)
    }

    /// Returns the bytes of a column, which are valid until the next step.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        // The pointer first: the length is that of the representation that was asked for last.
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}
