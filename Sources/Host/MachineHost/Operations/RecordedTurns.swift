/// The recorded turns of a stored session: its last snapshot, and the turns since then. Advances from turn to turn.
struct RecordedTurns {
    struct Turn {
        /// The number of its row, which increases from turn to turn.
        let number: UInt64
        let record: TurnRecord
        /// The number of bytes of its row.
        let byteCount: Int
    }

    /// The summary of the session in the journal.
    let summary: SessionSummary
    /// The session after the last turn that ``next()`` has returned; as the snapshot has stored it before the first.
    private(set) var session: StoredSession
    /// The session before that turn. Equal to ``session`` before the first.
    private(set) var former: StoredSession
    let firstVersion: UInt64
    /// The changes before the snapshot that clients could still resume from, oldest first: all that is stored of their turns.
    let earlier: [StoredSession.Change]
    private let rows: [JournalEntry.Row]
    private var place = 0

    /// Reads a session whose content is decrypted.
    ///
    /// - Throws: `RecordReader.Damaged` if the snapshot is damaged.
    init(_ entry: JournalEntry) throws {
        guard let snapshot = entry.snapshot else { throw RecordReader.Damaged() }
        summary = snapshot.summary
        rows = entry.rows
        session = try StoredSession(snapshot.content[...])
        earlier = session.changes
        // The history and the remembered requests are not part of what operators see, and would only grow.
        session.changes = []
        session.keyed = []
        former = session
        firstVersion = session.version
    }

    var count: Int { rows.count }

    /// The number of the last turn; nil if none exists.
    var lastNumber: UInt64? { rows.last?.number }

    /// Advances by a turn, and returns it; nil after the last one.
    ///
    /// - Throws: `RecordReader.Damaged` if the turn is damaged.
    mutating func next() throws -> Turn? {
        guard place < rows.count else { return nil }
        let row = rows[place]
        let record = try TurnRecord(row.content[...])
        place += 1
        former = session
        session.apply(record)
        session.changes = []
        session.keyed = []
        return Turn(number: row.number, record: record, byteCount: row.content.count)
    }

    /// Advances to the last turn with a version, or to the end for nil.
    ///
    /// - Throws: `ArchiveError.noVersion` if the version is not stored any more, or not yet.
    mutating func advance(to version: UInt64?, named name: String) throws {
        guard let version else {
            while try next() != nil {}
            return
        }
        while place < rows.count, try TurnRecord(rows[place].content[...]).version <= version { _ = try next() }
        guard version >= firstVersion, session.version == version else {
            let last = try rows.last.map { try TurnRecord($0.content[...]).version } ?? firstVersion
            throw ArchiveError.noVersion(version, name: name, stored: firstVersion...max(firstVersion, last))
        }
    }
}
