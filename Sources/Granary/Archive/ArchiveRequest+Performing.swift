import MachineHost
import SQLiteJournal

extension ArchiveRequest {
    /// Performs the request and returns its output.
    ///
    /// - Parameters:
    ///   - access: The journal.
    ///   - seal: What decrypts sessions, if the request ``needsKeys``.
    func perform(with access: some JournalAccess, opening seal: SessionSeal) throws -> String {
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
            try ArchiveRequest.backUp(to: path, with: access)
            return "saved \(path)"
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

    private static func backUp(to path: String, with access: some JournalAccess) throws {
        // Used in the closures only, so on the thread of the journal.
        let backup = try access.use { journal -> SQLiteBackup? in
            guard let journal = journal as? SQLiteJournal else {
                try journal.backUp(to: path)
                return nil
            }
            return try journal.beginBackup(to: path)
        }
        guard let backup else { return }
        while try access.use({ _ in try !backup.step(pages: pagesPerStep) }) {}
    }
}
