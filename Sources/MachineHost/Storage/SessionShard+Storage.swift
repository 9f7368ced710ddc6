import HTTPModel
import Locking
import Log
import StateCapture

// What sessions write to the journal.
extension SessionShard {
    /// Returns the stored side of a new session; nil if its machine's sessions end with the process.
    func makeStorage(for machine: RegisteredMachine, _ id: SessionID) -> SessionStorage? {
        guard machine.durability > .memory else { return nil }
        let registry = StateRegistry(clockOffset: clockOffset, isOnLoop: isOnLoop)
        registry.clock = clock
        registry.seed = host.configuration.stateSeed
        return SessionStorage(id: StoredSessionID(of: id), registry: registry)
    }

    /// Stores a new session, and the key of its request with the response.
    ///
    /// - Throws: The error of a state that cannot be encoded.
    func storeCreation(of session: Session, keyed creation: KeyedCreation? = nil) throws {
        guard let storage = session.storage, let openBatch else { return }
        assert(!storage.isStored, "expected a session that is not stored")
        assert(storage.lastRow == 0, "expected to store a session before its turns, got row \(storage.lastRow)")
        var states: [UInt8] = []
        // The first capture contains every state.
        try appendStates(of: session, storage, to: &states)
        let effects = session.context.declaredEffects
        let events = try effects?.takeEvents() ?? []
        let stored = StoredSession(session, states: states, effects: events, now: storedMilliseconds)
        let content = host.seal.content(of: stored, storage.id)
        let summary = summary(of: session, hasEnded: false)
        let snapshot = SessionSnapshot(summary: summary, covers: storage.lastRow, content: content)
        storage.wakesAt = summary.wakesAt
        storage.lastInput = stored.lastInput
        storage.isStored = true
        let (note, now) = (creation.map { self.note(of: $0, session) }, storedMilliseconds)
        session.lastSequence = openBatch.add { batch in
            batch.add(.store(snapshot))
            guard let note else { return }
            batch.add(.removeNotes(until: now))
            batch.add(.note(note))
        }
        holdUntilStored(session, session.lastSequence, byteCount: content.count)
        guard let effects, effects.hasUnrecorded else { return }
        effects.turnWasRecorded(as: session.lastSequence)
    }

    /// Stores a session that was migrated or put back, before its first turn.
    func store(_ stored: StoredSession, of session: Session, after fit: StoredSession.Fit) {
        guard let storage = session.storage, let openBatch else { return }
        let snapshot = SessionSnapshot(
            summary: summary(of: session, hasEnded: false), covers: storage.lastRow,
            content: host.seal.content(of: stored, storage.id))
        holdUntilStored(session, openBatch.add { $0.add(.store(snapshot)) }, byteCount: snapshot.content.count)
        host.log(
            .info, fit == .migrated ? "session migrated" : "session put back to its state before a migration",
            [
                "session": .text(session.id.hash), "machine": .text(session.machineKind.definition.name),
                "version": .number(stored.stateVersion),
            ])
    }

    /// Stores the turn of a request with a key, with the remembered response.
    ///
    /// - Parameter response: The remembered response; nil if the key was given up.
    func recordKeyed(
        _ turn: EndedTurn, of session: Session, _ key: RequestDigest, _ request: RequestDigest, response: [UInt8]?
    ) {
        guard let response else { return record(turn, of: session) }
        let (change, isLarge): (ArraySlice<UInt8>?, Bool) =
            switch turn.outcome {
            case .changed(let data): (buffers.change[data], false)
            case .changedLarge: (nil, true)
            case .unchanged, .failed: (nil, false)
            }
        // Most responses follow from the change, which the row contains anyway. That to a large change does not contain all of it.
        let isImplied = !isLarge && response == StoredSession.result(version: session.version, change: change)
        record(
            turn, of: session,
            keyed: TurnRecord.KeyedResponse(key: key, request: request, response: isImplied ? nil : response[...]))
    }

    /// Stores a turn: its change, its changed states and, if it answered a request with a key, the response.
    func record(
        _ ended: EndedTurn, of session: Session, keyed: TurnRecord.KeyedResponse? = nil
    ) {
        guard let storage = session.storage, let openBatch, session.endReason == nil else { return }
        assert(!session.isInTurn, "expected a turn that has ended")
        var states = buffers.states.take()
        defer { buffers.states.recycle(&states) }
        let effects = session.context.declaredEffects
        var events: [EffectEvent] = []
        do {
            try appendStates(of: session, storage, to: &states)
            if let effects { events = try effects.takeEvents() }
        } catch {
            _ = fail(session, error)
            return
        }
        var record = makeRecord(of: session)
        switch ended.outcome {
        case .unchanged, .failed: break
        case .changed(let data): record.change = buffers.change[data]
        case .changedLarge(let change): record.change = change.changedOutputs[...]
        }
        record.trigger = ended.turn.trigger
        if record.trigger.isInput { storage.lastInput = record.time }
        record.states = states[...]
        record.effects = events
        record.keyed = keyed
        record.trace = ended.trace?.link
        if let sender = ended.turn.sender { record.sender = session.record(sender) }
        let wakesAt = wakeTime(of: session)
        // A scheduled turn that changed nothing leaves nothing to restore, unless the session must be woken earlier.
        if record.isEmpty, wakesAt ?? .max >= storage.wakesAt ?? .max { return }
        write(record, of: session, storage, openBatch, wakesAt: wakesAt)
        effects?.turnWasRecorded(as: session.lastSequence)
        renewSnapshotIfDue(of: session, storage)
    }

    /// Appends the states that have changed, and measures the session if their memory has.
    private func appendStates(of session: Session, _ storage: SessionStorage, to states: inout [UInt8]) throws {
        let estimate = storage.registry.byteCount
        defer { if storage.registry.byteCount != estimate { session.noteRetainedBytes() } }
        _ = try storage.registry.appendChanges(to: &states)
    }

    private func makeRecord(of session: Session) -> TurnRecord {
        TurnRecord(nanoseconds: storedNanoseconds, wallLead: clock.wallLead, version: session.version)
    }

    /// Returns when a session has something to do by itself, in milliseconds since 1970; nil if it has not.
    func wakeTime(of session: Session) -> Int64? {
        let effects = session.context.declaredEffects?.wakesAt
        guard let due = session.context.scheduler.nextDue else { return effects }
        return min(due.wholeNanoseconds.addingClamped(clockOffset) / 1_000_000, effects ?? .max)
    }

    /// Postpones what is stored about a session that is in memory, where its own timers and deadlines count.
    func postponeStored(_ session: Session) {
        guard let storage = session.storage, let openBatch else { return }
        var summary = summary(of: session, hasEnded: false)
        // Only a row tells the next process when to wake the session, once the snapshot does not.
        if let wakesAt = summary.wakesAt, storage.rowsSinceSnapshot == 0 || wakesAt != storage.wakesAt {
            write(makeRecord(of: session), of: session, storage, openBatch, wakesAt: wakesAt)
        }
        summary.wakesAt = nil
        _ = openBatch.add { $0.add(.update(summary)) }
        requestFlush()
    }

    /// Stores what a session remembers of its tickets.
    func storeTickets(of session: Session) {
        guard let storage = session.storage, let openBatch, session.endReason == nil else { return }
        var record = makeRecord(of: session)
        record.tickets = session.ownership.tickets
        write(record, of: session, storage, openBatch, wakesAt: wakeTime(of: session))
        renewSnapshotIfDue(of: session, storage)
    }

    private func write(
        _ record: TurnRecord, of session: Session, _ storage: SessionStorage, _ openBatch: JournalWriter.OpenBatch,
        wakesAt: Int64?
    ) {
        let number = host.journal?.makeRowNumber() ?? 0
        let seal = session.machineKind.definition.secrets.isEmpty ? nil : host.seal
        var size = 0
        let sequence = openBatch.add { batch in
            batch.append(session: storage.id, number: number, previous: storage.lastRow, wakesAt: wakesAt) { bytes in
                let start = bytes.count
                record.append(to: &bytes)
                seal?.seal(&bytes, from: start, .row, of: storage.id)
                size = bytes.count - start
            }
        }
        storage.lastRow = number
        storage.wakesAt = wakesAt
        storage.isStoredAsleep = false
        storage.rowsSinceSnapshot += 1
        storage.bytesSinceSnapshot += size
        let trace = record.trace.map { heldTrace($0, hasChange: record.change != nil) }
        holdUntilStored(session, sequence, byteCount: size, trace: trace)
    }

    /// Stores that a session has ended, so that clients learn it from the next process, too.
    func storeEnd(of session: Session, _ reason: EndReason) {
        guard let storage = session.storage, storage.isStored, let openBatch else { return }
        assert(session.endReason != nil, "expected a session that has ended")
        let snapshot = SessionSnapshot(
            summary: summary(of: session, hasEnded: true), covers: storage.lastRow,
            content: StoredEnd(reason, of: session).content)
        let sequence = openBatch.add { $0.add(.store(snapshot)) }
        sessions.endIsBeingStored(of: session, as: sequence)
        session.isEndPending = true
        holdUntilStored(session, sequence, endReason: reason, byteCount: 0)
    }

    func summary(of session: Session, hasEnded: Bool) -> SessionSummary {
        let now = storedMilliseconds
        let isInUse = hasEnded || !session.streams.isEmpty
        let usedAt = isInUse ? now : now - Int64(tick - session.lastActivity) * 1000
        let lifetime = hasEnded ? host.configuration.endedWindow : host.configuration.idleExpiry
        return SessionSummary(
            id: session.storage?.id ?? StoredSessionID(of: session.id), machine: session.machineKind.definition.name,
            version: session.version, createdAt: session.created.seconds * 1000, usedAt: usedAt,
            expiresAt: usedAt + lifetime.wholeMilliseconds, wakesAt: hasEnded ? nil : wakeTime(of: session),
            hasEnded: hasEnded, owner: session.owner.map { SessionOwner($0) }, name: session.context.creation?.name)
    }

    /// Keeps what the change made visible until it is stored.
    private func holdUntilStored(
        _ session: Session, _ sequence: UInt64, endReason: EndReason? = nil, byteCount: Int,
        trace: OutputGate.HeldTrace? = nil
    ) {
        assert(sequence >= session.lastSequence, "expected a change from \(session.lastSequence) on, got \(sequence)")
        session.lastSequence = sequence
        gate.hold(
            OutputGate.HeldTurn(
                sequence: sequence, session: session, version: session.version, endReason: endReason,
                byteCount: byteCount, trace: trace))
        if gate.waitingBytes > SessionShard.mostWaitingBytes { hold.insert(.backlog) }
        requestFlush()
    }
}

// The way of a batch to the journal and back.
extension SessionShard {
    /// How long a busy loop adds to its open batch.
    private static let longestBatch = Duration.microseconds(500)

    /// Has the open batch stored as soon as the loop has no other request.
    // Not at once: all turns that are about to run share one flush of the disk.
    func requestFlush() {
        loop.assertCurrent()
        guard !isFlushRequested, let writer = host.journal else { return }
        isFlushRequested = true
        loop.executeWhenIdle(orAfter: SessionShard.longestBatch) { [backReference = UnsafeTransfer(backReference)] in
            backReference.value.shard?.isFlushRequested = false
            writer.requestCommit()
        }
    }

    /// Connects the shard with the journal.
    func listenToJournal() {
        guard let writer = host.journal else { return }
        let shard = UnsafeTransfer(backReference)
        openBatch = writer.addLoop(
            JournalListener(
                loop: loop.index, loopCount: loop.count,
                journalWasOpened: { [loop] in loop.execute { shard.value.shard?.journalWasOpened() } },
                changesWereStored: { [loop] sequence in
                    loop.execute { shard.value.shard?.changesWereStored(upTo: sequence) }
                },
                sessionsAreDue: { [loop] due in loop.execute { shard.value.shard?.sessionsAreDue(due) } },
                snapshotWasRenewed: { [loop] id, covers in
                    loop.execute { shard.value.shard?.snapshotWasRenewed(of: id, upTo: covers) }
                },
                endSession: { [loop] summary, ended in
                    loop.execute {
                        guard let shard = shard.value.shard else { return ended(false) }
                        shard.end(summary, ended)
                    }
                },
                forgetEnd: { [loop] id in loop.execute { shard.value.shard?.sessions.forgetEnd(of: id) } },
                countEffects: { [loop] counted in loop.execute { counted(shard.value.shard?.awaitedEffects ?? 0) } },
                suspend: { [loop] suspended in
                    loop.execute {
                        shard.value.shard?.hold.insert(.suspension)
                        suspended()
                    }
                },
                resume: { [loop] in loop.execute { shard.value.shard?.resume() } },
                leave: { [loop] in loop.execute { shard.value.shard?.leave() } }))
        // The shard of a loop is created with its first request, which may come after the journal was opened.
        if writer.phase == .open { journalWasOpened() }
    }

    /// Releases what waited for changes that are now stored.
    func changesWereStored(upTo sequence: UInt64) {
        loop.assertCurrent()
        gate.advance(to: sequence)
        releaseStored()
    }

    /// Releases what there is time for, and the rest in later rounds.
    private func releaseStored() {
        while let turn = gate.takeTurn() {
            release(turn)
            if gate.hasStored, loop.isRoundOver { break }
        }
        while let (response, promise) = gate.takeResponse() {
            promise.fulfil(response)
            if gate.hasStored, loop.isRoundOver { break }
        }
        if pending.contains(.commit) { for waiting in pending.takeAll(.commit) { resume(waiting) } }
        endBacklog()
        guard gate.hasStored, !gate.isReleaseScheduled else { return }
        gate.isReleaseScheduled = true
        loop.execute { [shard = UnsafeTransfer(backReference)] in
            shard.value.shard?.gate.isReleaseScheduled = false
            shard.value.shard?.releaseStored()
        }
    }

    private func release(_ turn: OutputGate.HeldTurn) {
        turn.session.release(upTo: turn.version)
        if let trace = turn.trace { recordStored(turn, trace) }
        startEffects(of: turn.session, upTo: turn.sequence)
        guard let reason = turn.endReason else { return }
        sessions.endWasStored(of: turn.session)
        turn.session.isEndPending = false
        turn.session.endStreams(reason)
    }
}
