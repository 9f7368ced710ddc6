import Locking

// Stored sessions that become due.
extension JournalWriter {
    /// The maximum number of due sessions that are looked up at once.
    private static let dueAtOnce = 1000
    /// The maximum number of due sessions that are read before something else is stored.
    private static let duePerStep = 64

    /// Schedules a lookup of the due sessions at a time, unless an earlier one is scheduled.
    func scheduleLookup(_ time: Int64) {
        guard time < thread.value.nextLookup else { return }
        thread.value.nextLookup = time
        executor.execute(after: .milliseconds(max(0, max(0, time) - storedMilliseconds))) { [self] in
            // An earlier lookup may have been scheduled since, and has then scheduled this one again.
            guard thread.value.nextLookup == time else { return }
            thread.value.nextLookup = .max
            lookUpDue()
        }
    }

    /// Passes due sessions to their loops, when all loops have been added, and schedules the next look-up.
    func lookUpDue() {
        guard let journal = thread.value.journal, !thread.value.hasFailed, hasAllLoops else { return }
        guard let due = try? journal.sessions(dueAt: storedMilliseconds, limit: JournalWriter.dueAtOnce) else {
            // Another attempt: nothing else might look up anything for a long time.
            return scheduleLookup(storedMilliseconds + 1000)
        }
        pass(due[...], isLast: due.count < JournalWriter.dueAtOnce)
    }

    /// Passes due sessions to their loops, some at a time, so that what clients wait for is stored in between.
    private func pass(_ due: ArraySlice<SessionSummary>, isLast: Bool) {
        let (step, rest) = (due.prefix(JournalWriter.duePerStep), due.dropFirst(JournalWriter.duePerStep))
        withWorking(thread.value.journal) { journal in
            // All snapshots of a step share one flush.
            var renewed: [SessionSnapshot] = []
            try forget(step.filter(\.hasEnded), in: journal)
            let early = step.filter(isExpiredEarly)
            try postponeExpiry(of: early.map(\.id), in: journal)
            let passed = try step.filter { try !$0.hasEnded && !isExpiredEarly($0) && isDue($0, in: journal, &renewed) }
            try store(renewed, in: journal)
            var listeners: [Int: (listener: JournalListener, due: [SessionSummary])] = [:]
            for summary in passed {
                guard let listener = listener(of: summary.id) else { continue }
                listeners[listener.loop, default: (listener, [])].due.append(summary)
            }
            for (listener, due) in listeners.values { listener.sessionsAreDue(due) }
            guard rest.isEmpty else { return executor.execute { [self] in pass(rest, isLast: isLast) } }
            // The loops change the due sessions, so others are looked up a moment later.
            if !isLast {
                scheduleLookup(storedMilliseconds + 100)
            } else if let next = try journal.nextDueTime() {
                scheduleLookup(max(next, storedMilliseconds + 1000))
            }
        }
    }

    /// Removes sessions that were remembered long enough after their end.
    // Here and not on their loops, so that a session which an operator imports at the same moment is not removed.
    private func forget(_ ended: [SessionSummary], in journal: any Journal) throws {
        assert(ended.allSatisfy(\.hasEnded), "expected to forget sessions that have ended")
        var batch = JournalBatch()
        for summary in ended {
            guard let found = try? journal.summary(of: summary.id), found.hasEnded,
                found.expiresAt ?? .max <= storedMilliseconds
            else { continue }
            batch.add(.remove(summary.id))
        }
        try store([batch], in: journal, isFlushed: isFlushed)
    }

    /// Returns whether a session has expired before clients could use it again, because the server was down.
    private func isExpiredEarly(_ summary: SessionSummary) -> Bool {
        let now = storedMilliseconds
        guard !summary.hasEnded, now < thread.value.firstExpiry, summary.wakesAt ?? .max > now else { return false }
        return summary.expiresAt ?? .max <= now
    }

    /// Postpones the expiry of sessions until clients could use them again.
    // In the journal: otherwise they would be in front of all sessions whose timers become due meanwhile.
    private func postponeExpiry(of sessions: [StoredSessionID], in journal: any Journal) throws {
        var batch = JournalBatch()
        for id in sessions {
            // As it is stored now: its loop may have stored another time since the look-up.
            guard var found = try? journal.summary(of: id), isExpiredEarly(found) else { continue }
            found.expiresAt = thread.value.firstExpiry
            batch.add(.update(found))
        }
        try store([batch], in: journal, isFlushed: isFlushed)
    }

    /// Returns whether a session is really due. Its expiry is stored with its snapshot, and turns since then postpone it: a
    /// snapshot with the later time is then added to those that were renewed.
    private func isDue(
        _ summary: SessionSummary, in journal: any Journal, _ snapshots: inout [SessionSnapshot]
    ) throws -> Bool {
        assert(!summary.hasEnded, "expected a session that has not ended")
        let now = storedMilliseconds
        if let wakesAt = summary.wakesAt, wakesAt <= now { return true }
        guard let expiry = summary.expiresAt, expiry <= now else { return true }
        // A session that cannot be read has no turns that would count.
        guard let entry = try? journal.load(summary.id), !entry.rows.isEmpty, let renewed = renewed(entry, nil) else {
            return true
        }
        snapshots.append(renewed)
        return renewed.summary.expiresAt.map { $0 <= now } ?? false
    }
}
