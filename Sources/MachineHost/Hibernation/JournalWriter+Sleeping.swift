import Locking

// Sessions that go to sleep.
extension JournalWriter {
    /// Stores sessions that have gone to sleep, each as a whole, so that waking one reads no rows.
    ///
    /// - Parameters:
    ///   - sessions: What is known of them now.
    ///   - build: The build whose outputs clients have seen.
    func storeAsleep(_ sessions: [SessionSummary], build: String) {
        executor.execute { [self] in
            commit()
            guard let journal = thread.value.journal, !thread.value.hasFailed else { return }
            var batch = JournalBatch()
            for summary in sessions {
                if let change = asleep(summary, build, in: journal) { batch.add(change) }
            }
            do {
                // The rows are flushed already. Without this snapshot, they count.
                try journal.commit(batch, isFlushed: false)
            } catch {
                thread.value.hasFailed = true
                return onFailure(error)
            }
            scheduleLookup(batch.nextDueTime)
            requestMaintenance()
        }
    }

    /// Returns what is stored of a session that sleeps; nil if it has ended. One that cannot be read at the moment keeps its
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
