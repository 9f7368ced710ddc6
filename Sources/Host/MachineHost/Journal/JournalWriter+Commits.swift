import Locking
import StateCapture
import Synchronization
import Telemetry

// Commits.
extension JournalWriter {
    /// Stores the open batches of all loops, and reports to each loop what is stored.
    func commit() {
        isCommitRequested.store(false, ordering: .releasing)
        let thread = thread.value
        guard let journal = thread.journal, !thread.hasFailed else { return }
        let loops = loops.withLock { $0 }
        while thread.batches.count < loops.count { thread.batches.append(JournalBatch()) }
        assert(
            thread.batches.count == loops.count,
            "expected a batch for each of \(loops.count) loops, got \(thread.batches.count)")
        var sequences = Array(repeating: UInt64(0), count: loops.count)
        JournalWriter.takeBatches(of: loops, from: 0, &thread.batches, &sequences)
        do {
            try store(thread.batches, in: journal, isFlushed: isFlushed)
        } catch {
            // Never again: a repeated flush may succeed although the system has dropped the data of the first.
            thread.hasFailed = true
            return onFailure(error)
        }
        if thread.batches.contains(where: { !$0.isEmpty }) {
            thread.storedCommits += 1
            if !thread.isTidyingScheduled { scheduleTidying() }
        }
        for (index, loop) in loops.enumerated() {
            if let due = thread.batches[index].nextDueTime { scheduleLookup(due) }
            thread.batches[index].removeAll()
            assert(
                sequences[index] >= loop.reported.load(ordering: .relaxed),
                "expected loop \(index) to count its changes up, got \(sequences[index])")
            guard loop.reported.exchange(sequences[index], ordering: .relaxed) != sequences[index] else { continue }
            loop.listener.changesWereStored(sequences[index])
        }
        if thread.space.isDue(now: storedMilliseconds) { lookAtSpace() }
        countCommit()
    }

    /// Takes the open batches of the loops from an index on, while it holds the locks of the loops before.
    private static func takeBatches(
        of loops: [OpenBatch], from index: Int, _ batches: inout [JournalBatch], _ sequences: inout [UInt64]
    ) {
        assert(
            batches.count == loops.count && sequences.count == loops.count,
            "expected a batch and a sequence for each of \(loops.count) loops")
        guard index < loops.count else { return }
        assert(batches[index].isEmpty, "expected a batch that was stored and emptied")
        loops[index].state.withLock { state in
            swap(&state.batch, &batches[index])
            sequences[index] = state.sequence
            takeBatches(of: loops, from: index + 1, &batches, &sequences)
        }
    }

    /// Stores batches as one, and counts what they contain for the clients of their sessions.
    func store(_ batches: [JournalBatch], in journal: any Journal, isFlushed: Bool) throws {
        let thread = thread.value
        // A repeated flush may succeed although the system has dropped the data of the first.
        assert(!thread.hasFailed, "expected no commit after one that failed")
        let filled = batches.filter { !$0.isEmpty }
        guard var batch = filled.first else { return }
        for other in filled.dropFirst() { batch.append(other) }
        let began = thread.cells.now
        if isClockOutdated {
            clock.deriveWallLead()
            addClock(to: &batch)
        }
        try journal.commit(batch, isFlushed: isFlushed)
        thread.commitTimes.record(nanoseconds: thread.cells.now &- began)
        if let quotas = quotas.withLock({ $0 }), quotas.isActive { quotas.note(batch) }
    }

    /// Runs work with an open journal that has not failed, on the writer's thread. Nothing is stored after an error.
    func withWorking<Opened>(_ journal: Opened?, _ body: (Opened) throws -> Void) {
        guard let journal, !thread.value.hasFailed else { return }
        do {
            try body(journal)
        } catch {
            thread.value.hasFailed = true
            onFailure(error)
        }
    }

    /// Stores what an operator adds. Called on the writer's thread.
    ///
    /// - Throws: `JournalError(.full)` if the disk has no room for it besides its reserve, or the error of the commit, after which
    ///   the process ends.
    func storeForOperator(_ batch: JournalBatch, in journal: any Journal) throws {
        let thread = thread.value
        // An import takes the place of what is stored.
        storeAllAsleep()
        guard !thread.hasFailed else {
            throw JournalError(.closed, "expected a journal that works, got one that failed")
        }
        assert(thread.journal === journal, "expected the open journal")
        try requireRoom(for: batch)
        do {
            try store([batch], in: journal, isFlushed: true)
        } catch {
            thread.hasFailed = true
            onFailure(error)
            throw error
        }
        let seal = seal.withLock { $0 }
        for case .store(let snapshot) in batch.changes {
            quotas.withLock { $0 }?.restore(JournalEntry(snapshot: snapshot, rows: []), opening: seal)
        }
        if let due = batch.nextDueTime { scheduleLookup(due) }
    }
}
