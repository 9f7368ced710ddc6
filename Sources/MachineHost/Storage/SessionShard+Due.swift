import HTTPModel

// Stored sessions that become due.
extension SessionShard {
    /// Handles a stored session whose time has come: it is forgotten, has expired, or has something to do.
    func sessionIsDue(_ summary: SessionSummary) {
        guard host.journal != nil, let openBatch, !isDraining else { return }
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
            // Reads keep a session alive, but are not stored. So after a restart the idle time begins again.
            let earliest = now - Int64(tick) * 1000 + host.configuration.idleExpiry.wholeNanoseconds / 1_000_000
            guard now < earliest else { return expire(summary, now: now) }
            var later = summary
            later.expiresAt = earliest
            _ = openBatch.add { $0.add(.update(later)) }
            requestFlush()
        }
        if let time = summary.wakesAt, time <= now { wake(summary.id) }
    }

    private func expire(_ summary: SessionSummary, now: Int64) {
        guard let writer = host.journal else { return }
        var ended = summary
        ended.expiresAt = now + host.configuration.endedWindow.wholeNanoseconds / 1_000_000
        ended.wakesAt = nil
        ended.hasEnded = true
        // A new number is higher than those of all rows of the session.
        let snapshot = SessionSnapshot(summary: ended, covers: writer.makeRowNumber(), content: [])
        _ = openBatch?.add { $0.add(.store(snapshot)) }
        requestFlush()
    }
}
