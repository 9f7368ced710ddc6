import MachineHost
import SQLiteJournal

/// A journal that acknowledges batches before it stores them, so that the end of the process loses acknowledged inputs.
///
/// It proves that the crash test finds the loss. kill -9 alone would not show a missing flush, because what the process has
/// written outlives it in the page cache.
final class EarlyJournal: Journal {
    private let journal: SQLiteJournal
    private var held: [(batch: JournalBatch, isFlushed: Bool)] = []
    private static let maxHeld = 4

    init(directory: String) throws {
        journal = try SQLiteJournal(directory: directory)
    }

    var guarantee: Durability { journal.guarantee }

    func commit(_ batch: JournalBatch, isFlushed: Bool) throws {
        held.append((batch, isFlushed))
        while held.count > EarlyJournal.maxHeld { try storeFirst() }
    }

    func load(_ session: StoredSessionID) throws -> JournalEntry? { try stored().load(session) }

    func summary(of session: StoredSessionID) throws -> SessionSummary? { try stored().summary(of: session) }

    func lastNumber() throws -> UInt64 { try stored().lastNumber() }

    func sessions(after id: StoredSessionID?, limit: Int) throws -> [SessionSummary] {
        try stored().sessions(after: id, limit: limit)
    }

    func session(named name: SessionName, of machine: String) throws -> StoredSessionID? {
        try stored().session(named: name, of: machine)
    }

    func sessions(dueAt time: Int64, limit: Int) throws -> [SessionSummary] {
        try stored().sessions(dueAt: time, limit: limit)
    }

    func nextDueTime() throws -> Int64? { try journal.nextDueTime() }

    func property(_ name: String) throws -> [UInt8]? { try stored().property(name) }

    func note(_ key: JournalNoteKey) throws -> JournalNote? { try stored().note(key) }

    func close() throws { try stored().close() }

    /// Returns the journal with everything that was acknowledged.
    private func stored() throws -> SQLiteJournal {
        while !held.isEmpty { try storeFirst() }
        return journal
    }

    private func storeFirst() throws {
        let (batch, isFlushed) = held.removeFirst()
        try journal.commit(batch, isFlushed: isFlushed)
    }
}
