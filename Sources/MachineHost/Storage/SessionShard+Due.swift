import Access
import HTTPModel
import Locking
import Log

// Stored sessions that become due.
extension SessionShard {
    /// Handles a stored session whose time has come: it is forgotten, has expired, or has something to do.
    func sessionIsDue(_ summary: SessionSummary) {
        guard let openBatch, !isDraining, !isSuspended else { return }
        let now = wallMilliseconds
        if summary.hasEnded {
            guard let expiry = summary.expiresAt, expiry <= now else { return }
            _ = openBatch.add { $0.add(.remove(summary.id)) }
            return requestFlush()
        }
        // It is in memory, where its own timers and deadlines count. The stored ones only look old.
        if let session = stored[summary.id] { return postponeStored(session) }
        guard loading[summary.id] == nil else { return }
        if let expiry = summary.expiresAt, expiry <= now {
            // Reads keep a session alive, but are not stored. So after a restart the idle time begins again. Streams of a
            // session that sleeps keep it alive, too.
            let beginning = hibernation.slots[summary.id] == nil ? now - Int64(tick) * 1000 : now
            let earliest = beginning + host.configuration.idleExpiry.wholeMilliseconds
            guard now < earliest else { return expire(summary) }
            var later = summary
            later.expiresAt = earliest
            _ = openBatch.add { $0.add(.update(later)) }
            requestFlush()
        }
        if let time = summary.wakesAt, time <= now { wake(summary.id) }
    }

    /// Returns whether a session is being loaded.
    private func isLoading(_ id: StoredSessionID) -> Bool { loading[id] != nil }

    /// Ends a stored session that was not used in time, unless this build cannot read it: another build may.
    private func expire(_ summary: SessionSummary) {
        let shard = UnsafeTransfer(backReference)
        host.journal?.withJournal { [loop] journal in
            let entry = UnsafeTransfer(try? journal?.load(summary.id))
            loop.execute { shard.value.shard?.expire(summary, entry.value) }
        }
    }

    private func expire(_ summary: SessionSummary, _ entry: JournalEntry?) {
        // It may have been used since.
        guard !isSuspended, stored[summary.id] == nil, !isLoading(summary.id), hibernation.slots[summary.id] == nil,
            let snapshot = entry?.snapshot, let openBatch, snapshot.summary.expiresAt ?? .max <= wallMilliseconds
        else { return }
        if let stored = readable(entry) {
            return storeEnd(of: snapshot.summary, StoredEnd(.expired, of: stored.ownership))
        }
        host.log.limited(
            .warning, "expired session is kept, because this build cannot read it",
            ["session": .text(summary.id.shortText), "machine": .text(summary.machine)])
        var kept = snapshot.summary
        kept.expiresAt = wallMilliseconds + host.configuration.idleExpiry.wholeMilliseconds
        _ = openBatch.add { $0.add(.update(kept)) }
        requestFlush()
    }

    private func readable(_ entry: JournalEntry?) -> StoredSession? {
        guard let entry, let stored = try? StoredSession(entry, opening: host.seal),
            let machine = host.catalogue[stored.machine],
            machine.definition.canContinue(stored, now: wallMilliseconds)
        else { return nil }
        return stored
    }

    /// Stores that a session which is not in memory has ended.
    private func storeEnd(of summary: SessionSummary, _ ending: StoredEnd) {
        guard let writer = host.journal else { return }
        var ended = summary
        ended.expiresAt = wallMilliseconds + host.configuration.endedWindow.wholeMilliseconds
        ended.wakesAt = nil
        ended.hasEnded = true
        // A new number is higher than those of all rows of the session.
        let snapshot = SessionSnapshot(
            summary: ended, covers: writer.makeRowNumber(), content: ending.content)
        _ = openBatch?.add { $0.add(.store(snapshot)) }
        requestFlush()
    }

    /// Ends a stored session for an operator.
    ///
    /// - Parameter ended: Receives false if the session is being loaded, or another process continues it.
    func end(_ summary: SessionSummary, _ ended: @escaping @Sendable (Bool) -> Void) {
        guard !isSuspended, !isLoading(summary.id), let writer = host.journal else { return ended(false) }
        if let session = stored[summary.id] { return ended(end(forOperator: session)) }
        let shard = UnsafeTransfer(backReference)
        // Its owner, to whom alone it has ended, is only known there.
        writer.withJournal { [loop] journal in
            let entry = UnsafeTransfer((try? journal?.load(summary.id)).flatMap { $0 })
            loop.execute { ended(shard.value.shard?.end(summary, entry.value) ?? false) }
        }
    }

    private func end(_ summary: SessionSummary, _ entry: JournalEntry?) -> Bool {
        guard !isSuspended, !isLoading(summary.id) else { return false }
        if let session = stored[summary.id] { return end(forOperator: session) }
        let ending = ending(ofStored: summary, entry)
        storeEnd(of: summary, ending)
        endStreamsWhenStored(of: summary.id, ending)
        audit(.sessionEnded)
        return true
    }

    /// Returns the end of a stored session for those who may learn of it.
    private func ending(ofStored summary: SessionSummary, _ entry: JournalEntry?) -> StoredEnd {
        if let entry, let stored = try? StoredSession(entry, opening: host.seal) {
            return StoredEnd(.deleted, of: stored.ownership)
        }
        // Without its owner, nobody may learn that it existed.
        return StoredEnd(.deleted, owner: summary.owner?.hash ?? (isGuarded && entry != nil ? StoredEnd.nobody : nil))
    }

    private func end(forOperator session: Session) -> Bool {
        audit(.sessionEnded, session: session.id)
        end(session, .deleted)
        return true
    }
}
