import HTTPModel
import Locking
import StateCapture

// The way of the loop's changes to the journal and back.
extension SessionShard {
    /// Connects a loop with the journal. Returns nil if no sessions are stored.
    static func journal(
        of loop: any EventLoop, in host: SessionHost, clock: LoopClock, recentTurns: RecentTurns?,
        for reference: BackReference
    ) -> TurnJournal? {
        guard let writer = host.journal else { return nil }
        let shard = UnsafeTransfer(reference)
        let batch = writer.addLoop(
            JournalListener(
                loop: loop.index, loopCount: loop.count,
                journalWasOpened: { loop.execute { shard.value.shard?.journalWasOpened() } },
                changesWereStored: { sequence in
                    loop.execute { shard.value.shard?.changesWereStored(upTo: sequence) }
                },
                sessionsAreDue: { due in loop.execute { shard.value.shard?.sessionsAreDue(due) } },
                snapshotWasRenewed: { id, covers in
                    loop.execute { shard.value.shard?.snapshotWasRenewed(of: id, upTo: covers) }
                },
                endSession: { summary, ended in
                    loop.execute {
                        guard let shard = shard.value.shard else { return ended(false) }
                        shard.end(summary, ended)
                    }
                },
                forgetEnd: { id in loop.execute { shard.value.shard?.sessions.forgetEnd(of: id) } },
                countEffects: { counted in loop.execute { counted(shard.value.shard?.awaitedEffects ?? 0) } },
                suspend: { suspended in
                    loop.execute {
                        shard.value.shard?.journal?.pause.begin(.suspension)
                        suspended()
                    }
                },
                resume: { loop.execute { shard.value.shard?.resume() } },
                journalIsUnavailable: { loop.execute { shard.value.shard?.journalIsUnavailable() } },
                leave: { loop.execute { shard.value.shard?.leave() } }))
        return TurnJournal(batch, of: writer, host: host, loop: loop, clock: clock, recentTurns: recentTurns)
    }

    /// Releases the turns and responses that waited for changes that are now stored: what there is time for, and the rest in later rounds.
    func changesWereStored(upTo sequence: UInt64) {
        loop.assertCurrent()
        guard let journal else { return }
        journal.advance(to: sequence)
        while let turn = journal.takeTurn() {
            turn.session.release(upTo: turn.version)
            if let place = turn.place { recentTurns?.release(place, to: turn.session.streams.count) }
            if let trace = turn.trace { host.spans?.recordCommit(of: turn, trace) }
            if turn.session.context.declaredEffects != nil { startEffects(of: turn.session, upTo: turn.sequence) }
            turn.session.context.declaredTopics?.publish(upTo: turn.sequence, of: turn.session)
            if let reason = turn.endReason { endWasStored(of: turn.session, reason) }
            if journal.hasStored, loop.isRoundOver { break }
        }
        while let promise = journal.takeResponse() {
            promise.release()
            if journal.hasStored, loop.isRoundOver { break }
        }
        if !pending.isEmpty { for waiting in pending.takeAll(.commit) { resume(waiting) } }
        if journal.pause.isBacklog { endBacklog() }
        guard journal.hasStored, !isReleaseScheduled else { return }
        isReleaseScheduled = true
        loop.execute { [shard = UnsafeTransfer(backReference)] in
            guard let shard = shard.value.shard else { return }
            shard.isReleaseScheduled = false
            shard.changesWereStored(upTo: sequence)
        }
    }

    private func endWasStored(of session: Session, _ reason: EndReason) {
        assert(session.isEndPending, "expected a session whose end was not stored")
        sessions.endWasStored(of: session)
        session.isEndPending = false
        session.endStreams(reason)
    }

    /// Notes that the writer has stored a snapshot of a session that may be in memory.
    func snapshotWasRenewed(of id: StoredSessionID, upTo row: UInt64) {
        loop.assertCurrent()
        guard let storage = sessions[id]?.storage, storage.lastRow == row else { return }
        storage.snapshotWasRenewed()
    }

    /// Stores the ledger of a session's tickets.
    func storeTickets(of session: Session) {
        loop.assertCurrent()
        if journal?.storeTickets(of: session) == true { snapshotIsDue(of: session) }
    }

    /// Returns the captured states of a new session, or of one that is restored.
    ///
    /// - Parameter states: The stored states; nil for a new session.
    func makeRegistry(restoring states: [String: ArraySlice<UInt8>]? = nil) -> StateRegistry {
        loop.assertCurrent()
        let registry =
            states.map { StateRegistry(restoring: $0, clockOffset: clock.offset, isOnLoop: isOnLoop) }
            ?? StateRegistry(clockOffset: clock.offset, isOnLoop: isOnLoop)
        registry.clock = clock.stored
        return registry
    }
}
