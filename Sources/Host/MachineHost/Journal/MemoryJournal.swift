/// A journal in memory, which ends with the process.
public final class MemoryJournal: Journal {
    /// The durability of a committed batch: it ends with the process.
    public let guarantee = Durability.memory
    private var content = JournalContent()
    private var isClosed = false

    /// Creates an empty journal.
    public init() {}

    /// Stores a batch. Rows of sessions that are not stored are ignored.
    public func commit(_ batch: JournalBatch, isFlushed: Bool) throws {
        try use { $0.apply(batch) }
    }

    /// Returns a session with the rows after its snapshot, oldest first; nil if it is not stored.
    public func load(_ session: StoredSessionID) throws -> JournalEntry? { try use { $0.load(session) } }

    /// Returns the summary of a session; nil if it is not stored.
    public func summary(of session: StoredSessionID) throws -> SessionSummary? {
        try use { $0.summary(of: session) }
    }

    /// Returns the greatest number of a row that was stored; 0 if none exists.
    public func lastNumber() throws -> UInt64 { try use { $0.lastNumber } }

    /// Returns the summaries of stored sessions whose ids follow a given one, in the order of the ids.
    public func sessions(after id: StoredSessionID?, limit: Int) throws -> [SessionSummary] {
        try use { $0.sessions(after: id, limit: limit) }
    }

    /// Returns the session of a machine with a name that has not ended; nil if none exists.
    public func session(named name: SessionName, of machine: String) throws -> StoredSessionID? {
        try use { $0.session(named: name, of: machine) }
    }

    /// Returns the sessions that must be woken or have expired, by time.
    public func sessions(dueAt time: Int64, limit: Int) throws -> [SessionSummary] {
        try use { $0.sessions(dueAt: time, limit: limit) }
    }

    /// Returns the time of the first session that must be woken or expires; nil if none exists.
    public func nextDueTime() throws -> Int64? { try use { $0.nextDueTime() } }

    /// Returns a named value of the journal itself; nil if it was never set.
    public func property(_ name: String) throws -> [UInt8]? { try use { $0.property(name) } }

    /// Returns the note with a key; nil if it is not stored.
    public func note(_ key: JournalNoteKey) throws -> JournalNote? { try use { $0.note(key) } }

    /// Releases the content. Later calls throw.
    public func close() throws {
        content = JournalContent()
        isClosed = true
    }

    private func use<Result>(_ body: (inout JournalContent) -> Result) throws -> Result {
        guard !isClosed else { throw JournalError(.closed, "expected an open journal, but it was closed") }
        return body(&content)
    }
}
