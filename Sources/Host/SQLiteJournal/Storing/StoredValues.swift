import MachineHost

extension StoredSessionID {
    /// Calls a closure with the sixteen bytes of the id. Their order is that of the ids.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
    }

    /// Creates an id from its sixteen bytes; nil if there are more or fewer.
    @inline(__always)
    init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}

extension SessionSummary {
    /// Reads a summary from the columns of `SQLiteStatements.summary`.
    init(row: SQLiteStatement, path: String) throws {
        guard let id = StoredSessionID(bytes: row.bytes(0)) else {
            throw JournalError(.damaged, "expected ids of 16 bytes in \(path), got one of \(row.bytes(0).count)")
        }
        try self.init(
            id: id, machine: row.text(1), version: UInt64(bitPattern: row.integer(2)), createdAt: row.integer(3),
            usedAt: row.integer(4), expiresAt: row.optionalInteger(5), wakesAt: row.optionalInteger(6),
            hasEnded: row.integer(7) != 0, owner: SessionOwner(row: row, path: path),
            name: SessionName(row: row, path: path))
    }
}

/// Returns the number of a row as it is stored.
///
/// - Throws: `JournalError` if the number is too large for a key of SQLite.
@inline(__always)
func stored(_ number: UInt64) throws -> Int64 {
    guard let key = Int64(exactly: number) else {
        throw JournalError(.unsupported, "expected the number of a row to be at most \(Int64.max), got \(number)")
    }
    return key
}
