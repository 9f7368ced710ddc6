public import MachineHost

extension SQLiteJournal {
    /// Returns a session with the rows after its snapshot, oldest first; nil if it is not stored.
    ///
    /// - Throws: `JournalError(.damaged)` if a row is missing, or bytes have changed since they were stored.
    public func load(_ session: StoredSessionID) throws -> JournalEntry? {
        let database = try database()
        guard let snapshot = try database.snapshot(of: session, directory.database) else { return nil }
        let rows = try database.rows(of: session, after: snapshot.covers, directory.database)
        return JournalEntry(snapshot: snapshot, rows: rows)
    }

    /// Returns the summary of a session without reading its content; nil if it is not stored.
    public func summary(of session: StoredSessionID) throws -> SessionSummary? {
        let statement = try database().statements.sessionSummary
        return try session.withBytes { id in
            try statement.bind(id, at: 1)
            return try statement.use {
                try statement.step() ? SessionSummary(row: statement, path: directory.database) : nil
            }
        }
    }

    /// Returns the greatest number of a row that was stored; 0 if none exists. Takes some ten milliseconds for 100,000 sessions.
    public func lastNumber() throws -> UInt64 {
        let database = try database()
        let covered = try database.connection.integer("SELECT max(covers) FROM sessions")
        return max(database.lastRow, database.recordedProgress, UInt64(bitPattern: covered))
    }

    /// Returns the summaries of stored sessions whose ids follow a given one, in the order of the ids.
    public func sessions(after id: StoredSessionID?, limit: Int) throws -> [SessionSummary] {
        let statement = try database().statements.sessions
        try statement.bind(Int64(limit), at: 2)
        guard let id else {
            try statement.bind(UnsafeRawBufferPointer(start: nil, count: 0), at: 1)
            return try summaries(statement)
        }
        return try id.withBytes { id in
            try statement.bind(id, at: 1)
            return try summaries(statement)
        }
    }

    /// Returns the sessions that must be woken or have expired, by time, without those that are damaged: one must not stop the others.
    public func sessions(dueAt time: Int64, limit: Int) throws -> [SessionSummary] {
        let statement = try database().statements.dueSessions
        try statement.bind(time, at: 1)
        try statement.bind(Int64(limit), at: 2)
        return try statement.use {
            var summaries: [SessionSummary] = []
            while try statement.step() {
                if let summary = try? SessionSummary(row: statement, path: directory.database) {
                    summaries.append(summary)
                }
            }
            return summaries
        }
    }

    /// Returns the time of the first session that must be woken or expires; nil if none exists.
    public func nextDueTime() throws -> Int64? {
        let statement = try database().statements.nextDueTime
        return try statement.use { try statement.step() ? statement.integer(0) : nil }
    }

    private func summaries(_ statement: SQLiteStatement) throws -> [SessionSummary] {
        try statement.use {
            var summaries: [SessionSummary] = []
            while try statement.step() {
                summaries.append(try SessionSummary(row: statement, path: directory.database))
            }
            return summaries
        }
    }
}

extension OpenDatabase {
    fileprivate func snapshot(of session: StoredSessionID, _ path: String) throws -> SessionSnapshot? {
        let statement = statements.session
        return try session.withBytes { id in
            try statement.bind(id, at: 1)
            return try statement.use {
                guard try statement.step() else { return nil }
                guard !statement.isNull(11) else {
                    throw JournalError(.damaged, "expected the content of a stored session in \(path), got none")
                }
                let (covers, content) = (UInt64(bitPattern: statement.integer(10)), statement.bytes(11))
                try statement.verify(
                    12, StoredChecksum.snapshot(of: session, covers: covers, content),
                    "the content of a session in \(path)")
                let copy = Array(content)
                return SessionSnapshot(
                    summary: try SessionSummary(row: statement, path: path), covers: covers, content: copy)
            }
        }
    }

    /// Returns the rows of a session after a number, by following the links from the last one.
    fileprivate func rows(
        of session: StoredSessionID, after covers: UInt64, _ path: String
    ) throws -> [JournalEntry.Row] {
        guard let tail = tails[session] else { return [] }
        let statement = statements.row
        var rows: [JournalEntry.Row] = []
        rows.reserveCapacity(tail.count)
        var number = tail.last
        try session.withBytes { id in
            while number > covers {
                if let row = loggedRow(number), row.session == session {
                    rows.append(JournalEntry.Row(number: number, wakesAt: row.wakesAt, content: Array(row.content)))
                    number = row.previous
                    continue
                }
                try statement.bind(stored(number), at: 1)
                try statement.bind(id, at: 2)
                number = try statement.use {
                    guard try statement.step() else {
                        throw JournalError(.damaged, "expected row \(number) of a session in \(path), got none")
                    }
                    let row = JournalEntry.Row(
                        number: number, wakesAt: statement.optionalInteger(2), content: Array(statement.bytes(1)))
                    let previous = UInt64(bitPattern: statement.integer(0))
                    try statement.verify(
                        3,
                        StoredChecksum.row(
                            number, of: session, previous: previous, wakesAt: row.wakesAt, statement.bytes(1)),
                        "row \(number) of a session in \(path)")
                    rows.append(row)
                    guard previous < number else {
                        throw JournalError(
                            .damaged, "expected row \(number) in \(path) to follow an earlier one, got \(previous)")
                    }
                    return previous
                }
            }
        }
        rows.reverse()
        return rows
    }
}
