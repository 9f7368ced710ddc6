/// The statements of a journal, prepared once.
struct SQLiteStatements {
    static let summary = "id, machine, version, created_at, used_at, expires_at, wakes_at, has_ended, owner, name"
    /// Sets a property (``SQLiteStatement/set(property:to:)``).
    static let propertyChange = "REPLACE INTO properties(name, value, checksum) VALUES(?, ?, ?)"

    let begin: SQLiteStatement
    let commit: SQLiteStatement

    let appendRow: SQLiteStatement
    let row: SQLiteStatement
    let previousRow: SQLiteStatement
    let removeRow: SQLiteStatement
    let oldestRows: SQLiteStatement
    let nextRows: SQLiteStatement
    let removePrefix: SQLiteStatement

    let session: SQLiteStatement
    let sessionSummary: SQLiteStatement
    let sessionPlace: SQLiteStatement
    let addSession: SQLiteStatement
    let renewSession: SQLiteStatement
    let updateSession: SQLiteStatement
    let removeSession: SQLiteStatement
    let sessionNamed: SQLiteStatement
    let releaseName: SQLiteStatement
    let storeContent: SQLiteStatement
    let removeContent: SQLiteStatement

    let sessions: SQLiteStatement
    let dueSessions: SQLiteStatement
    let nextDueTime: SQLiteStatement

    let recordProgress: SQLiteStatement
    let recordMovedRows: SQLiteStatement
    let property: SQLiteStatement
    let setProperty: SQLiteStatement
    let note: SQLiteStatement
    let setNote: SQLiteStatement
    let removeNotes: SQLiteStatement

    init(_ connection: SQLiteConnection) throws {
        func prepare(_ sql: String) throws -> SQLiteStatement { try SQLiteStatement(sql, connection) }
        let summary = SQLiteStatements.summary
        begin = try prepare("BEGIN IMMEDIATE")
        commit = try prepare("COMMIT")
        appendRow = try prepare(
            "INSERT INTO journal(i, session, previous, wakes_at, content, checksum) VALUES(?, ?, ?, ?, ?, ?)")
        row = try prepare("SELECT previous, content, wakes_at, checksum FROM journal WHERE i = ? AND session = ?")
        previousRow = try prepare("SELECT previous FROM journal WHERE i = ? AND session = ?")
        removeRow = try prepare("DELETE FROM journal WHERE i = ?")
        oldestRows = try prepare("SELECT i, session FROM journal ORDER BY i LIMIT ?")
        nextRows = try prepare("SELECT i, session FROM journal WHERE i > ? ORDER BY i LIMIT ?")
        removePrefix = try prepare("DELETE FROM journal WHERE i <= ?")
        session = try prepare(
            """
            SELECT \(summary), covers, n.content, n.checksum FROM sessions s LEFT JOIN contents n ON n.n = s.content
            WHERE id = ?
            """)
        sessionSummary = try prepare("SELECT \(summary) FROM sessions WHERE id = ?")
        sessionPlace = try prepare("SELECT content, covers FROM sessions WHERE id = ?")
        addSession = try prepare(
            """
            INSERT INTO sessions(
                id, machine, version, created_at, used_at, expires_at, wakes_at, due_at, has_ended, covers, owner, name,
                content)
            VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        renewSession = try prepare(
            """
            UPDATE sessions SET machine = ?2, version = ?3, created_at = ?4, used_at = ?5, expires_at = ?6, wakes_at = ?7,
                due_at = ?8, has_ended = ?9, covers = ?10, owner = ?11, name = ?12 WHERE id = ?1
            """)
        updateSession = try prepare(
            """
            UPDATE sessions SET machine = ?2, version = ?3, created_at = ?4, used_at = ?5, expires_at = ?6, wakes_at = ?7,
                due_at = ?8, has_ended = ?9 WHERE id = ?1 AND has_ended <= ?9
            """)
        removeSession = try prepare("DELETE FROM sessions WHERE id = ?")
        sessionNamed = try prepare(
            "SELECT id FROM sessions WHERE owner = ? AND machine = ? AND name = ? AND name IS NOT NULL AND has_ended = 0"
        )
        releaseName = try prepare(
            """
            UPDATE sessions SET name = NULL
            WHERE owner = ? AND machine = ? AND name = ? AND name IS NOT NULL AND has_ended = 0 AND id <> ?
            """)
        storeContent = try prepare("REPLACE INTO contents(n, content, checksum) VALUES(?, ?, ?)")
        removeContent = try prepare("DELETE FROM contents WHERE n = ?")
        sessions = try prepare("SELECT \(summary) FROM sessions WHERE id > ? ORDER BY id LIMIT ?")
        dueSessions = try prepare(
            "SELECT \(summary) FROM sessions WHERE due_at IS NOT NULL AND due_at <= ? ORDER BY due_at, id LIMIT ?")
        nextDueTime = try prepare("SELECT due_at FROM sessions WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1")
        recordProgress = try prepare("UPDATE progress SET covered = ?")
        recordMovedRows = try prepare("UPDATE progress SET moved = ?")
        property = try prepare("SELECT value, checksum FROM properties WHERE name = ?")
        setProperty = try prepare(SQLiteStatements.propertyChange)
        note = try prepare("SELECT until, content FROM notes WHERE key = ?")
        setNote = try prepare("REPLACE INTO notes(key, until, content) VALUES(?, ?, ?)")
        removeNotes = try prepare("DELETE FROM notes WHERE until <= ?")
    }
}
