import Access
import HTTPModel
import Locking

// Requests for sessions that sleep.
extension SessionShard {
    /// Answers requests for a session that sleeps without its machine. Returns false if the machine is needed: for an input or
    /// the deletion, for large outputs, and for a session that another build has put to sleep.
    func answerAsleep(_ requests: [PendingRequest], _ session: LoadingSession, _ entry: JournalEntry?) -> Bool {
        loop.assertCurrent()
        // A session whose timer is due takes a turn, whoever reads it meanwhile.
        guard !session.isDue, !requests.isEmpty, let id = session.id,
            !requests.contains(where: { SessionShard.needsMachine($0) }),
            let entry, let summary = entry.snapshot?.summary, let view = view(of: entry, id)
        else { return false }
        view.streamCount = hibernation.slots[summary.id]?.streamCount ?? 0
        let asleep = SleepingSession(view, summary)
        for waiting in requests { resume(waiting, asleep: asleep) }
        let isUsed = requests.contains { $0.requester.sees(view.owner, view.storedID) }
        view.stop(.draining)
        if isUsed { noteUse(of: summary) }
        return true
    }

    private static func needsMachine(_ waiting: PendingRequest) -> Bool {
        // The use of a ticket is recorded in a row of the session.
        if case .ticket(let ticket) = waiting.requester, ticket.uses != nil { return true }
        return waiting.request.method == .post || waiting.request.method == .delete
    }

    /// Returns a stored session without its machine; nil if the machine is needed to know what clients see.
    private func view(of entry: JournalEntry, _ id: SessionID) -> Session? {
        guard let summary = entry.snapshot?.summary, !summary.hasEnded, sessions[summary.id] == nil,
            let machine = host.catalogue[summary.machine], machine.definition.hibernates,
            times.hibernateAfter != nil, var stored = try? StoredSession(entry, opening: host.seal), stored.isAsleep,
            stored.build == host.configuration.build,
            (try? stored.makeCompatible(with: machine.definition, in: host.configuration, now: clock.storedMilliseconds))
                == .unchanged,
            stored.shown.values.reduce(0, { $0 + $1.count }) <= SharedText.threshold / 2,
            stored.traps.quarantineEnd(now: clock.storedMilliseconds) == nil
        else { return nil }
        let view = Session(id: id, machine: machine, client: nil, shard: self, restoring: stored)
        view.show(stored)
        return view
    }

    /// Keeps a session that was read from expiring.
    private func noteUse(of summary: SessionSummary) {
        if let slot = hibernation.slots[summary.id] {
            slot.lastActivity = tick
            return
        }
        let lifetime = host.configuration.idleExpiry.wholeMilliseconds
        // A client that reads often does not cause a write each time.
        guard let expiry = summary.expiresAt, clock.storedMilliseconds + lifetime - expiry >= 1000 else { return }
        var later = summary
        later.usedAt = clock.storedMilliseconds
        later.expiresAt = later.usedAt + lifetime
        journal?.update(later)
    }
}

// Streams of sessions that sleep.
extension SessionShard {
    /// Moves a new stream to the slot of its session.
    func settle(_ stream: SessionStream, of asleep: SleepingSession) {
        loop.assertCurrent()
        let summary = asleep.summary
        let slot = hibernation.slots[summary.id] ?? DormantSession(of: asleep.session, summary, in: self)
        hibernation.slots[summary.id] = slot
        slot.count()
        stream.settle(in: slot)
    }

    /// Moves the streams of a slot to the session that was woken.
    func takeStreams(of id: StoredSessionID, to session: Session) {
        assert(session.storage?.id == id, "expected the session whose streams the slot has")
        guard let slot = hibernation.slots.removeValue(forKey: id) else { return }
        session.lastActivity = max(session.lastActivity, slot.lastActivity)
        slot.give(to: session)
        session.context.declaredTopics?.streamsChanged()
    }

    /// Removes a slot without streams.
    func release(_ slot: DormantSession) {
        guard hibernation.slots[slot.storedID] === slot else { return }
        assert(slot.streams.count == 0, "expected a slot without streams, got \(slot.streams.count)")
        hibernation.slots[slot.storedID] = nil
        let usedAt = clock.storedMilliseconds - Int64(tick - slot.lastActivity) * 1000
        journal?.update(
            slot.summary(usedAt: usedAt, expiresAt: usedAt + host.configuration.idleExpiry.wholeMilliseconds))
    }

    /// Ends the streams of all sessions that sleep.
    func endDormantStreams(_ reason: EndReason) {
        for slot in hibernation.slots.values {
            slot.streams.forEach { $0.end(reason) }
        }
    }

    /// Ends the streams of a session that sleeps when its end, which was just added, is stored.
    func endStreamsWhenStored(of id: StoredSessionID, _ ending: StoredEnd) {
        guard let slot = hibernation.slots[id] else { return }
        hibernation.slots[id] = nil
        let waiting = UnsafeTransfer((slot: slot, shard: backReference))
        host.journal?.withJournal { [loop] _ in
            loop.execute {
                waiting.value.shard.shard?.noteEnd(of: waiting.value.slot.id, ending)
                waiting.value.slot.streams.forEach { $0.end(.deleted) }
            }
        }
    }

    /// Schedules the next check of a slot's deadlines, if none is scheduled early enough.
    func scheduleCheck(of slot: DormantSession) {
        startSweeping()
        hibernation.buckets.schedule(slot.storedID, deadline: slot.nextDeadline(times), next: &slot.nextCheck)
    }

    /// Performs what is due for the streams of sessions that sleep.
    func checkDormant(_ now: Tick) {
        while let due = hibernation.buckets.takeDue(before: now) {
            for id in due {
                guard let slot = hibernation.slots[id], slot.nextCheck == hibernation.buckets.now else { continue }
                slot.performDue(now: now, times)
                if slot.streamCount > 0 {
                    slot.nextCheck = hibernation.buckets.insert(id, deadline: slot.nextDeadline(times))
                }
            }
        }
    }
}
