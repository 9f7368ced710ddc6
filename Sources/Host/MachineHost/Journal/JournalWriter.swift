public import HTTPModel
import Locking
import StateCapture
import Synchronization
import Telemetry

/// Collects the changes of all sessions, and stores them in batches on a thread of its own.
///
/// Each loop has an open batch. The writer takes the open batches of all loops together, so that no stored session shows
/// an effect of another session's turn that was lost. While it stores a batch, the loops fill the next one: a busy server
/// stores many turns together, and a quiet one stores each turn without a delay.
///
/// A writer begins without a journal, so that a server can accept connections while the process before it still has the
/// journal. Requests for sessions wait until the journal is open.
public final class JournalWriter: Sendable {
    /// Whether the journal can be used.
    enum Phase: UInt8, AtomicRepresentable {
        case opening
        case open
        /// The journal was closed, for example because another process continues the sessions.
        case closed
    }

    /// The durability of a stored batch.
    public let durability: Durability
    /// The durability of the sessions of machines that request none.
    public let defaultDurability: Durability
    /// Whether a commit is flushed to the disk.
    let isFlushed: Bool
    let executor: any JournalExecutor
    let wallClock: @Sendable () -> WallTime
    let uptime: @Sendable () -> MonotonicTime
    /// The clock of what is stored. It continues that of the process before when the journal is opened.
    let clock: StoredClock
    let onFailure: @Sendable (any Error) -> Void
    let onTrap: @Sendable (TrapReport) -> Void
    let returnMemory: @Sendable () -> Void
    let currentPhase = Atomic(Phase.opening)
    let nextRow = Atomic<UInt64>(1)
    let isCommitRequested = Atomic(false)
    let loops = Lock<[OpenBatch]>([])
    /// The loops of the server by their indices; nil for one that has not been added.
    private let listeners = Lock<[JournalListener?]>([])
    let key = Lock<RequestDigest.Key?>(nil)
    let slots = Lock<TurnSlots?>(nil)
    let checks = Lock<[@Sendable (any Journal) throws -> Void]>([])
    let isSpaceLow = Atomic(false)
    let isUnavailable = Atomic(false)
    /// Responds to requests when the sessions are with another process; nil if the requests are refused.
    let forwarding = Lock<Forwarding?>(nil)
    /// The number of suspensions that were requested. Loops are notified of a suspension or its end while it is locked.
    let suspensions = Lock(0)
    let generationBits = Atomic<UInt64>(0)
    let bootID: @Sendable () -> String?
    let limits = Lock(StoredSession.Limits())
    let seal = Lock(SessionSeal())
    /// The sessions and bytes that clients have stored; nil before a host exists.
    let quotas = Lock<HostQuotas?>(nil)
    /// Used on the writer's thread only.
    let thread: UnsafeTransfer<WriterThread>

    /// Creates a writer without a journal.
    ///
    /// - Parameters:
    ///   - durability: The durability of stored sessions, which the journal must guarantee.
    ///   - preset: The durability of the sessions of machines that request none; nil for the same.
    ///   - executor: The writer's thread.
    ///   - reserve: The free bytes of the disk below which inputs are refused, so that what was accepted can be stored.
    ///   - wallClock: Returns the time of day, which may be set while the server runs.
    ///   - uptime: Returns the time since the system was started, which measures all stored spans. Event loops may use another clock
    ///     if it runs as fast.
    ///   - bootID: Returns the name of the system's run since it was started; nil if it is not known.
    ///   - onFailure: Receives the error of a commit. Nothing is stored or acknowledged afterwards, so the process must
    ///     end, and its successor recovers the sessions.
    ///   - onTrap: Receives each turn that ended a process before, when the journal is opened.
    ///   - returnMemory: Called on the writer's thread some seconds after many sessions have gone to sleep, which leaves much unused
    ///     memory in the heap.
    public init(
        durability: Durability = .disk, byDefault preset: Durability? = nil, executor: any JournalExecutor,
        reserve: Int64 = 0, wallClock: @escaping @Sendable () -> WallTime = WallTime.now,
        uptime: @escaping @Sendable () -> MonotonicTime = SystemBoot.uptime,
        bootID: @escaping @Sendable () -> String? = SystemBoot.id,
        onFailure: @escaping @Sendable (any Error) -> Void, onTrap: @escaping @Sendable (TrapReport) -> Void = { _ in },
        returnMemory: @escaping @Sendable () -> Void = {}
    ) {
        self.durability = durability
        isFlushed = durability >= .disk
        defaultDurability = preset ?? durability
        self.executor = executor
        thread = UnsafeTransfer(WriterThread(space: FreeSpace(reserve: reserve)))
        self.wallClock = wallClock
        self.uptime = uptime
        clock = StoredClock {
            Int64(truncatingIfNeeded: uptime().nanoseconds)
        } wallTime: {
            wallClock().sinceBeginning
        }
        self.bootID = bootID
        self.onFailure = onFailure
        self.onTrap = onTrap
        self.returnMemory = returnMemory
    }

    /// The state that only the writer's thread uses.
    final class WriterThread {
        /// The journal; nil unless it is open.
        var journal: (any Journal)? {
            didSet {
                // Here and not where they are used: a dynamic cast is slow.
                maintainedJournal = journal as? any MaintainedJournal
                verifiedJournal = journal as? any VerifiedJournal
                fileJournal = journal as? any FileJournal
            }
        }
        /// The journal, if it needs maintenance.
        private(set) var maintainedJournal: (any MaintainedJournal)?
        /// The journal, if others can take it away.
        private(set) var verifiedJournal: (any VerifiedJournal)?
        /// The journal, if it has files.
        private(set) var fileJournal: (any FileJournal)?
        let cells = MetricCells()
        let commitTimes: Histogram
        var hasFailed = false
        /// The batches that are being stored; emptied and reused.
        var batches: [JournalBatch] = []
        /// The number of commits since the last maintenance.
        var commits = 0
        var space: FreeSpace
        /// The clock as the journal contains it.
        var anchor = ClockAnchor(boot: nil, offset: 0, wallLead: 0, reached: 0)
        /// The number of commits that have stored something.
        var storedCommits: UInt64 = 0
        /// Whether it is scheduled to look whether the journal is idle.
        var isTidyingScheduled = false
        var isVerificationScheduled = false
        /// The number of sessions that have gone to sleep since memory was last returned to the system.
        var sleepers = 0
        var fallingAsleep = FallingAsleep()
        /// Whether it is scheduled to return memory.
        var isReturnScheduled = false
        /// The stored time at which due sessions are looked up next, in milliseconds.
        var nextLookup = Int64.max
        /// The stored time before which no session expires, in milliseconds.
        var firstExpiry = Int64.min

        init(space: FreeSpace) {
            self.space = space
            commitTimes = cells.histogram(.commits)
        }
    }

    var phase: Phase { currentPhase.load(ordering: .acquiring) }

    /// The secret key for the digests of idempotency keys, which is the same in all processes; nil before the journal is
    /// open.
    var digestKey: RequestDigest.Key? { key.withLock { $0 } }

    /// The memory for turns in progress; nil before the journal is open, or without such memory.
    var turnSlots: TurnSlots? { slots.withLock { $0 } }

    /// The seal that encrypts and decrypts stored sessions.
    package var sessionSeal: SessionSeal { seal.withLock { $0 } }

    /// Sets the limits of what a session remembers, the seal that encrypts sessions, and the quotas that count them. Called once, by the
    /// host.
    func use(_ limits: StoredSession.Limits, _ seal: SessionSeal, _ quotas: HostQuotas) {
        self.limits.withLock { $0 = limits }
        self.seal.withLock { $0 = seal }
        self.quotas.withLock { $0 = quotas }
    }

    func addLoop(_ listener: JournalListener) -> OpenBatch {
        assert(
            (0..<listener.loopCount).contains(listener.loop),
            "expected one of \(listener.loopCount) loops, got \(listener.loop)")
        let batch = OpenBatch(listener)
        loops.withLock { $0.append(batch) }
        listeners.withLock { listeners in
            // The number of loops is the server's, not that of those added so far: a session has one loop from the beginning.
            if listeners.count != listener.loopCount { listeners = Array(repeating: nil, count: listener.loopCount) }
            // A loop of a restarted server has a new shard.
            listeners[listener.loop] = listener
        }
        // Until now, due sessions had no loop.
        if hasAllLoops { executor.execute { [self] in lookUpDue() } }
        return batch
    }

    /// Whether all loops of the server have been added.
    var hasAllLoops: Bool { listeners.withLock { !$0.isEmpty && $0.allSatisfy { $0 != nil } } }

    /// Returns the loop of a session; nil if it has not been added.
    func listener(of id: StoredSessionID) -> JournalListener? {
        listeners.withLock { $0.isEmpty ? nil : $0[id.loop(of: $0.count)] }
    }

    /// Adds a check of each journal that is opened, on the writer's thread. An error keeps the journal from being used.
    package func addCheck(_ check: @escaping @Sendable (any Journal) throws -> Void) {
        checks.withLock { $0.append(check) }
    }

    /// Whether the disk has so little room that inputs are refused, while what was accepted can still be stored.
    var lacksSpace: Bool { isSpaceLow.load(ordering: .relaxed) }

    /// Returns the number of a new row. The journal must be open.
    func makeRowNumber() -> UInt64 {
        let number = nextRow.add(1, ordering: .relaxed).oldValue
        assert(number > 0, "expected a number from 1 on, because 0 stands for no row")
        return number
    }

    /// Stores the open batches soon. May be called from any thread.
    func requestCommit() {
        // One request until the commit begins, however many loops ask.
        guard !isCommitRequested.exchange(true, ordering: .acquiringAndReleasing) else { return }
        executor.execute { [self] in commit() }
    }

    /// Runs a closure with the journal on the writer's thread, after everything that was added before has been stored.
    /// Without a journal, the closure receives nil.
    package func withJournal(_ body: @escaping @Sendable ((any Journal)?) -> Void) {
        executor.execute { [self] in
            commit()
            body(thread.value.journal)
        }
    }

    /// Ends a session, which may be in memory. The closure receives whether it was ended, on the session's loop if it runs.
    func end(_ summary: SessionSummary, _ ended: @escaping @Sendable (Bool) -> Void) {
        guard let listener = listener(of: summary.id) else { return ended(false) }
        listener.endSession(summary, ended)
    }
}
