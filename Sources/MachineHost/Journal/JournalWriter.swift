import Locking
import Synchronization

/// Collects the changes of all sessions, and stores them in batches on a thread of its own.
///
/// Each loop has an open batch. The writer takes the open batches of all loops together, so that no stored session shows
/// an effect of another session's turn that was lost. While it stores a batch, the loops fill the next one: a busy server
/// stores many turns at once, and a quiet one stores each turn without a delay.
///
/// A writer begins without a journal, so that a server can accept connections while the process before it still has the
/// journal. Requests for sessions wait until the journal is open.
public final class JournalWriter: Sendable {
    /// Whether the journal can be used.
    enum Phase: UInt8, AtomicRepresentable {
        /// The journal is not open yet.
        case opening
        case open
        /// The journal was closed, for example because another process continues the sessions.
        case closed
    }

    /// What a stored batch survives.
    public let durability: Durability
    /// What the sessions of machines survive that request nothing.
    public let defaultDurability: Durability
    let executor: any JournalExecutor
    let wallClock: @Sendable () -> WallTime
    let onFailure: @Sendable (any Error) -> Void
    private let onTrap: @Sendable (TrapReport) -> Void
    let currentPhase = Atomic(Phase.opening)
    let nextRow = Atomic<UInt64>(0)
    private let isCommitRequested = Atomic(false)
    let loops = Lock<[OpenBatch]>([])
    private let key = Lock<RequestDigest.Key?>(nil)
    private let slots = Lock<TurnSlots?>(nil)
    private let checks = Lock<[@Sendable (any Journal) throws -> Void]>([])
    private let isSpaceLow = Atomic(false)
    /// Responds to requests when the sessions are with another process; nil if nothing does.
    let forwarding = Lock<Forwarding?>(nil)
    /// The number of suspensions that were requested. Loops are notified of a suspension or its end while it is locked.
    let suspensions = Lock(0)
    let generationBits = Atomic<UInt64>(0)
    let bootID: @Sendable () -> String?
    /// The free bytes of the disk below which inputs are refused.
    private let reserve: Int64
    let limits = Lock(StoredSession.Limits())
    let seal = Lock(SessionSeal())
    /// Used on the writer's thread only.
    let thread = UnsafeTransfer(WriterThread())

    /// Creates a writer without a journal.
    ///
    /// - Parameters:
    ///   - durability: What stored sessions survive. The journal must guarantee it.
    ///   - preset: What the sessions of machines survive that request no durability of their own; nil for the same.
    ///   - executor: The writer's thread.
    ///   - reserve: The free bytes of the disk below which inputs are refused, so that what was accepted can be stored.
    ///   - wallClock: Returns the time of day.
    ///   - bootID: Returns the name of the system's run since it was started; nil if it is not known.
    ///   - onFailure: Receives the error of a commit. Nothing is stored or acknowledged afterwards, so the process must
    ///     end, and its successor recovers the sessions.
    ///   - onTrap: Receives each turn that ended a process before, when the journal is opened.
    public init(
        durability: Durability = .disk, byDefault preset: Durability? = nil, executor: any JournalExecutor,
        reserve: Int64 = 0, wallClock: @escaping @Sendable () -> WallTime = WallTime.now,
        bootID: @escaping @Sendable () -> String? = SystemBoot.id,
        onFailure: @escaping @Sendable (any Error) -> Void, onTrap: @escaping @Sendable (TrapReport) -> Void = { _ in }
    ) {
        self.durability = durability
        defaultDurability = preset ?? durability
        self.executor = executor
        self.reserve = reserve
        self.wallClock = wallClock
        self.bootID = bootID
        self.onFailure = onFailure
        self.onTrap = onTrap
    }

    /// What only the writer's thread uses.
    final class WriterThread {
        var journal: (any Journal)?
        var hasFailed = false
        /// The batches that are being stored; emptied and reused.
        var batches: [JournalBatch] = []
        /// The number of commits since the last maintenance.
        var commits = 0
        /// The number of commits that have stored something.
        var storedCommits: UInt64 = 0
        /// Whether it is scheduled to look whether the journal is idle.
        var isTidyingScheduled = false
        /// When the free space was last looked at, in milliseconds since 1970.
        var spaceLookup: Int64 = 0
        var isSpaceLookupScheduled = false
        /// The time at which due sessions are looked up next, in milliseconds since 1970.
        var nextLookup = Int64.max
        /// The time before which no session expires, in milliseconds since 1970.
        var firstExpiry = Int64.min
    }

    /// The changes of one loop that are not being stored yet.
    final class OpenBatch: Sendable {
        struct State {
            var batch = JournalBatch()
            /// The number of changes that were ever added.
            var sequence: UInt64 = 0
        }

        let listener: JournalListener
        // Locked rather than confined to the loop, because the writer takes the batches of all loops at one moment.
        let state = Lock(State())
        /// The sequence that was last reported to the loop. Used on the writer's thread only.
        let reported = Atomic<UInt64>(0)

        init(_ listener: JournalListener) {
            self.listener = listener
        }

        /// Adds a change.
        ///
        /// - Returns: The number of changes that the loop has added so far, including this one.
        func add(_ add: (inout JournalBatch) -> Void) -> UInt64 {
            state.withLock { state in
                add(&state.batch)
                state.sequence += 1
                return state.sequence
            }
        }
    }

    var phase: Phase { currentPhase.load(ordering: .acquiring) }

    /// The secret key for the digests of idempotency keys, which is the same in all processes; nil before the journal is
    /// open.
    var digestKey: RequestDigest.Key? { key.withLock { $0 } }

    /// The memory for turns in progress; nil before the journal is open, or without such memory.
    var turnSlots: TurnSlots? { slots.withLock { $0 } }

    /// What encrypts and decrypts stored sessions.
    package var sessionSeal: SessionSeal { seal.withLock { $0 } }

    /// Sets the limits of what a session remembers, and what encrypts sessions. Called once, by the host.
    func use(_ limits: StoredSession.Limits, _ seal: SessionSeal) {
        self.limits.withLock { $0 = limits }
        self.seal.withLock { $0 = seal }
    }

    /// Returns the open batch of a new loop.
    func addLoop(_ listener: JournalListener) -> OpenBatch {
        let batch = OpenBatch(listener)
        loops.withLock { $0.append(batch) }
        return batch
    }

    /// Has a journal checked when it is opened. An error keeps it from being used.
    func addCheck(_ check: @escaping @Sendable (any Journal) throws -> Void) {
        checks.withLock { $0.append(check) }
    }

    /// Whether the disk has so little room that inputs are refused, while what was accepted can still be stored.
    var lacksSpace: Bool { isSpaceLow.load(ordering: .relaxed) }

    /// Returns the number of a new row. The journal must be open.
    func makeRowNumber() -> UInt64 { nextRow.add(1, ordering: .relaxed).oldValue }

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
}

// The beginning and the end.
extension JournalWriter {
    /// The time after the opening in which no session expires, in milliseconds.
    // A session that somebody only reads leaves no trace in the journal. Its clients must have time to connect again.
    private static let patienceForClients: Int64 = 30_000
    /// The time between two attempts to open a journal that another process holds.
    private static let retryInterval = Duration.milliseconds(5)

    /// Opens the journal on the writer's thread.
    ///
    /// - Parameters:
    ///   - patience: How long to try again while another process holds the journal.
    ///   - slots: Returns the memory for turns in progress; nil if they are not noted. Called when the journal is open, so that no
    ///     other process uses the memory.
    ///   - confirm: Called when the journal is open and fit, before any session is used: waits until the process before will
    ///     not continue the sessions.
    ///   - open: Opens the journal. Called again after an error of the kind `held`.
    ///   - opened: Receives nil when the journal is open, or the error.
    public func open(
        patience: Duration = .zero, slots: @escaping @Sendable () throws -> TurnSlots? = { nil },
        confirm: @escaping @Sendable () throws -> Void = {},
        _ open: @escaping @Sendable () throws -> any Journal, opened: @escaping @Sendable ((any Error)?) -> Void
    ) {
        executor.execute { [self] in
            do {
                try use(try open(), slots, confirm)
                opened(nil)
            } catch let error as JournalError where error.kind == .held && patience > .zero {
                executor.execute(after: Self.retryInterval) { [self] in
                    self.open(
                        patience: patience - Self.retryInterval, slots: slots, confirm: confirm, open, opened: opened)
                }
            } catch {
                opened(error)
            }
        }
    }

    private func use(_ journal: any Journal, _ slots: () throws -> TurnSlots?, _ confirm: () throws -> Void) throws {
        guard journal.guarantee >= durability else {
            throw JournalError(
                .unsupported, "expected a journal for \(durability.rawValue), got one for \(journal.guarantee.rawValue)"
            )
        }
        for check in checks.withLock({ $0 }) { try check(journal) }
        let digestKey = try RequestDigest.Key(storedIn: journal)
        try makeDurable(journal)
        try renewGeneration(of: journal)
        key.withLock { $0 = digestKey }
        nextRow.store(try journal.lastNumber() + 1, ordering: .relaxed)
        if let slots = try slots() {
            try record(slots.trapped, in: journal)
            self.slots.withLock { $0 = slots }
        }
        try confirm()
        thread.value.journal = journal
        thread.value.firstExpiry = wallMilliseconds + JournalWriter.patienceForClients
        currentPhase.store(.open, ordering: .releasing)
        for loop in loops.withLock({ $0 }) { loop.listener.journalWasOpened() }
        lookAtSpace()
        scheduleLookup(try journal.nextDueTime())
        // The process before may have left rows that nobody needs.
        scheduleTidying()
    }

    /// Stores which sessions have ended a process, with the responses to their last requests.
    private func record(_ trapped: [TrappedTurn], in journal: any Journal) throws {
        var batch = JournalBatch()
        for turn in trapped {
            guard let entry = try journal.load(turn.session), let snapshot = entry.snapshot,
                !snapshot.summary.hasEnded, var stored = try? StoredSession(entry, opening: seal.withLock { $0 })
            else { continue }
            let incident = Incident.random()
            let record = TurnRecord(turn, incident: incident, version: stored.version, time: wallMilliseconds)
            batch.append(
                session: turn.session, number: makeRowNumber(), previous: entry.rows.last?.number ?? snapshot.covers,
                wakesAt: entry.rows.last.map(\.wakesAt) ?? snapshot.summary.wakesAt
            ) { record.append(to: &$0) }
            stored.apply(record)
            onTrap(
                TrapReport(
                    incident: incident, session: turn.session, machine: stored.machine,
                    isQuarantined: stored.traps.quarantineEnd(now: wallMilliseconds) != nil))
        }
        try journal.commit(batch, isFlushed: durability >= .disk)
    }

    /// Makes durable what the process before has written.
    // It may have ended between writing and flushing. Clients would see what the loss of power could still undo.
    func makeDurable(_ journal: any Journal) throws {
        guard durability >= .disk else { return }
        var batch = JournalBatch()
        var writer = RecordWriter()
        writer.append(signed: wallMilliseconds)
        batch.add(.set(property: "opened", value: writer.take()))
        try journal.commit(batch, isFlushed: true)
    }

    /// Stores what has been added, and closes the journal. From then on, sessions take no turns in this process.
    ///
    /// - Parameter closed: Called on the writer's thread when another process may open the journal.
    public func close(_ closed: @escaping @Sendable () -> Void) {
        currentPhase.store(.closed, ordering: .releasing)
        executor.execute { [self] in
            commit()
            do {
                try thread.value.journal?.close()
            } catch {
                onFailure(error)
            }
            thread.value.journal = nil
            closed()
        }
    }
}

// Commits.
extension JournalWriter {
    func commit() {
        isCommitRequested.store(false, ordering: .releasing)
        let thread = thread.value
        guard let journal = thread.journal, !thread.hasFailed else { return }
        let loops = loops.withLock { $0 }
        while thread.batches.count < loops.count { thread.batches.append(JournalBatch()) }
        var sequences = Array(repeating: UInt64(0), count: loops.count)
        JournalWriter.takeBatches(of: loops, from: 0, &thread.batches, &sequences)
        do {
            try store(thread.batches, in: journal)
        } catch {
            // Never again: a repeated flush may succeed although the system has dropped the data of the first.
            thread.hasFailed = true
            return onFailure(error)
        }
        if thread.batches.contains(where: { !$0.isEmpty }) {
            thread.storedCommits += 1
            scheduleTidying()
        }
        for (index, loop) in loops.enumerated() {
            scheduleLookup(thread.batches[index].nextDueTime)
            thread.batches[index].removeAll()
            guard loop.reported.exchange(sequences[index], ordering: .relaxed) != sequences[index] else { continue }
            loop.listener.changesWereStored(sequences[index])
        }
        if wallMilliseconds - thread.spaceLookup >= JournalWriter.spaceInterval { lookAtSpace() }
        requestMaintenance()
    }

    /// Takes the open batches of the loops from an index on, while it holds the locks of the loops before.
    private static func takeBatches(
        of loops: [OpenBatch], from index: Int, _ batches: inout [JournalBatch], _ sequences: inout [UInt64]
    ) {
        guard index < loops.count else { return }
        loops[index].state.withLock { state in
            swap(&state.batch, &batches[index])
            sequences[index] = state.sequence
            takeBatches(of: loops, from: index + 1, &batches, &sequences)
        }
    }

    private func store(_ batches: [JournalBatch], in journal: any Journal) throws {
        let filled = batches.filter { !$0.isEmpty }
        guard let first = filled.first else { return }
        guard filled.count > 1 else { return try journal.commit(first, isFlushed: durability >= .disk) }
        var all = JournalBatch()
        for batch in filled { all.append(batch) }
        try journal.commit(all, isFlushed: durability >= .disk)
    }
}

// The disk.
extension JournalWriter {
    /// The milliseconds between two looks at the free space.
    private static let spaceInterval: Int64 = 1000

    private func lookAtSpace() {
        thread.value.spaceLookup = wallMilliseconds
        guard reserve > 0, let journal = thread.value.journal, let free = try? journal.freeBytes() else { return }
        let isLow = free < reserve
        isSpaceLow.store(isLow, ordering: .relaxed)
        guard isLow, !thread.value.isSpaceLookupScheduled else { return }
        // Without inputs there are no commits, which would find that the disk has room again.
        thread.value.isSpaceLookupScheduled = true
        executor.execute(after: .milliseconds(JournalWriter.spaceInterval)) { [self] in
            thread.value.isSpaceLookupScheduled = false
            lookAtSpace()
        }
    }
}

// For operators.
extension JournalWriter {
    /// Ends a session, which may be in memory. The closure receives whether it was ended, on the session's loop; it is not
    /// called if no loop is running.
    func end(_ summary: SessionSummary, _ ended: @escaping @Sendable (Bool) -> Void) {
        let loops = loops.withLock { $0 }
        guard !loops.isEmpty else { return ended(false) }
        let index = summary.id.loop(of: loops.count)
        loops.first { $0.listener.loop == index }?.listener.endSession(summary, ended)
    }
}

/// What a loop learns from the writer, on the writer's thread.
struct JournalListener: Sendable {
    /// The index of the loop.
    let loop: Int
    /// Called when the journal is open.
    let journalWasOpened: @Sendable () -> Void
    /// Receives the number of changes of the loop that are stored.
    let changesWereStored: @Sendable (UInt64) -> Void
    /// Receives a session that must be woken, has expired, or was remembered long enough after its end.
    let sessionIsDue: @Sendable (SessionSummary) -> Void
    /// Ends a session for an operator, and reports whether it was ended.
    let endSession: @Sendable (SessionSummary, @escaping @Sendable (Bool) -> Void) -> Void
    /// Reports the number of effects that wait for an answer.
    let countEffects: @Sendable (@escaping @Sendable (Int) -> Void) -> Void
    /// Stops turns, and reports that the loop adds no more changes.
    let suspend: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Continues with turns.
    let resume: @Sendable () -> Void
    /// Called when another process continues the sessions.
    let leave: @Sendable () -> Void
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
