public import MachineHost

extension PostgreSQLJournal {
    /// Stores a batch, completely or not at all. Every batch is flushed. After an error the journal accepts nothing any more.
    ///
    /// - Throws: `JournalError`: `.held` if another process has taken the sessions over, `.unsupported` for a batch that no journal can
    ///   store, or for one with sessions if the process shares the journal, or `.closed` after an earlier error.
    public func commit(_ batch: JournalBatch, isFlushed: Bool) throws {
        guard node == nil else {
            guard try commit(batch, under: [:]).isEmpty else {
                throw JournalError(.unsupported, "expected the epochs of the sessions in a batch of a node, got none")
            }
            return
        }
        guard !batch.isEmpty else { return try requireOpen() }
        let plan = try BatchPlan(batch)
        _ = try write { plan.requests(of: fence.epoch, isRepeated: $0) }
        noteNumber(plan.greatestNumber)
    }
}
