import Locking

// Maintenance.
extension JournalWriter {
    private static let commitsPerMaintenance = 32

    /// Counts a commit. After some of them, schedules the pending work of the journal.
    func countCommit() {
        thread.value.commits += 1
        guard thread.value.commits >= JournalWriter.commitsPerMaintenance else { return }
        thread.value.commits = 0
        // After the loops have been notified, and after work that is waiting already.
        executor.execute { [self] in maintain() }
    }

    private func maintain() {
        withWorking(thread.value.maintainedJournal) { journal in
            try journal.maintain()
            guard let blocking = try journal.trim() else { return }
            try renewSnapshot(of: blocking, in: journal)
        }
    }

    /// Without a commit for this time, the journal is idle. A look may come up to twice as late.
    private static let idleTime = Duration.seconds(30)

    /// Schedules the removal of rows that nobody needs, for when nothing has been stored for some time.
    // A busy journal is trimmed after a number of commits, from its oldest row on. Without further commits, the rows of an ended
    // session would stay, and so would those behind an old row that another session needs.
    func scheduleTidying() {
        assert(!thread.value.isTidyingScheduled, "expected one look at a time")
        thread.value.isTidyingScheduled = true
        let seen = thread.value.storedCommits
        executor.execute(after: JournalWriter.idleTime) { [self] in
            thread.value.isTidyingScheduled = false
            if thread.value.storedCommits == seen { tidy() } else { scheduleTidying() }
        }
    }

    private func tidy() {
        withWorking(thread.value.maintainedJournal) { journal in
            // In steps, so that batches can be stored in between.
            if try journal.tidy() { executor.execute { [self] in tidy() } } else { try journal.maintain() }
        }
    }

    /// Stores a new snapshot of a live session soon, with the times of a summary.
    func renewSnapshot(of summary: SessionSummary) {
        executor.execute { [self] in
            commit()
            withWorking(thread.value.journal) { try renewSnapshot(of: summary.id, summary, in: $0) }
        }
    }

    /// Stores a new snapshot of a session: the old one, advanced by the rows after it.
    ///
    /// - Parameter times: The summary whose times are stored; nil for those of the old snapshot.
    func renewSnapshot(of id: StoredSessionID, _ times: SessionSummary? = nil, in journal: any Journal) throws {
        assert(times.map { $0.id == id } ?? true, "expected the times of the session")
        // One session that cannot be read must not end the process, which would try again after each restart.
        guard let entry = try? journal.load(id), let renewed = renewed(entry, times) else { return }
        try store([renewed], in: journal)
    }

    /// Stores snapshots that were renewed, and notifies the loops of their sessions.
    func store(_ renewed: [SessionSnapshot], in journal: any Journal) throws {
        guard !renewed.isEmpty else { return }
        var batch = JournalBatch()
        for snapshot in renewed { batch.add(.store(snapshot)) }
        try store([batch], in: journal, isFlushed: isFlushed)
        for snapshot in renewed {
            listener(of: snapshot.summary.id)?.snapshotWasRenewed(snapshot.summary.id, snapshot.covers)
        }
    }

    /// Returns the snapshot of a session advanced by the rows after it; nil if the session has ended or cannot be read.
    func renewed(_ entry: JournalEntry, _ times: SessionSummary?) -> SessionSnapshot? {
        guard let former = entry.snapshot?.summary, !former.hasEnded else { return nil }
        return renewed(entry) { stored in
            var summary = times ?? former
            summary.version = stored.version
            // A row says when its session must be woken after it, and the new snapshot takes its place.
            summary.wakesAt = entry.rows.last.map(\.wakesAt) ?? former.wakesAt
            // Each input has given the session its whole lifetime again.
            let later = max(0, stored.lastInput - summary.usedAt)
            summary.usedAt += later
            summary.expiresAt = summary.expiresAt.map { $0 + later }
            return summary
        }
    }

    /// Returns the snapshot of a session advanced by the rows after it, without what has expired; nil if the session cannot
    /// be read. It is then kept unchanged, at the price of its rows.
    ///
    /// - Parameter describe: Receives the session, which it may change, and returns the summary of the snapshot.
    func renewed(_ entry: JournalEntry, _ describe: (inout StoredSession) -> SessionSummary) -> SessionSnapshot? {
        let seal = seal.withLock { $0 }
        guard let snapshot = entry.snapshot, var stored = try? StoredSession(entry, opening: seal) else { return nil }
        stored.forgetPreMigrationState(now: storedMilliseconds)
        stored.trim(to: limits.withLock { $0 }, at: storedMilliseconds)
        var summary = describe(&stored)
        // An older build may have stored the session without it.
        summary.owner = summary.owner ?? stored.ownership.owner.map { SessionOwner($0) }
        let content = seal.content(of: stored, summary.id, isSealed: entry.isSealed)
        return SessionSnapshot(
            summary: summary, covers: entry.rows.last?.number ?? snapshot.covers, content: content)
    }
}
