import HTTPModel
import Locking

// Stored sessions that become due.
extension JournalWriter {
    /// The maximum number of due sessions that are passed to the loops at once.
    private static let dueAtOnce = 1000

    /// The wall time, in milliseconds since 1970.
    var wallMilliseconds: Int64 { wallClock().sinceBeginning / 1_000_000 }

    /// Has the due sessions looked up at a time, unless that happens earlier.
    func scheduleLookup(_ time: Int64?) {
        guard let time, time < thread.value.nextLookup else { return }
        thread.value.nextLookup = time
        executor.execute(after: .milliseconds(max(0, time - wallMilliseconds))) { [self] in
            // An earlier lookup may have been scheduled since, and has then scheduled this one again.
            guard thread.value.nextLookup == time else { return }
            thread.value.nextLookup = .max
            lookUpDue()
        }
    }

    /// Passes due sessions to their loops, when all loops have been added, and schedules the next look-up.
    func lookUpDue() {
        guard let journal = thread.value.journal, !thread.value.hasFailed,
            loops.withLock({ JournalWriter.areComplete($0) }),
            let due = try? journal.sessions(dueAt: wallMilliseconds, limit: JournalWriter.dueAtOnce)
        else { return }
        for summary in due {
            do {
                guard try isDue(summary, in: journal) else { continue }
            } catch {
                thread.value.hasFailed = true
                return onFailure(error)
            }
            listener(of: summary.id)?.sessionIsDue(summary)
        }
        // The loops change the due sessions, so the rest is looked up a moment later.
        if due.count == JournalWriter.dueAtOnce {
            scheduleLookup(wallMilliseconds + 100)
        } else if let next = try? journal.nextDueTime() {
            scheduleLookup(max(next, wallMilliseconds + 1000))
        }
    }

    /// Returns whether a session is really due. Its expiry is stored with its snapshot, and turns since then postpone it.
    private func isDue(_ summary: SessionSummary, in journal: any Journal) throws -> Bool {
        let now = wallMilliseconds
        if let wakesAt = summary.wakesAt, wakesAt <= now { return true }
        guard !summary.hasEnded, let expiry = summary.expiresAt, expiry <= now else { return true }
        guard now >= thread.value.firstExpiry else { return false }
        // A session that cannot be read has no turns that would count.
        guard let entry = try? journal.load(summary.id), !entry.rows.isEmpty else { return true }
        guard let renewed = try renewSnapshot(of: entry, in: journal) else { return true }
        return renewed.summary.expiresAt.map { $0 <= now } ?? false
    }
}
