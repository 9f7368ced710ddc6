import CSQLite
import Glibc
import MachineHost

/// A copy of a journal that is being written in steps, between which the journal may be used.
///
/// Batches that are committed meanwhile are part of the copy. The file gets its name when it is complete.
public final class SQLiteBackup {
    /// The path of the copy.
    public let path: String
    private let incomplete: String
    private let properties: [String: [UInt8]]
    fileprivate private(set) var descriptor: Int32
    /// The journal's database, which must outlive the copying.
    private var source: OpenDatabase?
    private weak var journal: SQLiteJournal?
    private var target: SQLiteConnection?
    private var copying: OpaquePointer?

    init(_ journal: SQLiteJournal, to path: String, adding properties: [String: [UInt8]]) throws {
        let source = try journal.database()
        self.journal = journal
        self.path = path
        self.properties = properties.merging([JournalProperty.copied: [1]]) { $1 }
        // A process that was killed leaves its file behind, and in a container the next one has the same identifier.
        incomplete = "\(path).\(String(UInt32.random(in: .min ... .max), radix: 16)).incomplete"
        guard JournalDirectory.size(of: path) == nil else { throw SQLiteBackup.existing(path) }
        descriptor = open(incomplete, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw JournalError(system: errno, expected: "to create \(incomplete)") }
        self.source = source
        let target = try SQLiteConnection(path: incomplete)
        self.target = target
        // Neither a journal nor flushes: an incomplete copy is worthless, and a complete one is flushed before it gets its name.
        try target.execute("PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF")
        copying = sqlite3_backup_init(target.handle, "main", source.connection.handle, "main")
        guard copying != nil else {
            throw target.error(sqlite3_extended_errcode(target.handle), "begin the copy")
        }
    }

    deinit { cancel() }

    /// Copies pages.
    ///
    /// - Parameter pages: The maximum number of pages of 4 KiB.
    /// - Returns: Whether the copy is complete.
    /// - Throws: `JournalError`; the incomplete copy was removed then. The journal stays usable, unless it could not be written itself.
    public func step(pages: Int) throws -> Bool {
        guard let copying, let target else {
            throw JournalError(.closed, "expected a backup in progress, but it was completed or cancelled")
        }
        do {
            // A copy has no row log.
            try journal?.writing { try $0.moveAllRows() }
            let code = sqlite3_backup_step(copying, Int32(clamping: pages))
            switch code {
            case SQLITE_OK: return false
            case SQLITE_DONE:
                try complete()
                return true
            default: throw target.error(code, "copy \(source?.connection.path ?? "the journal") to")
            }
        } catch {
            cancel()
            throw error
        }
    }

    /// Stops copying and removes the incomplete copy. Does nothing after the last step.
    public func cancel() {
        guard descriptor >= 0 else { return }
        finishCopying()
        Glibc.close(descriptor)
        descriptor = -1
        unlink(incomplete)
    }

    private func complete() throws {
        finishCopying()
        try mark()
        guard fsync(descriptor) == 0 else { throw JournalError(system: errno, expected: "to flush \(incomplete)") }
        // A link instead of a new name: it fails if the file exists by now.
        guard link(incomplete, path) == 0 else {
            throw errno == EEXIST
                ? SQLiteBackup.existing(path) : JournalError(system: errno, expected: "to create \(path)")
        }
        cancel()
        try JournalDirectory.synchronize(JournalDirectory.parent(of: path))
    }

    /// Marks the copy as one, because clients may see versions that it lacks before it takes the place of its source, and adds the
    /// other properties.
    private func mark() throws {
        // Another connection, because the copied header has changed the mode of this one's file.
        let connection = try SQLiteConnection(path: incomplete)
        // One transaction, so that no page with a secret property is saved in a file for its rollback. SQLite moves content within
        // pages; it must not leave the bytes of such a property behind, because they are erased later.
        try connection.execute(
            """
            PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF; PRAGMA secure_delete=ON;
            BEGIN IMMEDIATE; UPDATE progress SET salt = NULL, moved = NULL; PRAGMA user_version=\(SQLiteSchema.version)
            """)
        let statement = try SQLiteStatement(SQLiteStatements.propertyChange, connection)
        for (name, value) in properties { try statement.set(property: name, to: value) }
        try connection.execute("COMMIT")
    }

    private func finishCopying() {
        sqlite3_backup_finish(copying)
        copying = nil
        // Closed, because a caller may still hold it.
        target?.close()
        target = nil
        source = nil
    }

    private static func existing(_ path: String) -> JournalError {
        JournalError(.unsupported, "expected no file at \(path), because a backup replaces nothing, but there is one")
    }
}

extension SQLiteJournal {
    /// Begins a consistent copy, in a new file that only this user may access. It is written in steps, so that batches can be committed
    /// meanwhile.
    ///
    /// - Parameters:
    ///   - path: The path of the copy.
    ///   - properties: What the copy contains as properties, in place of those of the journal with the same names.
    /// - Throws: `JournalError` if the file exists or another backup is in progress.
    public func beginBackup(to path: String, adding properties: [String: [UInt8]] = [:]) throws -> SQLiteBackup {
        guard backup?.isInProgress != true else {
            throw JournalError(
                .unsupported, "expected no backup in progress, but there is one to \(backup?.path ?? "")")
        }
        let backup = try SQLiteBackup(self, to: path, adding: properties)
        self.backup = backup
        return backup
    }
}

extension SQLiteBackup {
    fileprivate var isInProgress: Bool { descriptor >= 0 }
}
