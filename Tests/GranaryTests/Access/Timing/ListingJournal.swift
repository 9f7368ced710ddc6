import Locking
import MachineHost

/// A journal that lists what the host asks another one about sessions. It offers no maintenance, which follows from the number of
/// commits.
final class ListingJournal: Journal {
    private let journal: any Journal
    private let calls: Lock<[String]>

    init(_ journal: any Journal, _ calls: Lock<[String]>) {
        (self.journal, self.calls) = (journal, calls)
    }

    private func list(_ call: String) { calls.withLock { $0.append(call) } }

    var guarantee: Durability { journal.guarantee }

    func commit(_ batch: JournalBatch, isFlushed: Bool) throws {
        list("commit")
        try journal.commit(batch, isFlushed: isFlushed)
    }

    func load(_ session: StoredSessionID) throws -> JournalEntry? {
        list("load")
        return try journal.load(session)
    }

    func summary(of session: StoredSessionID) throws -> SessionSummary? {
        list("summary")
        return try journal.summary(of: session)
    }

    func sessions(after id: StoredSessionID?, limit: Int) throws -> [SessionSummary] {
        list("sessions")
        return try journal.sessions(after: id, limit: limit)
    }

    func session(named name: SessionName, of machine: String) throws -> StoredSessionID? {
        list("name")
        return try journal.session(named: name, of: machine)
    }

    func sessions(dueAt time: Int64, limit: Int) throws -> [SessionSummary] {
        list("due sessions")
        return try journal.sessions(dueAt: time, limit: limit)
    }

    func property(_ name: String) throws -> [UInt8]? {
        list("property")
        return try journal.property(name)
    }

    func note(_ key: JournalNoteKey) throws -> JournalNote? {
        list("note")
        return try journal.note(key)
    }

    func lastNumber() throws -> UInt64 { try journal.lastNumber() }
    func nextDueTime() throws -> Int64? { try journal.nextDueTime() }
    func close() throws { try journal.close() }
}
