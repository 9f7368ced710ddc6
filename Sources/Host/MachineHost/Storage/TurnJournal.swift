import CombineCore
import HTTPModel
import Locking
import Log
import StateCapture
import Telemetry

/// The changes that the sessions of a loop add to the journal, and everything that waits until they are stored: nothing that depends on
/// a turn leaves the server before the turn survives. Confined to its loop.
final class TurnJournal {
    /// The maximum number of bytes that may wait for the journal. Beyond it, turns wait.
    static let maxWaitingBytes = 4 << 20
    /// The time for which a busy loop adds to its open batch.
    private static let maxBatchDuration = Duration.microseconds(500)
    /// The number of sessions that are stored as a whole together. Each alone would make a journal write as many pages.
    private static let snapshotsAtOnce = 8

    // Unchecked exclusivity: see `Session`.
    /// The reasons for which the turns of stored sessions wait, and the work that waits meanwhile.
    @exclusivity(unchecked) var pause = TurnPause()
    /// The number of changes of this loop that are stored.
    @exclusivity(unchecked) private(set) var stored: UInt64 = 0
    /// The bytes of all turns that are not stored.
    @exclusivity(unchecked) private(set) var waitingBytes = 0
    @exclusivity(unchecked) private var turns = Queue<UncommittedTurn>()
    @exclusivity(unchecked) private var responses = Queue<UncommittedResponse>()
    /// Whether the batch will be stored as soon as the loop has nothing else to do.
    @exclusivity(unchecked) private var isFlushRequested = false
    /// The sessions that will be stored as a whole.
    private var dueSnapshots: [StoredSessionID] = []
    private var states = ReusableBuffer(keeping: 2 * SharedText.threshold)
    /// The changes that are not being stored yet.
    private let batch: JournalWriter.OpenBatch
    private let writer: JournalWriter
    private let host: SessionHost
    private let loop: any EventLoop
    private let clock: LoopClock
    /// What operators learn of turns in addition; nil if turns are not measured.
    private let recentTurns: RecentTurns?

    init(
        _ batch: JournalWriter.OpenBatch, of writer: JournalWriter, host: SessionHost, loop: any EventLoop,
        clock: LoopClock, recentTurns: RecentTurns?
    ) {
        (self.batch, self.writer, self.host, self.loop, self.clock) = (batch, writer, host, loop, clock)
        self.recentTurns = recentTurns
    }

    /// A turn that is not stored yet. Streams may send its change when it is.
    struct UncommittedTurn {
        let sequence: UInt64
        let session: Session
        /// The version after the turn.
        let version: UInt64
        /// The reason for which the session ended with the turn.
        let endReason: EndReason?
        /// The bytes that it added to the journal, and those of the values of topics that it has sent.
        let byteCount: Int
        /// The span of the turn; nil if it belongs to no sampled trace.
        let trace: UncommittedTrace?
        /// Its place in ``RecentTurns``; nil if it is not there.
        let place: Int?
    }

    /// The span of a turn that is not stored yet.
    // A class, so that a turn without a trace holds a nil reference only.
    final class UncommittedTrace {
        /// The span of the turn.
        let context: TraceContext
        /// The time at which it was added to the batch, in nanoseconds of Unix time.
        let start: UInt64
        /// Whether the turn has changed outputs.
        let hasChange: Bool

        fileprivate init(_ context: TraceContext, from start: UInt64, hasChange: Bool) {
            (self.context, self.start, self.hasChange) = (context, start, hasChange)
        }
    }

    /// A response that depends on changes, up to a number, that are not stored yet.
    private struct UncommittedResponse {
        let sequence: UInt64
        /// Holds the response.
        let promise: DeferredResponse
    }
}

// What is stored.
extension TurnJournal {
    /// Stores a new session.
    ///
    /// - Parameter note: Returns the key of its request with the response; nil if the request has no key.
    /// - Throws: The error of a state that cannot be encoded.
    func storeCreation(of session: Session, _ note: () -> JournalNote?) throws {
        loop.assertCurrent()
        guard let storage = session.storage else { return }
        assert(!storage.isStored, "expected a session that is not stored")
        assert(storage.lastRow == 0, "expected to store a session before its turns, got row \(storage.lastRow)")
        var states: [UInt8] = []
        // The first capture contains every state.
        try session.appendChangedStates(to: &states)
        let effects = session.context.declaredEffects
        let events = try effects?.takeEvents() ?? []
        let now = clock.storedMilliseconds
        let stored = StoredSession(session, states: states, effects: events, now: now)
        let snapshot = snapshot(of: session, storage, stored)
        storage.wakesAt = snapshot.summary.wakesAt
        storage.lastInput = stored.lastInput
        storage.isStored = true
        let note = note()
        let sequence = batch.add { batch in
            batch.add(.store(snapshot))
            guard let note else { return }
            batch.add(.removeNotes(until: now))
            batch.add(.note(note))
        }
        hold(session, until: sequence, byteCount: snapshot.content.count)
        guard let effects, effects.hasUnrecorded else { return }
        effects.turnWasRecorded(as: sequence)
    }

    /// Stores a session that was migrated or put back, before its first turn.
    func store(_ stored: StoredSession, of session: Session, after compatibility: StoredSession.Compatibility) {
        guard let storage = session.storage else { return }
        let snapshot = snapshot(of: session, storage, stored)
        hold(session, until: batch.add { $0.add(.store(snapshot)) }, byteCount: snapshot.content.count)
        host.log(
            .info, compatibility == .migrated ? "session migrated" : "session put back to its state before a migration",
            [
                "session": .text(session.id.hash), "machine": .text(session.machineKind.definition.name),
                "version": .number(stored.stateVersion),
            ])
    }

    /// Stores a turn.
    ///
    /// - Parameters:
    ///   - change: The changed outputs; nil if no output has changed.
    ///   - states: The changed states.
    ///   - keyed: The response, if the turn answered a request with a key.
    /// - Returns: Whether a snapshot of the session is due.
    func record(
        _ cause: TurnCause, _ ended: borrowing EndedTurn, of session: Session, change: consuming ArraySlice<UInt8>?,
        states: consuming ArraySlice<UInt8>, keyed: consuming TurnRecord.KeyedResponse?
    ) -> Bool {
        guard let storage = session.storage else { return false }
        assert(!session.isInTurn, "expected a turn that has ended")
        var record = TurnRecord(of: session, at: clock)
        record.trigger = cause.trigger
        // Moved there, not copied.
        (record.change, record.states, record.keyed) = (change, states, keyed)
        record.effects = ended.effects
        record.trace = ended.trace?.link
        if record.trigger.isInput { storage.lastInput = record.time }
        if let sender = cause.sender { record.sender = session.record(sender) }
        let wakesAt = session.wakesAt
        // A scheduled turn that changed nothing leaves nothing to restore, unless the session must be woken earlier.
        if record.isEmpty, wakesAt ?? .max >= storage.wakesAt ?? .max {
            // A replay must know that the numbers of values begin again.
            guard record.trigger == .resumed, session.context.declaredTopics?.topicInUse != nil else { return false }
        }
        let isSnapshotDue = write(
            record, of: session, storage, wakesAt: wakesAt, cause: RecentTurns.Cause(cause), took: ended.nanoseconds)
        session.context.declaredEffects?.turnWasRecorded(as: session.lastSequence)
        return isSnapshotDue
    }

    /// Stores the ledger of a session's tickets. Returns whether a snapshot of the session is due.
    func storeTickets(of session: Session) -> Bool {
        guard let storage = session.storage, session.endReason == nil else { return false }
        var record = TurnRecord(of: session, at: clock)
        record.tickets = session.ownership.tickets
        return write(record, of: session, storage, wakesAt: session.wakesAt)
    }

    /// Postpones what is stored about a session that is in memory, where its own timers and deadlines count.
    func postpone(_ session: Session) {
        guard let storage = session.storage else { return }
        var summary = SessionSummary(of: session)
        // Only a row tells the next process when to wake the session, once the snapshot does not.
        if let wakesAt = summary.wakesAt, storage.rowsSinceSnapshot == 0 || wakesAt != storage.wakesAt {
            _ = write(TurnRecord(of: session, at: clock), of: session, storage, wakesAt: wakesAt)
        }
        summary.wakesAt = nil
        update(summary)
    }

    /// Stores that a session has ended, so that clients learn it from the next process, too.
    ///
    /// - Returns: The number of the change; nil if the session is not stored.
    func storeEnd(of session: Session, _ reason: EndReason) -> UInt64? {
        guard let storage = session.storage, storage.isStored else { return nil }
        assert(session.endReason != nil, "expected a session that has ended")
        let snapshot = SessionSnapshot(
            summary: SessionSummary(of: session, hasEnded: true), covers: storage.lastRow,
            content: StoredEnd(reason, of: session).content)
        let sequence = batch.add { $0.add(.store(snapshot)) }
        hold(session, until: sequence, endReason: reason, byteCount: 0)
        return sequence
    }

    /// Stores a snapshot for which nothing waits.
    func store(_ snapshot: SessionSnapshot) {
        _ = batch.add { $0.add(.store(snapshot)) }
        requestFlush()
    }

    /// Stores the times of a session.
    func update(_ summary: SessionSummary) {
        _ = batch.add { $0.add(.update(summary)) }
        requestFlush()
    }

    /// Adds a row to the batch. Returns whether the session has taken enough turns since it was stored as a whole.
    ///
    /// - Parameters:
    ///   - cause: The cause of the turn.
    ///   - nanoseconds: Its duration; nil for a row that is not of a turn, and if turns are not measured.
    private func write(
        _ record: TurnRecord, of session: Session, _ storage: SessionStorage, wakesAt: Int64?,
        cause: RecentTurns.Cause = .scheduled, took nanoseconds: UInt64? = nil
    ) -> Bool {
        assert(session.storage === storage, "expected the storage of the session")
        let number = writer.makeRowNumber()
        let seal = session.machineKind.definition.secrets.isEmpty ? nil : host.seal
        var size = 0
        let sequence = batch.add { batch in
            batch.append(session: storage.id, number: number, previous: storage.lastRow, wakesAt: wakesAt) { bytes in
                let start = bytes.count
                record.append(to: &bytes)
                seal?.seal(&bytes, from: start, .row, of: storage.id)
                size = bytes.count - start
            }
        }
        storage.wasWritten(row: number, wakesAt: wakesAt, byteCount: size)
        let trace = record.trace.map {
            UncommittedTrace($0.context, from: host.spans?.now ?? 0, hasChange: record.change != nil)
        }
        var place: Int?
        if let recentTurns, let nanoseconds {
            place = recentTurns.append(
                .init(
                    session: storage.id.low, number: number, version: record.change == nil ? 0 : record.version,
                    nanoseconds: nanoseconds, time: record.wallTime, cause: cause, streams: nil))
        }
        hold(session, until: sequence, byteCount: size, trace: trace, place: place)
        // Single members: a copy of the configuration retains each of its parts.
        return storage.rowsSinceSnapshot >= host.configuration.turnsPerSnapshot
            || storage.bytesSinceSnapshot >= host.configuration.bytesPerSnapshot
    }

    /// Requests a commit of the batch, as soon as the loop has no other request.
    // Not immediately: all turns that are about to run share one flush of the disk.
    private func requestFlush() {
        loop.assertCurrent()
        guard !isFlushRequested else { return }
        isFlushRequested = true
        loop.executeWhenIdle(orAfter: TurnJournal.maxBatchDuration) { [journal = UnsafeTransfer(self)] in
            journal.value.isFlushRequested = false
            journal.value.writer.requestCommit()
        }
    }

    /// Exchanges the changes that are not being stored for those of a batch, for a replay. Returns the number of changes so far.
    func exchange(_ batch: inout JournalBatch) -> UInt64 {
        assert(batch.isEmpty, "expected a batch without changes in exchange")
        return self.batch.state.withLock { state in
            swap(&state.batch, &batch)
            return state.sequence
        }
    }
}

// Snapshots of sessions that are in memory.
extension TurnJournal {
    /// Notes that a snapshot of a session is due. Returns the sessions of which one must be stored now.
    ///
    /// A session waits for others, for an eighth of the turns between two snapshots.
    func snapshotIsDue(of storage: SessionStorage) -> [StoredSessionID] {
        loop.assertCurrent()
        if !storage.isSnapshotDue {
            storage.isSnapshotDue = true
            dueSnapshots.append(storage.id)
        }
        let (turns, bytes) = (host.configuration.turnsPerSnapshot, host.configuration.bytesPerSnapshot)
        let isLate =
            storage.rowsSinceSnapshot - turns >= turns / 8 || storage.bytesSinceSnapshot - bytes >= bytes / 8
        guard isLate || dueSnapshots.count >= TurnJournal.snapshotsAtOnce else { return [] }
        defer { dueSnapshots.removeAll(keepingCapacity: true) }
        return dueSnapshots
    }

    /// Stores a session as a whole, without the rows that led to it.
    func renewSnapshot(of session: Session) {
        guard let storage = session.storage else { return }
        storage.snapshotWasRenewed()
        guard let snapshot = snapshot(of: session, storage) else {
            return writer.renewSnapshot(of: SessionSummary(of: session))
        }
        store(snapshot)
    }

    /// Returns the snapshot of a session after its last row; nil if only the journal has all of it.
    // Reading and applying its rows would cost the writer as much for each input as storing the row.
    private func snapshot(of session: Session, _ storage: SessionStorage) -> SessionSnapshot? {
        guard storage.isComplete, session.endReason == nil, !session.isInTurn, session.large == nil else { return nil }
        // Of values that have arrived since its last turn, the states may have what the outputs do not show. They would not show it after
        // a crash either.
        if session.board?.awaitsTurn == true { return nil }
        if let effects = session.context.declaredEffects, !effects.hasNothingStored { return nil }
        var states = states.take()
        defer { self.states.recycle(&states) }
        // A state that cannot be encoded ends the session with the turn that changes it.
        guard (try? storage.registry.appendAll(to: &states)) != nil else { return nil }
        let now = clock.storedMilliseconds
        var stored = StoredSession(session, states: states, effects: [], now: now)
        stored.lastInput = storage.lastInput
        // A session in memory removes what is outdated later, when it is used.
        stored.trim(to: host.configuration.storedLimits, at: now)
        return snapshot(of: session, storage, stored)
    }

    private func snapshot(
        of session: Session, _ storage: SessionStorage, _ stored: StoredSession
    ) -> SessionSnapshot {
        SessionSnapshot(
            summary: SessionSummary(of: session), covers: storage.lastRow,
            content: host.seal.content(of: stored, storage.id))
    }
}

// What waits until it is stored.
extension TurnJournal {
    /// Whether something waits for changes that are stored by now.
    var hasStored: Bool {
        turns.withFirst { $0.sequence <= stored } ?? false || responses.withFirst { $0.sequence <= stored } ?? false
    }

    /// The number of changes of this loop that are stored, and whose turns are released.
    var released: UInt64 { turns.withFirst { min(stored, $0.sequence - 1) } ?? stored }

    /// Holds a response until a number of changes is stored and released. Returns its promise.
    ///
    /// - Parameter promise: The promise that the client already has; nil if it has none.
    func hold(
        _ response: HTTPResponse, until sequence: UInt64, promised promise: DeferredResponse?
    ) -> DeferredResponse {
        loop.assertCurrent()
        assert(sequence > released, "expected a response to a change after \(released), got \(sequence)")
        promise?.hold(response)
        let promise = promise ?? DeferredResponse(holding: response)
        responses.append(UncommittedResponse(sequence: sequence, promise: promise))
        return promise
    }

    /// Keeps what a change made visible until it is stored.
    private func hold(
        _ session: Session, until sequence: UInt64, endReason: EndReason? = nil, byteCount: Int,
        trace: UncommittedTrace? = nil, place: Int? = nil
    ) {
        assert(sequence > stored, "expected a change after \(stored), which is stored, got \(sequence)")
        assert(sequence >= session.lastSequence, "expected a change from \(session.lastSequence) on, got \(sequence)")
        session.lastSequence = sequence
        // What a turn has sent waits, too, and is in no row.
        let byteCount = byteCount + (session.context.declaredTopics?.unrecordedBytes ?? 0)
        turns.append(
            UncommittedTurn(
                sequence: sequence, session: session, version: session.version, endReason: endReason,
                byteCount: byteCount, trace: trace, place: place))
        waitingBytes += byteCount
        if waitingBytes > TurnJournal.maxWaitingBytes { pause.begin(.backlog) }
        requestFlush()
    }

    /// Notes that changes are stored.
    func advance(to sequence: UInt64) {
        loop.assertCurrent()
        stored = max(stored, sequence)
    }

    /// Removes and returns the next turn that is stored.
    func takeTurn() -> UncommittedTurn? {
        loop.assertCurrent()
        guard turns.withFirst({ $0.sequence <= stored }) ?? false, let turn = turns.removeFirst() else { return nil }
        waitingBytes -= turn.byteCount
        assert(
            waitingBytes >= 0 && (waitingBytes == 0 || !turns.isEmpty),
            "expected the bytes of \(turns.count) turns, got \(waitingBytes)")
        return turn
    }

    /// Removes the next response whose changes are stored and released to the streams, and returns the promise that holds it.
    // Responses wait in the order of their requests. One that depends on an older change than the one before it waits
    // a little longer than necessary, which keeps this a queue.
    func takeResponse() -> DeferredResponse? {
        loop.assertCurrent()
        guard responses.withFirst({ $0.sequence <= released }) ?? false else { return nil }
        return responses.removeFirst()?.promise
    }

    /// Removes the next response that waits, whether or not its changes are stored, and returns the promise that holds it.
    func takeWaitingResponse() -> DeferredResponse? {
        loop.assertCurrent()
        return responses.removeFirst()?.promise
    }
}

/// The stored side of a session that outlives its process. Confined to the session's loop.
final class SessionStorage {
    // Unchecked exclusivity: see `Session`.
    /// The id under which the session is stored.
    let id: StoredSessionID
    /// The state of the machine.
    let registry: StateRegistry
    /// The number of the session's last row; 0 before the first one.
    @exclusivity(unchecked) fileprivate(set) var lastRow: UInt64 = 0
    /// The stored time at which the session must be woken according to its last row or snapshot, in milliseconds; nil if it need
    /// not be woken.
    @exclusivity(unchecked) fileprivate(set) var wakesAt: Int64?
    /// Whether the session is stored as one that sleeps, and nothing was stored since.
    @exclusivity(unchecked) private(set) var isStoredAsleep = false
    /// Whether the session and its registry contain everything that a snapshot does. If not, the writer makes snapshots of the one
    /// before and the rows after it.
    // Small properties together, so that they share a word.
    let isComplete: Bool
    /// Whether the journal knows the session.
    fileprivate(set) var isStored = false
    /// Whether the session waits for others to be stored as a whole.
    @exclusivity(unchecked) fileprivate(set) var isSnapshotDue = false
    /// The stored time of the last input, in milliseconds.
    @exclusivity(unchecked) fileprivate var lastInput: Int64 = 0
    /// The size of the rows since the last snapshot.
    @exclusivity(unchecked) private(set) var bytesSinceSnapshot = 0
    /// The number of rows since the last snapshot.
    @exclusivity(unchecked) private(set) var rowsSinceSnapshot = 0

    /// Creates the stored side of a new session.
    init(id: StoredSessionID, registry: StateRegistry) {
        (self.id, self.registry, isComplete) = (id, registry, true)
    }

    /// Creates the stored side of a session that is restored.
    ///
    /// - Parameters:
    ///   - stored: The session.
    ///   - entry: The session as it is stored, with its rows.
    ///   - isUnchanged: Whether it is continued as it was stored.
    ///   - build: This build.
    init(
        id: StoredSessionID, registry: StateRegistry, restoring stored: StoredSession, from entry: JournalEntry,
        _ snapshot: SessionSnapshot, isUnchanged: Bool, build: String
    ) {
        (self.id, self.registry) = (id, registry)
        isComplete = stored.preMigrationState == nil && stored.traps.times.isEmpty && isUnchanged
        lastRow = entry.rows.last?.number ?? snapshot.covers
        wakesAt = entry.rows.last.map(\.wakesAt) ?? snapshot.summary.wakesAt
        isStored = true
        isStoredAsleep = stored.isAsleep && isUnchanged && stored.build == build
        lastInput = stored.lastInput
    }

    /// Notes a new row.
    fileprivate func wasWritten(row: UInt64, wakesAt: Int64?, byteCount: Int) {
        assert(row > lastRow, "expected a row after \(lastRow), got \(row)")
        assert(byteCount > 0, "expected a row with content, got \(byteCount) bytes")
        assert(
            rowsSinceSnapshot > 0 || bytesSinceSnapshot == 0,
            "expected no bytes without rows, got \(bytesSinceSnapshot)")
        lastRow = row
        self.wakesAt = wakesAt
        isStoredAsleep = false
        rowsSinceSnapshot += 1
        bytesSinceSnapshot += byteCount
    }

    /// Notes that the session was stored as a whole.
    func snapshotWasRenewed() {
        rowsSinceSnapshot = 0
        bytesSinceSnapshot = 0
        isSnapshotDue = false
    }
}
