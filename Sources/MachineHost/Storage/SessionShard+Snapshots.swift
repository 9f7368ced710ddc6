import HTTPModel
import StateCapture

// Snapshots of sessions that are in memory.
extension SessionShard {
    /// Has a session stored as a whole if it has taken enough turns since that was done last.
    func renewSnapshotIfDue(of session: Session, _ storage: SessionStorage) {
        // Single members: a copy of the configuration retains each of its parts.
        let (turns, bytes) = (host.configuration.turnsPerSnapshot, host.configuration.bytesPerSnapshot)
        if storage.needsSnapshot(after: turns, orBytes: bytes) { renewSnapshot(of: session) }
    }

    /// Has a session stored as a whole, without the rows that led to it.
    func renewSnapshot(of session: Session) {
        guard let storage = session.storage, let writer = host.journal else { return }
        storage.rowsSinceSnapshot = 0
        storage.bytesSinceSnapshot = 0
        guard let snapshot = snapshot(of: session, storage), let openBatch else {
            return writer.renewSnapshot(of: summary(of: session, hasEnded: false))
        }
        _ = openBatch.add { $0.add(.store(snapshot)) }
        requestFlush()
    }

    /// Notes that the writer has stored a snapshot of a session that may be in memory.
    func snapshotWasRenewed(of id: StoredSessionID, upTo row: UInt64) {
        loop.assertCurrent()
        guard let storage = sessions[id]?.storage, storage.lastRow == row else { return }
        storage.rowsSinceSnapshot = 0
        storage.bytesSinceSnapshot = 0
    }

    /// Returns the snapshot of a session after its last row; nil if only the journal has all of it.
    // Reading and applying its rows would cost the writer as much for each input as storing the row.
    private func snapshot(of session: Session, _ storage: SessionStorage) -> SessionSnapshot? {
        guard storage.isComplete, session.endReason == nil, !session.isInTurn, session.large == nil else { return nil }
        if let effects = session.context.declaredEffects, !effects.hasNothingStored { return nil }
        var states = buffers.states.take()
        defer { buffers.states.recycle(&states) }
        // A state that cannot be encoded ends the session with the turn that changes it.
        guard (try? storage.registry.appendAll(to: &states)) != nil else { return nil }
        var stored = StoredSession(session, states: states, effects: [], now: storedMilliseconds)
        stored.lastInput = storage.lastInput
        // A session in memory removes what is outdated later, when it is used.
        stored.trim(to: host.configuration.storedLimits, at: storedMilliseconds)
        return SessionSnapshot(
            summary: summary(of: session, hasEnded: false), covers: storage.lastRow,
            content: host.seal.content(of: stored, storage.id))
    }
}
