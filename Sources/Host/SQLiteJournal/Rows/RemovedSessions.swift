import MachineHost

/// The sessions that this process has removed, and of which rows may be left that nobody needs.
struct RemovedSessions {
    private var last: [StoredSessionID: UInt64] = [:]
    /// The number of sessions at which those without rows are removed.
    private var limit = 1024

    /// Adds a session.
    ///
    /// - Parameters:
    ///   - number: The greatest number that a row of the session may have.
    ///   - oldestRow: Returns the smallest number of all rows that are left.
    mutating func add(_ session: StoredSessionID, _ number: UInt64, _ oldestRow: () throws -> UInt64) rethrows {
        last[session] = number
        guard last.count >= limit else { return }
        let oldest = try oldestRow()
        last = last.filter { $0.value >= oldest }
        limit = max(1024, 2 * last.count)
    }

    /// Removes a session. Returns whether rows may be left.
    mutating func forget(_ session: StoredSessionID) -> Bool { last.removeValue(forKey: session) != nil }

    /// Returns whether a batch stores a session again that was removed before, or by the batch itself.
    func contains(sessionStoredBy batch: JournalBatch) -> Bool {
        var inBatch: Set<StoredSessionID> = []
        for change in batch.changes {
            switch change {
            case .remove(let session): inBatch.insert(session)
            case .store(let snapshot):
                let id = snapshot.summary.id
                if last[id] != nil || inBatch.contains(id) { return true }
            case .append, .update, .set, .note, .removeNotes: continue
            }
        }
        return false
    }
}
