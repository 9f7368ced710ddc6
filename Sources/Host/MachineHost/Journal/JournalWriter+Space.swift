import Locking
import Synchronization

// The disk.
extension JournalWriter {
    /// Looks up the free space, and refuses or accepts inputs from then on.
    func lookAtSpace() {
        let thread = thread.value
        guard thread.space.begin(now: storedMilliseconds), let journal = thread.fileJournal else { return }
        // What cannot be looked up is as it was.
        let free = (try? journal.freeBytes()) ?? (lacksSpace ? 0 : .max)
        let (isLow, repeats) = thread.space.found(free)
        isSpaceLow.store(isLow, ordering: .relaxed)
        guard repeats else { return }
        executor.execute(after: .milliseconds(FreeSpace.interval)) { [self] in
            self.thread.value.space.repetitionBegins()
            lookAtSpace()
        }
    }

    /// Throws if the disk has no room for a batch besides its reserve: a commit that fails would end the process.
    func requireRoom(for batch: JournalBatch) throws {
        var size = Int64(batch.bytes.count)
        for case .store(let snapshot) in batch.changes { size += Int64(snapshot.content.count) }
        // In the log, and then in its final place.
        let needed = 2 * size
        guard let free = try thread.value.fileJournal?.freeBytes(), free - needed < thread.value.space.reserve else {
            return
        }
        throw JournalError(
            .full,
            "expected room for \(needed) bytes besides a reserve of \(thread.value.space.reserve), got \(free) free bytes"
        )
    }

    /// The time between two looks at the journal.
    private static let verificationInterval = Duration.seconds(10)

    /// Schedules the verification of the journal, at regular intervals while it is open.
    // A commit verifies it as well, but an idle server has none.
    func scheduleVerification() {
        guard !thread.value.isVerificationScheduled else { return }
        thread.value.isVerificationScheduled = true
        // Weak, because the next look is always scheduled: a writer that nobody uses any more is released.
        executor.execute(after: JournalWriter.verificationInterval) { [weak self] in self?.verify() }
    }

    private func verify() {
        assert(thread.value.isVerificationScheduled, "expected a look that was scheduled")
        thread.value.isVerificationScheduled = false
        withWorking(thread.value.journal) { journal in
            try thread.value.verifiedJournal?.verify()
            try checkClock(of: journal)
            scheduleVerification()
        }
    }
}
