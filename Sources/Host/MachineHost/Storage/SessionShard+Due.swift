import Access
import HTTPModel
import Locking
import Log

// Stored sessions that become due.
extension SessionShard {
    /// Handles stored sessions whose time has come: they have expired, or have something to do.
    func sessionsAreDue(_ due: [SessionSummary]) {
        loop.assertCurrent()
        guard let journal, !isDraining, !isSuspended else { return }
        expire(due.filter { isExpired($0, journal) })
    }

    /// Returns whether a stored session has expired. Handles one that has not.
    private func isExpired(_ summary: SessionSummary, _ journal: TurnJournal) -> Bool {
        let now = clock.storedMilliseconds
        // It is in memory, where its own timers and deadlines count. The stored ones only look old.
        if let session = sessions[summary.id] {
            journal.postpone(session)
            return false
        }
        let isTimerDue = summary.wakesAt.map { $0 <= now } ?? false
        guard !loading.contains(summary.id) else {
            // Requests that load it may need no machine, but its timer does.
            if isTimerDue { wake(summary.id) }
            return false
        }
        if let expiry = summary.expiresAt, expiry <= now {
            // Reads keep a session alive, but are not stored. So after a restart the idle time begins again. Streams of a
            // session that sleeps keep it alive, too.
            let beginning = hibernation.slots[summary.id] == nil ? now - Int64(tick) * 1000 : now
            let earliest = beginning + host.configuration.idleExpiry.wholeMilliseconds
            guard now < earliest else { return true }
            var later = summary
            later.expiresAt = earliest
            journal.update(later)
        }
        if isTimerDue { wake(summary.id) }
        return false
    }

    /// Ends stored sessions that were not used in time, unless this build cannot read them: another build may.
    // Together: each of them must be read, and a flush for each would delay what clients wait for.
    private func expire(_ summaries: [SessionSummary]) {
        guard !summaries.isEmpty else { return }
        let shard = UnsafeTransfer(backReference)
        host.journal?.withJournal { [loop] journal in
            let entries = UnsafeTransfer(summaries.map { ($0, try? journal?.load($0.id)) })
            loop.execute {
                for (summary, entry) in entries.value { shard.value.shard?.expire(summary, entry) }
            }
        }
    }

    private func expire(_ summary: SessionSummary, _ entry: JournalEntry?) {
        let summary = entry?.snapshot?.summary ?? summary
        // It may have been used since.
        guard !isSuspended, sessions[summary.id] == nil, !loading.contains(summary.id),
            hibernation.slots[summary.id] == nil,
            let journal, summary.expiresAt ?? .max <= clock.storedMilliseconds
        else { return }
        if let stored = readable(entry) {
            return storeEnd(of: summary, entry, StoredEnd(.expired, of: stored.ownership))
        }
        host.log.limited(
            .warning, "expired session is kept, because this build cannot read it",
            ["session": .text(summary.id.shortText), "machine": .text(summary.machine)])
        var kept = summary
        kept.expiresAt = clock.storedMilliseconds + host.configuration.idleExpiry.wholeMilliseconds
        journal.update(kept)
    }

    private func readable(_ entry: JournalEntry?) -> StoredSession? {
        guard let entry, let stored = try? StoredSession(entry, opening: host.seal),
            let machine = host.catalogue[stored.machine],
            machine.definition.canContinue(stored, now: clock.storedMilliseconds)
        else { return nil }
        return stored
    }

    /// Stores that a session which is not in memory has ended.
    private func storeEnd(of summary: SessionSummary, _ entry: JournalEntry?, _ ending: StoredEnd) {
        assert(sessions[summary.id] == nil, "expected a session that is not in memory")
        guard let writer = host.journal else { return }
        var ended = summary
        ended.expiresAt = clock.storedMilliseconds + host.configuration.endedWindow.wholeMilliseconds
        ended.wakesAt = nil
        ended.hasEnded = true
        // The rows of a session are removed from the last one on. If it is not known, a new number is higher than all of them.
        let covers = entry?.rows.last?.number ?? entry?.snapshot?.covers ?? writer.makeRowNumber()
        journal?.store(SessionSnapshot(summary: ended, covers: covers, content: ending.content))
    }

    /// Ends a stored session for an operator.
    ///
    /// - Parameter ended: Receives false if the session is being loaded, or another process continues it.
    func end(_ summary: SessionSummary, _ ended: @escaping @Sendable (Bool) -> Void) {
        loop.assertCurrent()
        guard !isSuspended, !loading.contains(summary.id), let writer = host.journal else { return ended(false) }
        if let session = sessions[summary.id] { return ended(end(forOperator: session)) }
        let shard = UnsafeTransfer(backReference)
        // Its owner, to whom alone it has ended, is only known there.
        writer.withJournal { [loop] journal in
            let entry = UnsafeTransfer((try? journal?.load(summary.id)).flatMap { $0 })
            loop.execute { ended(shard.value.shard?.end(summary, entry.value) ?? false) }
        }
    }

    private func end(_ summary: SessionSummary, _ entry: JournalEntry?) -> Bool {
        guard !isSuspended, !loading.contains(summary.id) else { return false }
        if let session = sessions[summary.id] { return end(forOperator: session) }
        let ending = ending(ofStored: summary, entry)
        storeEnd(of: summary, entry, ending)
        endStreamsWhenStored(of: summary.id, ending)
        access.audit(.sessionEnded)
        return true
    }

    /// Returns the end of a stored session for those who may learn of it.
    private func ending(ofStored summary: SessionSummary, _ entry: JournalEntry?) -> StoredEnd {
        if let entry, let stored = try? StoredSession(entry, opening: host.seal) {
            return StoredEnd(.deleted, of: stored.ownership)
        }
        // Without its owner, nobody may learn that it existed.
        let nobody = access.isGuarded && entry != nil ? StoredEnd.nobody : nil
        return StoredEnd(.deleted, owner: summary.owner?.hash ?? nobody)
    }

    private func end(forOperator session: Session) -> Bool {
        access.audit(.sessionEnded, session: session.id)
        end(session, .deleted)
        return true
    }
}
