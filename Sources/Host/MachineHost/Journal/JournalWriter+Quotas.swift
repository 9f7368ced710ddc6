import Locking

// What clients have stored in earlier processes.
extension JournalWriter {
    /// The number of sessions that are read before other work gets a turn.
    private static let countedAtOnce = 32

    /// Counts the stored sessions for their clients, if quotas are configured.
    ///
    /// In steps, so that batches can be stored in between. Until the last step, a client may store more than its quota. A session
    /// that changes meanwhile is counted once: before its step, its changes are ignored, and its step reads all of them.
    func countStored(after id: StoredSessionID?) {
        guard let quotas = quotas.withLock({ $0 }), quotas.isActive, let journal = thread.value.journal else { return }
        let seal = seal.withLock { $0 }
        // What cannot be read counts for nobody. If it is the whole journal, the next commit fails.
        guard let summaries = try? journal.sessions(after: id, limit: JournalWriter.countedAtOnce),
            let last = summaries.last
        else { return }
        for summary in summaries where !summary.hasEnded {
            if let entry = try? journal.load(summary.id) { quotas.restore(entry, opening: seal) }
        }
        executor.execute { [self] in countStored(after: last.id) }
    }
}
