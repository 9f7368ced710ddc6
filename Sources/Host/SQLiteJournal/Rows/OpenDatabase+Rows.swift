import CSQLite
import MachineHost

// Rows that are in the row log, and those that move from there into the table.
extension OpenDatabase {
    /// The number of rows after which a move ends, and leaves the other records to the next one.
    private static let movedRows = 2048

    /// Appends the rows of a flushed batch to the row log.
    ///
    /// - Returns: False if the batch belongs into the database: it has other changes, or rows for which the log has no place.
    func log(_ batch: JournalBatch) throws -> Bool {
        // What was stored without a flush must be durable with this batch. Only the database can do that.
        guard !hasUnflushedCommit, let size = sizeOfRows(batch) else { return false }
        guard let rowLog else {
            wantsRowLog = true
            return false
        }
        guard size <= rowLog.largest else { return false }
        var first = rowLog.position(forRows: size)
        while first == nil {
            try moveRows(rowLog)
            first = rowLog.position(forRows: size)
        }
        guard let first else { return false }
        rowBytes.removeAll(keepingCapacity: true)
        try batch.bytes.withUnsafeBytes { bytes in
            for case .append(let row) in batch.changes {
                let place = first + UInt64(rowBytes.count)
                guard loggedRows.updateValue(place, forKey: row.number) == nil else {
                    throw OpenDatabase.repeated(row.number)
                }
                try note(row, isLogged: true)
                LoggedRow.append(row, UnsafeRawBufferPointer(rebasing: bytes[row.content]), to: &rowBytes)
            }
        }
        try rowBytes.withUnsafeBytes { try rowLog.append($0, inPlaceFor: size) }
        return true
    }

    /// Returns the most bytes that the rows of a batch take in the row log; nil if it is not for the row log.
    private func sizeOfRows(_ batch: JournalBatch) -> Int? {
        for change in batch.changes {
            // A smaller number, which another thread has drawn earlier, may be in the table.
            guard case .append(let row) = change, row.number > lastTableRow, row.number <= UInt64(Int64.max) else {
                return nil
            }
        }
        return batch.bytes.count + batch.changes.count * LoggedRow.overhead
    }

    static func repeated(_ number: UInt64) -> JournalError {
        JournalError(.unsupported, "expected each row to have its own number, got row \(number) twice")
    }

    /// Returns a row that is in the row log; nil if it is not there.
    func loggedRow(_ number: UInt64) -> LoggedRow? {
        guard let rowLog, let place = loggedRows[number] else { return nil }
        var bytes = rowLog.bytes(from: place)
        return LoggedRow(&bytes)
    }

    /// Makes room in the row log if a commit may soon need it, and begins to use it as soon as there are commits for it.
    func maintainRows() throws {
        guard let rowLog else { return wantsRowLog ? try beginRowLog() : () }
        if rowLog.room < rowLog.largest / 2 { try moveRows(rowLog) }
    }

    /// Reads the next of the rows of a record; nil after the last one.
    private func row(_ bytes: inout UnsafeRawBufferPointer) throws -> LoggedRow? {
        if bytes.isEmpty { return nil }
        guard let row = LoggedRow(&bytes) else {
            throw JournalError(.damaged, "expected a row in \(directory.rowLog), got \(bytes.count) other bytes")
        }
        return row
    }

    /// Moves the rows that are still needed from some of the oldest records into the table, not more than necessary: a snapshot may soon
    /// contain the others.
    private func moveRows(_ rowLog: RowLog) throws {
        var (next, seen) = (rowLog.tail, 0)
        let end = next + UInt64(rowLog.largest / 4)
        // Flushed, because the place of the records is used again.
        try transaction(isFlushed: true) {
            while next < end, seen < OpenDatabase.movedRows, let record = rowLog.record(at: next) {
                var bytes = rowLog.bytes(from: record.rows.lowerBound)
                bytes = UnsafeRawBufferPointer(rebasing: bytes[..<Int(record.rows.count)])
                while let row = try row(&bytes) {
                    seen += 1
                    loggedRows[row.number] = nil
                    guard tails.isNeeded(row.number, of: row.session) else { continue }
                    try insert(row)
                    tails.wasMoved(row.session)
                }
                next = record.next
            }
            try statements.recordMovedRows.bind(Int64(bitPattern: next), at: 1)
            try statements.recordMovedRows.run()
        }
        // Otherwise, the next process would not notice that the log lacks what was moved.
        noteCommit()
        rowLog.remove(before: next)
    }

    /// Moves all rows that are needed from the row log into the table.
    func moveAllRows() throws {
        guard let rowLog else { return }
        while !rowLog.isEmpty { try moveRows(rowLog) }
    }

    /// Begins to use the row log, unless the disk has little room.
    private func beginRowLog() throws {
        wantsRowLog = false
        guard rowLogCapacity > 0, directory.hasRoomForRowLog(of: rowLogCapacity) else { return }
        let salt = UInt64.random(in: 1...UInt64(Int64.max))
        guard let log = try? RowLog(directory.rowLog, capacity: rowLogCapacity, salt: salt) else {
            // Not again in this process: it would write as much each time.
            rowLogCapacity = 0
            return
        }
        try files.add(rowLog: directory.rowLog)
        positions?.rows = RowPosition(salt: salt, end: 0)
        try transaction(isFlushed: true) {
            try setRowLog(salt: Int64(bitPattern: salt), moved: 0, version: SQLiteSchema.versionWithRowLog)
        }
        noteCommit()
        rowLog = log
    }

    /// Moves all rows that are needed into the table, so that nothing of the row log is needed. Older builds can read the database then.
    func endRowLog() throws {
        guard rowLog != nil else { return }
        try moveAllRows()
        positions?.rows = RowPosition(salt: 0, end: 0)
        try transaction(isFlushed: true) { try setRowLog(salt: nil, moved: nil, version: SQLiteSchema.version) }
        rowLog = nil
        files.removeRowLog()
    }

    /// Records the salt of the row log; nil if it is not used. Belongs into a transaction.
    private func setRowLog(salt: Int64?, moved: Int64?, version: Int64) throws {
        let statement = try SQLiteStatement("UPDATE progress SET salt = ?, moved = ?", connection)
        try statement.bind(salt, at: 1)
        try statement.bind(moved, at: 2)
        try statement.run()
        try connection.execute("PRAGMA user_version=\(version)")
    }

    /// Moves the rows that an earlier process has left in its row log into the table.
    ///
    /// - Returns: Whether the row log has all rows that were acknowledged.
    func recoverRows() throws -> Bool {
        let salt = UInt64(bitPattern: try connection.integer("SELECT salt FROM progress"))
        guard salt != 0 else { return true }
        let moved = UInt64(bitPattern: try connection.integer("SELECT moved FROM progress"))
        let isLinked =
            try connection.integer("PRAGMA user_version") > SQLiteSchema.versionWithUnlinkedRecords
        let acknowledged = positions?.rows ?? RowPosition(salt: 0, end: 0)
        var covered: [StoredSessionID: UInt64?] = [:]
        var isComplete = false
        try transaction(isFlushed: true) {
            let end = try RowLog.read(directory.rowLog, salt: salt, from: moved, isLinked: isLinked) { rows in
                var bytes = rows
                while let row = try row(&bytes) {
                    let covers: UInt64?
                    if let known = covered[row.session] {
                        covers = known
                    } else {
                        covers = try place(of: row.session)?.covers
                        covered[row.session] = .some(covers)
                    }
                    if let covers, row.number > covers { try insert(row) }
                }
            }
            isComplete = end.map { acknowledged.salt != salt || acknowledged.end <= $0 } ?? false
            // With it, because nothing else tells the next process, if this one ends now.
            if !isComplete { try statements.setProperty.set(property: JournalProperty.copied, to: [1]) }
            try setRowLog(salt: nil, moved: nil, version: SQLiteSchema.version)
        }
        positions?.rows = RowPosition(salt: 0, end: 0)
        return isComplete
    }

    /// Records how far the row log was acknowledged. Call after verifying that the files are in place.
    func noteRows() {
        guard let rowLog else { return }
        positions?.rows = RowPosition(salt: rowLog.salt, end: rowLog.head)
    }
}
