public import MachineHost

/// A journal in memory with faults: it crashes, loses what was not flushed, is slow, full, broken, or refuses to open.
///
/// A commit may be divided into ``begin(_:isFlushed:)`` and ``complete()``, so that a test decides when a slow flush ends and what
/// happens meanwhile.
public final class SimulatedJournal: Journal {
    private enum State {
        case open
        /// A batch was written; a test has not completed the commit yet.
        case committing(isFlushed: Bool, fault: JournalFaults.Fault?)
        case crashed
        case refusing(JournalError)
    }

    /// The durability of a committed batch, which survives a loss of power if it was flushed.
    public let guarantee = Durability.disk
    /// Called in each commit when the batch is written and not yet flushed, for a test that lets a thread wait there.
    public var beforeFlush: (() -> Void)?

    private var disk: SimulatedDisk
    private var state = State.open
    private var content: JournalContent
    /// The batches that were acknowledged although nothing of them was written.
    private var unwritten: [JournalBatch] = []

    /// Creates an empty journal.
    public convenience init(faults: JournalFaults = JournalFaults()) {
        self.init(SimulatedDisk(faults))
    }

    private init(_ disk: SimulatedDisk) {
        self.disk = disk
        content = disk.content
    }

    /// Whether the simulated process has ended. The host that used the journal must be discarded.
    public var hasCrashed: Bool {
        if case .crashed = state { true } else { false }
    }

    /// The number of commits that were begun, also before the journal was reopened.
    public var commits: Int { disk.commits }

    /// Ends the simulated process now. All calls but ``reopened(after:)`` throw from now on.
    public func crash() {
        state = .crashed
    }

    /// Returns the journal that a new process finds. The process that used this one has ended.
    ///
    /// - Parameter loss: What was lost.
    /// - Throws: `JournalError` if the faults say that opening fails; another attempt may succeed.
    public func reopened(after loss: JournalLoss) throws -> SimulatedJournal {
        state = .crashed
        if !disk.faults.openings.isEmpty {
            let kind = disk.faults.openings.removeFirst()
            throw JournalError(kind, "expected to open the journal, but the simulation refuses it")
        }
        if loss == .power { disk.tear() }
        return SimulatedJournal(disk)
    }

    /// Stores a batch, completely or not at all.
    ///
    /// - Throws: ``SimulatedCrash`` if the process ends meanwhile, or `JournalError`.
    public func commit(_ batch: JournalBatch, isFlushed: Bool) throws {
        try begin(batch, isFlushed: isFlushed)
        beforeFlush?()
        try complete()
    }

    /// Writes a batch, which is neither flushed nor acknowledged before ``complete()`` returns.
    public func begin(_ batch: JournalBatch, isFlushed: Bool) throws {
        try requireOpen()
        disk.commits += 1
        let fault = disk.faults.commits[disk.commits]
        switch fault {
        case .crashBeforeWriting:
            state = .crashed
            throw SimulatedCrash()
        case .full:
            throw refuse(.full)
        default:
            break
        }
        content.apply(batch)
        if disk.faults.acknowledgesEarly {
            for late in unwritten { disk.write(late) }
            unwritten = [batch]
        } else {
            disk.write(batch)
        }
        state = .committing(isFlushed: isFlushed, fault: fault)
    }

    /// Completes the commit that was begun: it is acknowledged when this returns.
    public func complete() throws {
        guard case .committing(let isFlushed, let fault) = state else {
            try requireOpen()
            throw JournalError(.unsupported, "expected a commit in progress, but none was begun")
        }
        state = .open
        switch fault {
        case .crashAfterWriting:
            state = .crashed
            throw SimulatedCrash()
        case .inputOutput:
            if isFlushed { disk.tear() } else { disk.discardLast() }
            throw refuse(.inputOutput)
        case .crashAfterFlushing:
            if isFlushed { disk.flush() }
            state = .crashed
            throw SimulatedCrash()
        default:
            if isFlushed { disk.flush() }
        }
    }

    /// Returns a session with the rows after its snapshot, oldest first; nil if it is not stored.
    public func load(_ session: StoredSessionID) throws -> JournalEntry? {
        try requireUsable()
        return content.load(session)
    }

    /// Returns the summary of a session; nil if it is not stored.
    public func summary(of session: StoredSessionID) throws -> SessionSummary? {
        try requireUsable()
        return content.summary(of: session)
    }

    /// Returns the greatest number of a row that was stored; 0 if none exists.
    public func lastNumber() throws -> UInt64 {
        try requireUsable()
        return content.lastNumber
    }

    /// Returns the summaries of stored sessions whose ids follow a given one, in the order of the ids.
    public func sessions(after id: StoredSessionID?, limit: Int) throws -> [SessionSummary] {
        try requireUsable()
        return content.sessions(after: id, limit: limit)
    }

    /// Returns the session of a machine with a name that has not ended; nil if none exists.
    public func session(named name: SessionName, of machine: String) throws -> StoredSessionID? {
        try requireUsable()
        return content.session(named: name, of: machine)
    }

    /// Returns the sessions that must be woken or have expired, by time.
    public func sessions(dueAt time: Int64, limit: Int) throws -> [SessionSummary] {
        try requireUsable()
        return content.sessions(dueAt: time, limit: limit)
    }

    /// Returns the time of the first session that must be woken or expires; nil if none exists.
    public func nextDueTime() throws -> Int64? {
        try requireUsable()
        return content.nextDueTime()
    }

    /// Returns a named value of the journal itself; nil if it was never set.
    public func property(_ name: String) throws -> [UInt8]? {
        try requireUsable()
        return content.property(name)
    }

    /// Returns the note with a key; nil if it is not stored.
    public func note(_ key: JournalNoteKey) throws -> JournalNote? {
        try requireUsable()
        return content.note(key)
    }

    /// Flushes everything. Later calls throw, but the journal may be reopened.
    public func close() throws {
        try requireOpen()
        for late in unwritten { disk.write(late) }
        disk.flush()
        state = .refusing(JournalError(.closed, "expected an open journal, but it was closed"))
    }

    /// Throws unless the journal may be read. It may also be read while a commit is in progress.
    private func requireUsable() throws {
        if case .committing = state { return }
        try requireOpen()
    }

    private func requireOpen() throws {
        switch state {
        case .open: return
        case .committing: throw JournalError(.unsupported, "expected no commit in progress, but one was begun")
        case .crashed: throw SimulatedCrash()
        case .refusing(let error): throw error
        }
    }

    private func refuse(_ kind: JournalError.Kind) -> JournalError {
        let error = JournalError(kind, "expected the commit to succeed, but the simulation fails it")
        state = .refusing(
            JournalError(.closed, "expected a usable journal, but an earlier call failed: \(error.detail)"))
        return error
    }
}
