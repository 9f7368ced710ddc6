import Locking
import StateCapture
import Synchronization

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
    ///   - patience: The time for which to try again while another process holds the journal.
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
        try continueClock(of: journal)
        try storeClock(in: journal)
        try renewGeneration(of: journal)
        key.withLock { $0 = digestKey }
        nextRow.store(try journal.lastNumber() + 1, ordering: .relaxed)
        if let slots = try slots() {
            try record(slots.trapped, in: journal)
            self.slots.withLock { $0 = slots }
        }
        try confirm()
        thread.value.journal = journal
        thread.value.firstExpiry = storedMilliseconds + JournalWriter.patienceForClients
        currentPhase.store(.open, ordering: .releasing)
        for loop in loops.withLock({ $0 }) { loop.listener.journalWasOpened() }
        lookAtSpace()
        if let due = try journal.nextDueTime() { scheduleLookup(due) }
        // The process before may have left rows that nobody needs.
        if !thread.value.isTidyingScheduled { scheduleTidying() }
        scheduleVerification()
        countStored(after: nil)
    }

    /// Stores which sessions have ended a process, with the responses to their last requests.
    private func record(_ trapped: [TrappedTurn], in journal: any Journal) throws {
        var batch = JournalBatch()
        for turn in trapped {
            // A session that cannot be read must not keep all others from being restored.
            guard let entry = try? journal.load(turn.session), let snapshot = entry.snapshot,
                !snapshot.summary.hasEnded, var stored = try? StoredSession(entry, opening: seal.withLock { $0 })
            else { continue }
            let incident = Incident.random()
            var record = TurnRecord(turn, incident: incident, version: stored.version, time: storedMilliseconds)
            record.wallLead = clock.wallLead
            batch.append(
                session: turn.session, number: makeRowNumber(), previous: entry.rows.last?.number ?? snapshot.covers,
                wakesAt: entry.rows.last.map(\.wakesAt) ?? snapshot.summary.wakesAt
            ) { record.append(to: &$0) }
            stored.apply(record)
            onTrap(
                TrapReport(
                    incident: incident, session: turn.session, machine: stored.machine,
                    isQuarantined: stored.traps.quarantineEnd(now: storedMilliseconds) != nil))
        }
        try journal.commit(batch, isFlushed: isFlushed)
    }

    /// Stores the clock. At the opening, this also makes durable what the process before has written.
    // That process may have ended between writing and flushing. Clients would see what the loss of power could still undo.
    func storeClock(in journal: any Journal) throws {
        var batch = JournalBatch()
        addClock(to: &batch)
        try journal.commit(batch, isFlushed: isFlushed)
    }

    /// Stores what has been added, and closes the journal. From then on, sessions take no turns in this process.
    ///
    /// - Parameter closed: Called on the writer's thread when another process may open the journal.
    public func close(_ closed: @escaping @Sendable () -> Void) {
        currentPhase.store(.closed, ordering: .releasing)
        executor.execute { [self] in
            commit()
            storeAllAsleep()
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
