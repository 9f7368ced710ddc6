import MachineHost
import SQLiteJournal

extension ArchiveRequest {
    /// Performs the request and returns its output.
    ///
    /// - Parameters:
    ///   - directory: The state directory.
    ///   - seal: What decrypts sessions, if the request ``needsKeys``.
    func perform(with access: some JournalAccess, in directory: String, opening seal: SessionSeal) throws -> String {
        let archive = SessionArchive(access, opening: seal)
        switch self {
        case .list: return try archive.list().joined(separator: "\n")
        case .show(let name): return try archive.show(name).joined(separator: "\n")
        case .export(let name): return try archive.export(name)
        case .importing(let content): return "imported \(try archive.importSession(content))"
        case .fork(let name, let version): return try archive.fork(name, at: version)
        case .release(let name):
            try archive.release(name)
            return "released"
        case .delete(let name):
            try archive.delete(name)
            return "deleted"
        case .backUp(let path):
            return "saved \(path)\(try ArchiveRequest.backUp(directory, to: path, with: access).text)"
        case .shapes(let property): return try archive.shapes(property)
        }
    }

    /// Whether the request decrypts sessions that are encrypted.
    var needsKeys: Bool {
        switch self {
        case .fork, .importing, .release: true
        case .list, .show, .export, .delete, .backUp, .shapes: false
        }
    }

    /// The number of pages that are copied at once, so that a server stores batches in between.
    private static let pagesPerStep = 256

    /// Copies the journal of a directory, with the keys that are created there. Returns these.
    private static func backUp(
        _ directory: String, to path: String, with access: some JournalAccess
    ) throws -> CopiedKeys {
        // Used in the closures only, so on the thread of the journal.
        let (backup, keys) = try access.use { journal -> (SQLiteBackup, CopiedKeys) in
            guard let journal = journal as? SQLiteJournal else {
                throw JournalError(
                    .unsupported,
                    "expected a journal of SQLite to back up, got another one; use pg_dump for a database of PostgreSQL"
                )
            }
            let keys = try CopiedKeys(for: journal, in: directory)
            return (try journal.beginBackup(to: path, adding: keys.properties), keys)
        }
        while try access.use({ _ in try !backup.step(pages: pagesPerStep) }) {}
        return keys
    }
}
