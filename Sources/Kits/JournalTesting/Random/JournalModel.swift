import MachineHost

/// The expected content of a journal, in the simplest form.
struct JournalModel: Equatable {
    struct Session: Equatable {
        var snapshot: SessionSnapshot
        var rows: [JournalEntry.Row]
    }

    var sessions: [StoredSessionID: Session] = [:]
    var properties: [String: [UInt8]] = [:]
    var notes: [JournalNoteKey: JournalNote] = [:]

    /// Gives a session its name, which another one loses.
    mutating func takeName(of summary: SessionSummary) {
        guard let name = summary.name, !summary.hasEnded else { return }
        for (id, session) in sessions where id != summary.id {
            let other = session.snapshot.summary
            guard !other.hasEnded, other.name == name, other.machine == summary.machine else { continue }
            sessions[id]?.snapshot.summary.name = nil
        }
    }

    /// Does what opening does: rows determine when their sessions must be woken.
    mutating func restart() {
        for (id, session) in sessions {
            guard let last = session.rows.last else { continue }
            sessions[id]?.snapshot.summary.wakesAt = last.wakesAt
        }
    }

    /// Returns what differs in a journal; nil if nothing does.
    func difference(from journal: any Journal, ids: [StoredSessionID], time: Int64) throws -> String? {
        for id in ids {
            let expected = sessions[id].map { JournalEntry(snapshot: $0.snapshot, rows: $0.rows) }
            let found = try journal.load(id)
            if found != expected {
                return "session \(id): expected \(String(describing: expected)), got \(String(describing: found))"
            }
            let summary = try journal.summary(of: id)
            if summary != expected?.snapshot?.summary {
                return "the summary of \(id): got \(String(describing: summary))"
            }
        }
        let summaries = sessions.values.map(\.snapshot.summary)
        for name in RandomJournalRun.names {
            let expected = summaries.first { $0.name == name && !$0.hasEnded }?.id
            let found = try journal.session(named: name, of: "machine")
            if found != expected {
                return "the session \(name): expected \(String(describing: expected)), got \(String(describing: found))"
            }
        }
        let listed = try journal.sessions(after: nil, limit: .max)
        if listed != summaries.sorted(by: { $0.id < $1.id }) { return "the list of sessions: got \(listed)" }
        let expected = summaries.filter { dueAt($0) <= time && dueAt($0) < .max }
            .sorted { (dueAt($0), $0.id) < (dueAt($1), $1.id) }
        let due = try journal.sessions(dueAt: time, limit: .max)
        if due != expected { return "the sessions due at \(time): expected \(expected), got \(due)" }
        let next = try journal.nextDueTime()
        let first = summaries.map { dueAt($0) }.min()
        if next != (first == .max ? nil : first) { return "the next due time: got \(String(describing: next))" }
        for (name, value) in properties where try journal.property(name) != value { return "property \(name)" }
        for key in RandomJournalRun.noteKeys where try journal.note(key) != notes[key] { return "note \(key)" }
        guard let statistics = try (journal as? any FileJournal)?.statistics() else { return nil }
        let rows = sessions.values.map(\.rows.count).reduce(0, +)
        return statistics.rows == rows ? nil : "the number of rows: expected \(rows), got \(statistics.rows)"
    }

    private func dueAt(_ summary: SessionSummary) -> Int64 {
        min(summary.expiresAt ?? .max, summary.wakesAt ?? .max)
    }
}
