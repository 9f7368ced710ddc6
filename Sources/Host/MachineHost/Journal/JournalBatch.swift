/// Changes that a journal stores together.
public struct JournalBatch {
    /// A change.
    public enum Change {
        /// Appends a row to a session.
        case append(JournalRow)
        /// Stores the snapshot of a session, in place of an earlier one. If the session has a name and has not ended, another
        /// session of the same machine with the same name loses it.
        case store(SessionSnapshot)
        /// Replaces the summary of a session: the times at which it is due and was used. Its name, its content and its rows stay.
        /// Ignored if the session is not stored, or has ended and the summary says otherwise.
        case update(SessionSummary)
        /// Removes a session with its rows.
        case remove(StoredSessionID)
        /// Sets a named value of the journal itself.
        case set(property: String, value: [UInt8])
        /// Stores a note, in place of an earlier one with its key.
        case note(JournalNote)
        /// Removes the notes whose time is at or before this stored time, in milliseconds.
        case removeNotes(until: Int64)
    }

    /// A row of a batch. Its bytes are in ``JournalBatch/bytes``.
    public struct JournalRow {
        /// The session.
        public let session: StoredSessionID
        /// The number of the row. Rows of one session have increasing numbers, and no two rows have the same.
        public let number: UInt64
        /// The number of the session's row before; 0 if none exists.
        public let previous: UInt64
        /// The stored time at which the session must be woken after this row, in milliseconds; nil if it need not be woken.
        public let wakesAt: Int64?
        /// The range of its content in the bytes of the batch.
        public internal(set) var content: Range<Int>
    }

    // One buffer, because a batch has many small rows and is filled on the path of every input.
    /// The contents of the rows, one after another.
    public private(set) var bytes: [UInt8] = []
    /// The changes, in order.
    public private(set) var changes: [Change] = []

    /// Creates an empty batch.
    public init() {}

    /// Whether the batch has no changes.
    public var isEmpty: Bool {
        assert(!changes.isEmpty || bytes.isEmpty, "expected no bytes without changes, got \(bytes.count)")
        return changes.isEmpty
    }

    /// The stored time at which the first session becomes due by these changes, in milliseconds.
    var nextDueTime: Int64? {
        var first: Int64?
        for change in changes {
            let summary: SessionSummary
            switch change {
            case .store(let snapshot): summary = snapshot.summary
            case .update(let updated): summary = updated
            case .append, .remove, .set, .note, .removeNotes: continue
            }
            guard let time = summary.dueAt else { continue }
            first = min(first ?? time, time)
        }
        return first
    }

    /// Appends a row with the content that a closure writes.
    public mutating func append(
        session: StoredSessionID, number: UInt64, previous: UInt64, wakesAt: Int64?,
        _ write: (inout [UInt8]) throws -> Void
    ) rethrows {
        let start = bytes.count
        var isComplete = false
        defer { if !isComplete { bytes.removeLast(bytes.count - start) } }
        try write(&bytes)
        isComplete = true
        assert(bytes.count >= start, "expected a row to be appended, got \(start - bytes.count) bytes less")
        let row = JournalRow(
            session: session, number: number, previous: previous, wakesAt: wakesAt, content: start..<bytes.count)
        changes.append(.append(row))
    }

    /// Appends a change other than a row.
    public mutating func add(_ change: Change) {
        if case .append = change { preconditionFailure("expected append(session:number:previous:_:) for a row") }
        changes.append(change)
    }

    /// Appends the changes of another batch.
    public mutating func append(_ other: JournalBatch) {
        guard !isEmpty else {
            self = other
            return
        }
        let offset = bytes.count
        bytes.append(contentsOf: other.bytes)
        for change in other.changes {
            guard case .append(var row) = change else {
                changes.append(change)
                continue
            }
            row.content = row.content.lowerBound + offset..<row.content.upperBound + offset
            assert(
                row.content.upperBound <= bytes.count, "expected a row within \(bytes.count) bytes, got \(row.content)")
            changes.append(.append(row))
        }
    }

    /// Removes all changes, and keeps the memory for the next ones unless there was an unusual amount.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
        changes.removeAll(keepingCapacity: changes.capacity <= 1 << 14)
    }
}
