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
        if isReadable(entry) { return storeEnd(of: snapshot.summary, .expired) }
        host.log.limited(
            .warning, "expired session is kept, because this build cannot read it",
            ["session": .text(summary.id.shortText), "machine": .text(summary.machine)])
        var kept = snapshot.summary
        kept.expiresAt = wallMilliseconds + host.configuration.idleExpiry.wholeMilliseconds
        _ = openBatch.add { $0.add(.update(kept)) }
        requestFlush()
    }

    private func isReadable(_ entry: JournalEntry?) -> Bool {
        guard let entry, let stored = try? StoredSession(entry, opening: host.seal),
            let machine = host.catalogue[stored.machine]
        else { return false }
        return machine.definition.canContinue(stored, now: wallMilliseconds)
    }

    /// Stores that a session which is not in memory has ended.
    private func storeEnd(of summary: SessionSummary, _ reason: EndReason) {
        guard let writer = host.journal else { return }
        var ended = summary
        ended.expiresAt = wallMilliseconds + host.configuration.endedWindow.wholeMilliseconds
        ended.wakesAt = nil
        ended.hasEnded = true
        // A new number is higher than those of all rows of the session.
        let snapshot = SessionSnapshot(
            summary: ended, covers: writer.makeRowNumber(), content: reason.storedContent)
        _ = openBatch?.add { $0.add(.store(snapshot)) }
        requestFlush()
    }

    /// Ends a stored session for an operator. Returns false if it is being loaded, or another process continues it.
    func end(_ summary: SessionSummary) -> Bool {
        guard !isSuspended else { return false }
        if let session = stored[summary.id] {
            end(session, .deleted)
            return true
        }
        guard !isLoading(summary.id) else { return false }
        storeEnd(of: summary, .deleted)
        endStreamsWhenStored(of: summary.id)
        return true
    }
}
