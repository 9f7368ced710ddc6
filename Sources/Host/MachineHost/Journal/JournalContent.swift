package struct JournalContent {
    private struct Stored {
        var snapshot: SessionSnapshot
        /// The rows after the snapshot, oldest first.
        var rows: [JournalEntry.Row] = []
    }

    private var stored: [StoredSessionID: Stored] = [:]
    private var properties: [String: [UInt8]] = [:]
    package var notes: [JournalNoteKey: JournalNote] = [:]
    private var due = DueTimes()
    /// The sessions with names that have not ended.
    private var names: [NamedPlace: StoredSessionID] = [:]
    /// The ids in order; nil if sessions were added or removed since it was made.
    private var order: [StoredSessionID]?
    /// The greatest number of a row or of a snapshot's last row.
    package private(set) var lastNumber: UInt64 = 0

    package init() {}

    /// Applies a batch. Rows of sessions that are not stored are ignored.
    package mutating func apply(_ batch: JournalBatch) {
        for change in batch.changes {
            switch change {
            case .append(let row): append(row, batch.bytes)
            case .store(let snapshot): store(snapshot)
            case .update(let summary):
                // An end may overtake an update. Without its content, the session cannot continue.
                guard let known = stored[summary.id]?.snapshot.summary, summary.hasEnded || !known.hasEnded else {
                    continue
                }
                var updated = summary
                updated.name = known.name
                updated.owner = known.owner
                releaseName(of: known)
                stored[summary.id]?.snapshot.summary = updated
                takeName(of: updated)
                setDueTime(of: summary.id)
            case .remove(let session): remove(session)
            case .set(property: let name, let value): properties[name] = value
            case .note(let note): notes[note.key] = note
            case .removeNotes(let time): notes = notes.filter { $0.value.until > time }
            }
        }
    }

    /// Updates the due times as the opening of a journal does: the rows that are left determine when their sessions must be woken.
    package mutating func recover() {
        for (id, session) in stored {
            guard let last = session.rows.last else { continue }
            stored[id]?.snapshot.summary.wakesAt = last.wakesAt
            setDueTime(of: id)
        }
    }

    /// Returns a session; nil if it is not stored.
    package func load(_ session: StoredSessionID) -> JournalEntry? {
        guard let found = stored[session] else { return nil }
        return JournalEntry(snapshot: found.snapshot, rows: found.rows)
    }

    /// Returns the summary of a session; nil if it is not stored.
    package func summary(of session: StoredSessionID) -> SessionSummary? { stored[session]?.snapshot.summary }

    package mutating func sessions(after id: StoredSessionID?, limit: Int) -> [SessionSummary] {
        let ids = order ?? stored.keys.sorted()
        order = ids
        assert(ids.count == stored.count, "expected the ids of \(stored.count) sessions, got \(ids.count)")
        var (low, high) = (0, ids.count)
        while let id, low < high {
            let middle = (low + high) / 2
            if ids[middle] <= id { low = middle + 1 } else { high = middle }
        }
        assert(id.map { low == ids.count || ids[low] > $0 } ?? true, "expected to begin after an id, got place \(low)")
        return ids[low...].prefix(max(0, limit)).compactMap { stored[$0]?.snapshot.summary }
    }

    /// Returns the session of a machine with a name that has not ended; nil if none exists.
    package func session(named name: SessionName, of machine: String) -> StoredSessionID? {
        names[NamedPlace(machine: machine, name: name)]
    }

    package mutating func sessions(dueAt time: Int64, limit: Int) -> [SessionSummary] {
        due.sessions(dueAt: time, limit: limit).compactMap { stored[$0]?.snapshot.summary }
    }

    /// Returns the first time at which a session is due.
    package mutating func nextDueTime() -> Int64? { due.next() }

    package func property(_ name: String) -> [UInt8]? { properties[name] }

    package func note(_ key: JournalNoteKey) -> JournalNote? { notes[key] }

    private mutating func append(_ row: JournalBatch.JournalRow, _ content: [UInt8]) {
        guard stored[row.session] != nil else { return }
        lastNumber = max(lastNumber, row.number)
        let kept = JournalEntry.Row(number: row.number, wakesAt: row.wakesAt, content: Array(content[row.content]))
        stored[row.session]?.rows.append(kept)
    }

    private mutating func store(_ snapshot: SessionSnapshot) {
        let id = snapshot.summary.id
        lastNumber = max(lastNumber, snapshot.covers)
        guard let known = stored[id] else {
            takeName(of: snapshot.summary)
            stored[id] = Stored(snapshot: snapshot)
            order = nil
            setDueTime(of: id)
            return
        }
        releaseName(of: known.snapshot.summary)
        takeName(of: snapshot.summary)
        let kept = known.rows.filter { $0.number > snapshot.covers }
        stored[id] = Stored(snapshot: snapshot, rows: kept)
        setDueTime(of: id)
    }

    private mutating func remove(_ session: StoredSessionID) {
        guard let known = stored.removeValue(forKey: session) else { return }
        releaseName(of: known.snapshot.summary)
        order = nil
        due.set(session, nil)
    }

    /// Gives a session its name, which another one loses.
    private mutating func takeName(of summary: SessionSummary) {
        guard let place = NamedPlace(summary) else { return }
        guard let former = names.updateValue(summary.id, forKey: place), former != summary.id else { return }
        assert(stored[former] != nil, "expected each name to belong to a stored session")
        stored[former]?.snapshot.summary.name = nil
    }

    private mutating func releaseName(of summary: SessionSummary) {
        guard let place = NamedPlace(summary), names[place] == summary.id else { return }
        names[place] = nil
    }

    private mutating func setDueTime(of session: StoredSessionID) {
        assert(stored[session] != nil, "expected a stored session")
        guard let summary = stored[session]?.snapshot.summary else { return }
        due.set(session, summary.dueAt)
    }
}

/// A name that belongs to one session.
struct NamedPlace: Hashable {
    let machine: String
    let name: SessionName

    init(machine: String, name: SessionName) {
        self.machine = machine
        self.name = name
    }

    /// Creates the place of a stored session; nil if it has no name, or has ended.
    fileprivate init?(_ summary: SessionSummary) {
        guard !summary.hasEnded, let name = summary.name else { return nil }
        self.init(machine: summary.machine, name: name)
    }
}

extension SessionSummary {
    /// The earlier of the times at which the session expires and must be woken; nil if it does neither.
    package var dueAt: Int64? {
        guard let expiresAt, let wakesAt else { return expiresAt ?? wakesAt }
        return min(expiresAt, wakesAt)
    }
}
