import CombineCore
import Locking

// Sessions that go to sleep.
extension JournalWriter {
    /// The number of sessions that are stored before a request that waits for the journal gets its turn.
    private static let storedPerStep = 8

    /// Stores sessions that have gone to sleep, each as a whole, so that waking one reads no rows. Not all at once: sessions that clients
    /// have left at the same time fall asleep together.
    ///
    /// - Parameters:
    ///   - sessions: Their present summaries.
    ///   - build: The build whose outputs clients have seen.
    func storeAsleep(_ sessions: [SessionSummary], build: String) {
        executor.execute { [self] in
            commit()
            guard thread.value.journal != nil else { return }
            let isStoring = !thread.value.fallingAsleep.isEmpty
            thread.value.fallingAsleep.add(sessions, build)
            scheduleReturn(of: sessions.count)
            if !isStoring { storeNextAsleep() }
        }
    }

    private func storeNextAsleep() {
        storeAsleep(thread.value.fallingAsleep.take(JournalWriter.storedPerStep))
        guard !thread.value.fallingAsleep.isEmpty else { return }
        executor.execute { [self] in storeNextAsleep() }
    }

    /// Stores a session now if it is about to be stored as one that sleeps. Call before it is loaded: it may wake, and change.
    func storeAsleepNow(_ id: StoredSessionID) {
        if let summary = thread.value.fallingAsleep.remove(id) { storeAsleep([summary]) }
    }

    /// Stores all sessions now that are about to be stored as ones that sleep.
    func storeAllAsleep() { storeAsleep(thread.value.fallingAsleep.take(.max)) }

    private func storeAsleep(_ sessions: [SessionSummary]) {
        guard !sessions.isEmpty else { return }
        withWorking(thread.value.journal) { journal in
            var batch = JournalBatch()
            for summary in sessions {
                if let change = asleep(summary, thread.value.fallingAsleep.build, in: journal) { batch.add(change) }
            }
            // The rows are flushed already. Without this snapshot, they count.
            try store([batch], in: journal, isFlushed: false)
            if let due = batch.nextDueTime { scheduleLookup(due) }
            countCommit()
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

/// The sessions that have gone to sleep and are about to be stored as ones that sleep.
struct FallingAsleep {
    private var summaries: [StoredSessionID: SessionSummary] = [:]
    private var order = Queue<StoredSessionID>()
    /// The build whose outputs clients have seen.
    private(set) var build = ""

    var isEmpty: Bool { summaries.isEmpty }

    mutating func add(_ sessions: [SessionSummary], _ build: String) {
        self.build = build
        for summary in sessions {
            summaries[summary.id] = summary
            order.append(summary.id)
        }
    }

    mutating func remove(_ id: StoredSessionID) -> SessionSummary? { summaries.removeValue(forKey: id) }

    /// Removes and returns the first sessions, up to a number.
    mutating func take(_ count: Int) -> [SessionSummary] {
        var taken: [SessionSummary] = []
        while taken.count < count, let id = order.removeFirst() {
            if let summary = summaries.removeValue(forKey: id) { taken.append(summary) }
        }
        assert(
            taken.count == count || summaries.isEmpty,
            "expected each session in the order, got \(summaries.count) others")
        return taken
    }
}
