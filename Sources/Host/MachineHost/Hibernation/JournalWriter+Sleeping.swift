import Locking

// Sessions that go to sleep.
extension JournalWriter {
    /// Stores sessions that have gone to sleep, each as a whole, so that waking one reads no rows.
    ///
    /// - Parameters:
    ///   - sessions: Their present summaries.
    ///   - build: The build whose outputs clients have seen.
    func storeAsleep(_ sessions: [SessionSummary], build: String) {
        executor.execute { [self] in
            commit()
            withWorking(thread.value.journal) { journal in
                var batch = JournalBatch()
                for summary in sessions {
                    if let change = asleep(summary, build, in: journal) { batch.add(change) }
                }
                // The rows are flushed already. Without this snapshot, they count.
                try store([batch], in: journal, isFlushed: false)
                if let due = batch.nextDueTime { scheduleLookup(due) }
                countCommit()
                scheduleReturn(of: sessions.count)
            }
        }
    }

    /// The number of sessions from which on their memory is worth returning.
    private static let manySleepers = 1000
    /// The time between the first of them and the return. Sessions that clients have left at the same time fall asleep together.
    private static let returnDelay = Duration.seconds(5)

    /// Schedules the return of the memory of many sleeping sessions to the system.
    // Their blocks lie between those of other sessions, so the C library keeps the pages, several times what is in use.
    private func scheduleReturn(of count: Int) {
        thread.value.sleepers += count
        guard thread.value.sleepers >= JournalWriter.manySleepers, !thread.value.isReturnScheduled else { return }
        thread.value.isReturnScheduled = true
        executor.execute(after: JournalWriter.returnDelay) { [self] in
            thread.value.isReturnScheduled = false
            thread.value.sleepers = 0
            returnMemory()
        }
    }

    /// Returns the change that stores a session that sleeps; nil if it has ended. One that cannot be read at the moment keeps its
    /// rows, and is woken in time nevertheless.
    private func asleep(_ summary: SessionSummary, _ build: String, in journal: any Journal) -> JournalBatch.Change? {
        guard let entry = try? journal.load(summary.id), let snapshot = entry.snapshot else { return .update(summary) }
        guard !snapshot.summary.hasEnded else { return nil }
        let renewed = renewed(entry) { stored in
            stored.isAsleep = true
            stored.build = build
            return summary
        }
        return renewed.map { .store($0) } ?? .update(summary)
    }
}
