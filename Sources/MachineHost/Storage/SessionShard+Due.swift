import HTTPModel

// Stored sessions that become due.
extension SessionShard {
    /// Handles a stored session whose time has come: it is forgotten, has expired, or has something to do.
    func sessionIsDue(_ summary: SessionSummary) {
        guard let writer = host.journal, let openBatch, !isDraining else { return }
        let now = wallMilliseconds
        if summary.hasEnded {
            guard let expiry = summary.expiresAt, expiry <= now else { return }
            _ = openBatch.add { $0.add(.remove(summary.id)) }
            return requestFlush()
        }
        if let session = stored[summary.id] {
            // It is in memory, where its own deadline counts. The stored one only looked old.
            return renewSnapshot(of: session)
        }
        // Its entry was read before: the session is about to be used. If it is not, it will be due again.
        if loading.keys.contains(where: { StoredSessionID(of: $0) == summary.id }) { return }
        guard let expiry = summary.expiresAt, expiry <= now else { return }
        let ended = SessionSummary(
            id: summary.id, machine: summary.machine, version: summary.version, createdAt: summary.createdAt,
            usedAt: summary.usedAt, expiresAt: now + host.configuration.endedWindow.wholeNanoseconds / 1_000_000,
            wakesAt: nil, hasEnded: true)
        // A new number is higher than those of all rows of the session.
        let snapshot = SessionSnapshot(summary: ended, covers: writer.makeRowNumber(), content: [])
        _ = openBatch.add { $0.add(.store(snapshot)) }
        requestFlush()
    }
}
