public import MachineHost

extension PostgreSQLJournal {
    /// Returns a session with the rows after its snapshot, oldest first; nil if it is not stored.
    public func load(_ session: StoredSessionID) throws -> JournalEntry? {
        let results = try read(PostgreSQLRequest(.session, id(session)), PostgreSQLRequest(.rows, id(session)))
        let (found, rows) = (results[0], results[1])
        guard found.count > 0 else { return nil }
        let snapshot = SessionSnapshot(
            summary: try summary(found, 0), covers: UInt64(bitPattern: found.integer(0, 10)),
            content: found.array(0, 11))
        return JournalEntry(
            snapshot: snapshot,
            rows: (0..<rows.count).map { row in
                JournalEntry.Row(
                    number: UInt64(bitPattern: rows.integer(row, 0)), wakesAt: rows.optionalInteger(row, 1),
                    content: rows.array(row, 2))
            })
    }

    /// Returns the summary of a session without reading its content; nil if it is not stored.
    public func summary(of session: StoredSessionID) throws -> SessionSummary? {
        try summaries(PostgreSQLRequest(.summary, id(session))).first
    }

    /// Returns the summaries of stored sessions whose ids follow a given one, in the order of the ids.
    public func sessions(after id: StoredSessionID?, limit: Int) throws -> [SessionSummary] {
        let limit = PostgreSQLParameter(Int64(limit))
        guard let id else { return try summaries(PostgreSQLRequest(.firstSessions, limit)) }
        return try summaries(PostgreSQLRequest(.nextSessions, limit, self.id(id)))
    }

    /// Returns the session of a machine with a name that has not ended; nil if none exists.
    public func session(named name: SessionName, of machine: String) throws -> StoredSessionID? {
        let result = try readOne(
            PostgreSQLRequest(
                .sessionNamed, PostgreSQLParameter(high: name.owner.high, low: name.owner.low),
                PostgreSQLParameter(Array(machine.utf8)), PostgreSQLParameter(Array(name.text.utf8))))
        return result.count > 0 ? try storedID(result, 0) : nil
    }

    /// Returns the sessions that must be woken or have expired, by time.
    public func sessions(dueAt time: Int64, limit: Int) throws -> [SessionSummary] {
        try summaries(
            PostgreSQLRequest(
                .dueSessions, PostgreSQLParameter(Int64(limit)), PostgreSQLParameter(time),
                PostgreSQLParameter(fence.epoch)))
    }

    /// Returns the time of the first session that must be woken or expires; nil if none exists.
    public func nextDueTime() throws -> Int64? {
        let result = try readOne(PostgreSQLRequest(.nextDueTime, PostgreSQLParameter(fence.epoch)))
        return result.count > 0 ? result.integer(0, 0) : nil
    }

    /// Returns a named value of the journal itself; nil if it was never set.
    public func property(_ name: String) throws -> [UInt8]? {
        let result = try readOne(PostgreSQLRequest(.property, PostgreSQLParameter(Array(name.utf8))))
        return result.count > 0 ? result.array(0, 0) : nil
    }

    /// Returns the note with a key; nil if it is not stored.
    public func note(_ key: JournalNoteKey) throws -> JournalNote? {
        let result = try readOne(PostgreSQLRequest(.note, PostgreSQLParameter(high: key.high, low: key.low)))
        guard result.count > 0 else { return nil }
        return JournalNote(key: key, until: result.integer(0, 0), content: result.array(0, 1))
    }

    private func readOne(_ request: PostgreSQLRequest) throws -> PostgreSQLResult { try read(request)[0] }

    private func id(_ session: StoredSessionID) -> PostgreSQLParameter {
        PostgreSQLParameter(high: session.high, low: session.low)
    }

    private func summaries(_ request: PostgreSQLRequest) throws -> [SessionSummary] {
        let result = try readOne(request)
        return try (0..<result.count).map { try summary(result, $0) }
    }

    /// Reads a summary from the columns of `PostgreSQLStatement.columns`.
    private func summary(_ result: PostgreSQLResult, _ row: Int) throws -> SessionSummary {
        let owner = result.id(row, 8).map { SessionOwner(high: $0.high, low: $0.low) }
        let name = result.isNull(row, 9) ? nil : owner.map { SessionName(owner: $0, text: result.text(row, 9)) }
        return SessionSummary(
            id: try storedID(result, row), machine: result.text(row, 1),
            version: UInt64(bitPattern: result.integer(row, 2)),
            createdAt: result.integer(row, 3), usedAt: result.integer(row, 4),
            expiresAt: result.optionalInteger(row, 5),
            wakesAt: result.optionalInteger(row, 6), hasEnded: result.boolean(row, 7), owner: owner, name: name)
    }

    private func storedID(_ result: PostgreSQLResult, _ row: Int) throws -> StoredSessionID {
        guard let id = result.id(row, 0) else {
            throw JournalError(.damaged, "expected an id of each session in \(address), got none")
        }
        return StoredSessionID(high: id.high, low: id.low)
    }
}

extension PostgreSQLStatement {
    private static let columns =
        "id, machine, version, created_at, used_at, expires_at, wakes_at, has_ended, owner, name"

    fileprivate static let session = PostgreSQLStatement(
        name: "session",
        text: """
            SELECT \(columns), covers, content FROM sessions s WHERE id = $1::uuid
            """)

    fileprivate static let rows = PostgreSQLStatement(
        name: "rows",
        text: """
            SELECT i, j.wakes_at, j.content FROM sessions s JOIN journal j ON j.session = s.id AND i > covers
            WHERE id = $1::uuid ORDER BY i
            """)

    fileprivate static let summary = PostgreSQLStatement(
        name: "summary", text: "SELECT \(columns) FROM sessions s WHERE id = $1::uuid")

    fileprivate static let firstSessions = PostgreSQLStatement(
        name: "first sessions", text: "SELECT \(columns) FROM sessions s ORDER BY id LIMIT $1::bigint")

    fileprivate static let nextSessions = PostgreSQLStatement(
        name: "next sessions",
        text: "SELECT \(columns) FROM sessions s WHERE id > $2::uuid ORDER BY id LIMIT $1::bigint")

    fileprivate static let sessionNamed = PostgreSQLStatement(
        name: "session named",
        text: """
            SELECT id FROM sessions
            WHERE owner = $1::uuid AND machine = $2::bytea AND name = $3::bytea AND name IS NOT NULL AND NOT has_ended
            """)

    fileprivate static let dueSessions = PostgreSQLStatement(
        name: "due sessions",
        text: """
            SELECT \(columns) FROM sessions s WHERE due_at IS NOT NULL AND due_at <= $2::bigint
                AND \(isWithoutOtherHolder("$3")) ORDER BY due_at, id LIMIT $1::bigint
            """)

    fileprivate static let nextDueTime = PostgreSQLStatement(
        name: "next due time",
        text: """
            SELECT due_at FROM sessions s WHERE due_at IS NOT NULL AND \(isWithoutOtherHolder("$1")) ORDER BY due_at LIMIT 1
            """)

    /// Returns the condition that no process but a given one holds a session `s`.
    static func isWithoutOtherHolder(_ node: String) -> String {
        "NOT EXISTS (SELECT FROM fences f WHERE f.epoch = s.node AND f.epoch <> \(node)::bigint)"
    }

    fileprivate static let property = PostgreSQLStatement(
        name: "property", text: "SELECT value FROM properties WHERE name = $1::bytea")

    fileprivate static let note = PostgreSQLStatement(
        name: "note", text: "SELECT until, content FROM notes WHERE key = $1::uuid")
}
