import Locking
import Synchronization

/// Collects the changes of all sessions, and stores them in batches on a thread of its own.
///
/// Each loop has an open batch. The writer takes the open batches of all loops together, so that no stored session shows
/// an effect of another session's turn that was lost. While it stores a batch, the loops fill the next one: a busy server
/// stores many turns at once, and a quiet one stores each turn without a delay.
public final class JournalWriter: Sendable {
    /// What a stored batch survives.
    public let durability: Durability
    /// The secret key for the digests of idempotency keys, which stays the same for all processes.
    let digestKey: RequestDigest.Key
    private let executor: any JournalExecutor
    private let wallClock: @Sendable () -> WallTime
    private let onFailure: @Sendable (any Error) -> Void
    private let loops: [OpenBatch]
    private let nextRow: Atomic<UInt64>
    private let isCommitRequested = Atomic(false)
    /// The journal and the batches that are being stored. Used on the writer's thread only.
    private let storing: UnsafeTransfer<Storing>

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - journal: The journal. From now on, only the writer uses it, on its thread.
    ///   - loops: The number of loops.
    ///   - durability: What sessions survive; at most what the journal guarantees.
    ///   - executor: The writer's thread.
    ///   - wallClock: Returns the time of day.
    ///   - onFailure: Receives the error of a commit. Nothing is stored or acknowledged afterwards, so the process must
    ///     end, and its successor recovers the sessions.
    /// - Throws: The error of a journal that cannot be read or written.
    public init(
        _ journal: any Journal, loops: Int, durability: Durability = .disk, executor: any JournalExecutor,
        wallClock: @escaping @Sendable () -> WallTime = WallTime.now,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) throws {
        self.durability = min(durability, journal.guarantee)
        self.executor = executor
        self.wallClock = wallClock
        self.onFailure = onFailure
        digestKey = try RequestDigest.Key(storedIn: journal)
        nextRow = Atomic(try journal.lastRow() + 1)
        self.loops = (0..<loops).map { _ in OpenBatch() }
        storing = UnsafeTransfer(Storing(journal, loops: loops))
    }

    /// The changes of one loop that are not being stored yet.
    private final class OpenBatch: Sendable {
        struct State {
            var batch = JournalBatch()
            /// The number of changes that were ever added.
            var sequence: UInt64 = 0
            /// Receives the number of changes that have been stored.
            var listener: JournalListener?
        }

        // Locked rather than confined to the loop, because the writer takes the batches of all loops at one moment.
        let state = Lock(State())
    }

    private final class Storing {
        let journal: any Journal
        /// The batches of the loops; emptied and reused.
        var batches: [JournalBatch]
        var sequences: [UInt64]
        var stored: [UInt64]
        var hasFailed = false
        /// The time at which due sessions are looked up next, in milliseconds since 1970.
        var nextLookup = Int64.max

        init(_ journal: any Journal, loops: Int) {
            self.journal = journal
            batches = Array(repeating: JournalBatch(), count: loops)
            sequences = Array(repeating: 0, count: loops)
            stored = sequences
        }
    }

    /// Sets the listener of a loop. It is called on the writer's thread.
    func listen(onLoop loop: Int, _ listener: JournalListener) {
        loops[loop].state.withLock { $0.listener = listener }
        // The sessions that an earlier process left.
        if loop == 0 { executor.execute { [self] in scheduleLookup(try? storing.value.journal.nextDueTime()) } }
    }

    /// Returns the number of a new row.
    func makeRowNumber() -> UInt64 { nextRow.add(1, ordering: .relaxed).oldValue }

    /// Adds a change to the open batch of a loop. It is stored after the next ``requestCommit()``.
    ///
    /// - Returns: The number of changes that the loop has added so far, including this one.
    func add(loop: Int, _ add: (inout JournalBatch) -> Void) -> UInt64 {
        loops[loop].state.withLock { state in
            add(&state.batch)
            state.sequence += 1
            return state.sequence
        }
    }

    /// Stores the open batches soon. May be called from any thread.
    func requestCommit() {
        // One request until the commit begins, however many loops ask.
        guard !isCommitRequested.exchange(true, ordering: .acquiringAndReleasing) else { return }
        executor.execute { [self] in commit() }
    }

    /// Runs a closure with the journal on the writer's thread, after everything that was added before has been stored.
    func withJournal(_ body: @escaping @Sendable (any Journal) -> Void) {
        executor.execute { [self] in
            commit()
            body(storing.value.journal)
        }
    }

    private func commit() {
        isCommitRequested.store(false, ordering: .releasing)
        let storing = storing.value
        guard !storing.hasFailed else { return }
        takeBatches(from: 0, into: storing)
        do {
            try store(storing)
        } catch {
            // Never again: a repeated flush may succeed although the system has dropped the data of the first.
            storing.hasFailed = true
            return onFailure(error)
        }
        for loop in loops.indices where storing.sequences[loop] != storing.stored[loop] {
            storing.stored[loop] = storing.sequences[loop]
            let listener = loops[loop].state.withLock { $0.listener }
            listener?.changesWereStored(storing.sequences[loop])
        }
    }

    /// Takes the open batches of the loops from an index on, while it holds the locks of all loops before.
    private func takeBatches(from loop: Int, into storing: Storing) {
        guard loop < loops.count else { return }
        loops[loop].state.withLock { state in
            swap(&state.batch, &storing.batches[loop])
            storing.sequences[loop] = state.sequence
            takeBatches(from: loop + 1, into: storing)
        }
    }

    private func store(_ storing: Storing) throws {
        defer {
            for loop in loops.indices {
                scheduleLookup(storing.batches[loop].nextDueTime)
                storing.batches[loop].removeAll()
            }
        }
        let filled = loops.indices.filter { !storing.batches[$0].isEmpty }
        guard let first = filled.first else { return }
        guard filled.count > 1 else {
            return try storing.journal.commit(storing.batches[first], isFlushed: durability >= .disk)
        }
        var all = JournalBatch()
        for loop in filled { all.append(storing.batches[loop]) }
        try storing.journal.commit(all, isFlushed: durability >= .disk)
    }
}

// Stored sessions that become due.
extension JournalWriter {
    /// The maximum number of due sessions that are passed to the loops at once.
    private static let dueAtOnce = 1000

    /// Has the due sessions looked up at a time, unless that happens earlier.
    private func scheduleLookup(_ time: Int64?) {
        guard let time, time < storing.value.nextLookup else { return }
        storing.value.nextLookup = time
        let delay = max(0, time - wallClock().sinceBeginning / 1_000_000)
        executor.execute(after: .milliseconds(delay)) { [self] in
            // An earlier lookup may have been scheduled since, and has then scheduled this one again.
            guard storing.value.nextLookup == time else { return }
            storing.value.nextLookup = .max
            lookUpDue()
        }
    }

    private func lookUpDue() {
        let journal = storing.value.journal
        guard !storing.value.hasFailed,
            let due = try? journal.sessions(
                dueAt: wallClock().sinceBeginning / 1_000_000, limit: JournalWriter.dueAtOnce)
        else { return }
        for summary in due {
            let loop = summary.id.loop(of: loops.count)
            loops[loop].state.withLock { $0.listener }?.sessionIsDue(summary)
        }
        // The loops change the due sessions, so the rest is looked up a moment later.
        if due.count == JournalWriter.dueAtOnce {
            scheduleLookup(wallClock().sinceBeginning / 1_000_000 + 100)
        } else if let next = try? journal.nextDueTime() {
            scheduleLookup(max(next, wallClock().sinceBeginning / 1_000_000 + 1000))
        }
    }
}

/// What a loop learns from the writer, on the writer's thread.
struct JournalListener: Sendable {
    /// Receives the number of changes of the loop that are stored.
    let changesWereStored: @Sendable (UInt64) -> Void
    /// Receives a session that must be woken, has expired, or was remembered long enough after its end.
    let sessionIsDue: @Sendable (SessionSummary) -> Void
}

extension RequestDigest.Key {
    private static let property = "digest-key"

    /// Reads the key of a journal. A new journal gets a random one.
    fileprivate init(storedIn journal: any Journal) throws {
        if let stored = try journal.property(Self.property) {
            var reader = RecordReader(stored[...])
            guard let words = try? reader.digest(), reader.isAtEnd else {
                throw JournalError(
                    .damaged, "expected 16 bytes in the journal's property \"\(Self.property)\", got \(stored.count)")
            }
            self.init(low: words.low, high: words.high)
            return
        }
        self = .random()
        var writer = RecordWriter()
        writer.append(RequestDigest(low: low, high: high))
        var batch = JournalBatch()
        batch.add(.set(property: Self.property, value: writer.take()))
        try journal.commit(batch, isFlushed: true)
    }
}
