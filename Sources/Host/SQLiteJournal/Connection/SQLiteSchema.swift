import CSQLite
import MachineHost

/// The tables of a journal.
///
/// The journal is append-only and its key is the order of its rows, so that a commit touches only its last pages, whatever
/// the number of sessions. What is searched about sessions is separate from their contents, so that searching reads no contents.
enum SQLiteSchema {
    /// The version of a database without a row log, which is that of all databases while no process uses them.
    static let version: Int64 = 2
    /// The version of a database to which the rows in a row log belong. Builds without one would lose them.
    static let versionWithRowLog: Int64 = 4
    /// The version of such a database whose records do not name the ends of those before them.
    static let versionWithUnlinkedRecords: Int64 = 3
    /// Marks a database as a journal: "Gran".
    static let application: Int64 = 0x4772_616e

    /// Makes the name of a session unique for its owner and its machine until the session has ended.
    private static let names =
        "CREATE UNIQUE INDEX names ON sessions(owner, machine, name) WHERE name IS NOT NULL AND has_ended = 0;"

    /// The statements that migrate each version to the next one.
    private static let migrations: [Int64: String] = [
        1: "ALTER TABLE sessions ADD COLUMN owner BLOB; ALTER TABLE sessions ADD COLUMN name TEXT; \(names)"
    ]

    private static let tables = """
        CREATE TABLE journal(
            i INTEGER PRIMARY KEY, session BLOB NOT NULL, previous INTEGER NOT NULL, wakes_at INTEGER, content BLOB NOT NULL,
            checksum INTEGER);
        CREATE TABLE sessions(
            id BLOB PRIMARY KEY, machine TEXT NOT NULL, version INTEGER NOT NULL, created_at INTEGER NOT NULL,
            used_at INTEGER NOT NULL, expires_at INTEGER, wakes_at INTEGER, due_at INTEGER, has_ended INTEGER NOT NULL,
            covers INTEGER NOT NULL, content INTEGER NOT NULL, owner BLOB, name TEXT) WITHOUT ROWID;
        \(names)
        CREATE INDEX due ON sessions(due_at) WHERE due_at IS NOT NULL;
        CREATE TABLE contents(n INTEGER PRIMARY KEY, content BLOB NOT NULL, checksum INTEGER);
        CREATE TABLE properties(name TEXT PRIMARY KEY, value BLOB NOT NULL, checksum INTEGER) WITHOUT ROWID;
        CREATE TABLE notes(key BLOB PRIMARY KEY, until INTEGER NOT NULL, content BLOB NOT NULL) WITHOUT ROWID;
        CREATE INDEX notes_until ON notes(until);
        CREATE TABLE progress(covered INTEGER NOT NULL, salt INTEGER, moved INTEGER);
        INSERT INTO progress(covered) VALUES(0);
        """

    /// Prepares a connection: its settings, and the tables if the database is empty.
    ///
    /// - Throws: `JournalError(.newer)` or `JournalError(.damaged)`; nothing was written then.
    static func prepare(_ connection: SQLiteConnection) throws {
        // EXCLUSIVE before the first access: the index of the log is in the memory of the process then, and releases of SQLite
        // before 3.51.3 can damage a log that two connections use.
        // A small cache: beside the inner pages, which it always has, a large database would be read from the system's cache anyway.
        try connection.execute(
            """
            PRAGMA locking_mode=EXCLUSIVE; PRAGMA trusted_schema=OFF; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-4096;
            PRAGMA secure_delete=OFF; PRAGMA wal_autocheckpoint=0
            """)
        try checkVersion(connection)
        guard sqlite3_db_readonly(connection.handle, "main") == 0 else {
            throw JournalError(.readOnly, "expected to write \(connection.path), but it is read-only")
        }
        // Small pages: a flushed batch of few rows writes whole pages to the log.
        try connection.execute("PRAGMA page_size=4096; PRAGMA auto_vacuum=NONE")
        guard try connection.text("PRAGMA journal_mode=WAL") == "wal" else {
            throw JournalError(
                .unsupported, "expected a write-ahead log for \(connection.path), but the file system has none")
        }
        try connection.execute("PRAGMA synchronous=FULL")
        let found = try connection.integer("PRAGMA user_version")
        guard found == 0 else {
            try migrate(connection, from: found)
            return try addColumns(connection)
        }
        let marks = "PRAGMA application_id=\(application); PRAGMA user_version=\(version)"
        try connection.execute("BEGIN IMMEDIATE; \(tables) \(marks); COMMIT")
        // The tables are in the database from the beginning, whatever happens to the log.
        guard try connection.checkpoint(SQLITE_CHECKPOINT_TRUNCATE) else {
            throw JournalError(.full, "expected room for the tables in \(connection.path), but the disk is full")
        }
    }

    /// Gives the tables of an older version the form of this one, in one transaction.
    private static func migrate(_ connection: SQLiteConnection, from found: Int64) throws {
        guard found < version else { return }
        let steps = (found..<version).compactMap { migrations[$0] }
        try connection.execute(
            "BEGIN IMMEDIATE; \(steps.joined(separator: " ")) PRAGMA user_version=\(version); COMMIT")
    }

    /// Adds the columns that databases of older builds lack. Their rows have no checksums.
    // Not a new version: older builds ignore the columns, so that they can continue if this one fails.
    private static func addColumns(_ connection: SQLiteConnection) throws {
        let columns = [
            ("journal", "checksum"), ("contents", "checksum"), ("properties", "checksum"), ("progress", "salt"),
            ("progress", "moved"),
        ]
        for (table, column) in columns {
            // Not if the table is missing, which is damage.
            let lacksColumn = "SELECT count(*) > 0 AND sum(name = '\(column)') = 0 FROM pragma_table_info('\(table)')"
            guard try connection.integer(lacksColumn) != 0 else { continue }
            try connection.execute("ALTER TABLE \(table) ADD COLUMN \(column) INTEGER")
        }
    }

    private static func checkVersion(_ connection: SQLiteConnection) throws {
        let found = try connection.integer("PRAGMA user_version")
        let mark = try connection.integer("PRAGMA application_id")
        let names = try connection.integer("SELECT count(*) FROM sqlite_schema")
        if found == 0, mark == 0, names == 0 { return }
        guard mark == application else {
            throw JournalError(.damaged, "expected a journal at \(connection.path), got another kind of database")
        }
        guard found <= versionWithRowLog else {
            throw JournalError(
                .newer,
                "expected \(connection.path) to have version \(versionWithRowLog) or older, got version \(found)")
        }
        guard found >= version || migrations[found] != nil else {
            throw JournalError(.damaged, "expected \(connection.path) to have version \(version), got version \(found)")
        }
    }
}
