import Access
import HTTPModel
import Log
import StateCapture

// Sessions that are stored, but not in memory.
extension SessionShard {
    /// Answers the requests that waited for the journal.
    func journalWasOpened() {
        turns.note(in: host.journal?.turnSlots?.slot(ofLoop: loop.index))
        releaseHeld()
    }

    /// Finds a session that is not in memory under its id, is hidden from the requester, or is looked up for earlier requests. Returns nil
    /// if it does not exist for the requester.
    ///
    /// - Parameter isKnown: Whether it is in memory.
    func locateStored(
        _ id: SessionID, isKnown: Bool, for request: HTTPRequest, _ context: inout RequestContext
    ) -> HTTPAnswer? {
        // A session of somebody else is looked up like an unknown one, so that both take the same time.
        guard host.journal != nil, isKnown || visibleEnd(of: id, to: context.requester) == nil else { return nil }
        let stored = StoredSessionID(of: id)
        if !isBehindLookUp(of: id, request), let woken = sessions[stored],
            context.requester.sees(woken.owner, woken.storedID)
        {
            // A timer has woken it: until now, nobody in this process knew its id.
            rename(woken, id)
            context.session = woken
            return nil
        }
        let waiting = PendingRequest(request, context, resumingAt: .perform)
        // Where nobody has credentials, nobody can be refused a session.
        if access.isGuarded || isKnown || sessions[stored] != nil {
            lookUp(id, stored, for: waiting)
        } else {
            load(stored, named: id, for: waiting)
        }
        return .deferred(waiting.promise)
    }

    /// Loads a session for a request, which is then responded to like any other.
    ///
    /// - Parameter id: The id that the request states; nil if it has found the session by its name.
    func load(_ stored: StoredSessionID, named id: SessionID?, for waiting: PendingRequest) {
        loop.assertCurrent()
        guard loading.hasRoom(for: stored) else { return respond(to: waiting, with: SessionShard.tooManyLoading) }
        guard wait(waiting, for: .loading(stored)) else { return }
        // The first request's turn counts, also for those that join it.
        if loading.add(stored, named: id) { read(stored, for: WorkSource(waiting.request.peer)) }
    }

    private static let tooManyLoading = ProblemDetails.unavailable("too many sessions are being loaded", retryAfter: 1)

    /// Loads a session whose timer is due. It is due again later if there are too many.
    func wake(_ id: StoredSessionID) {
        loop.assertCurrent()
        guard loading.hasRoom(for: id), loading.add(due: id) else { return }
        read(id, for: .server)
    }

    /// Reads a session that is being loaded.
    private func read(_ id: StoredSessionID, for source: WorkSource) {
        let read: JournalReads.Read = { [writer = host.journal] journal in
            writer?.storeAsleepNow(id)
            let entry = Result { try journal?.load(id) }
            // Of a session that is damaged, the journal still knows the owner and the times.
            let isFailure = if case .failure = entry { true } else { false }
            let summary = isFailure ? (try? journal?.summary(of: id)) : nil
            return { shard in shard.sessionWasLoaded(id, entry, summary) }
        }
        reads?.add(read, of: source)
    }

    /// - Parameter summary: The summary of a session that cannot be read, if the journal has it.
    private func sessionWasLoaded(
        _ id: StoredSessionID, _ entry: Result<JournalEntry?, any Error>, _ summary: SessionSummary?
    ) {
        loop.assertCurrent()
        guard let session = loading.remove(id) else { return }
        let requests = pending.takeAll(.loading(id))
        // A restored session takes a turn. Its requests load it again, here or in the other process.
        guard !isSuspended else {
            for waiting in requests { waitForTurns(waiting) }
            return
        }
        if let entry = try? entry.get(), answerAsleep(requests, session, entry) { return }
        do throws(ProblemDetails) {
            try restore(id, session, for: requests, entry)
        } catch {
            return refuse(id, session, requests, try? entry.get(), summary, error)
        }
        resume(requests, for: sessions[id])
    }

    /// Continues with the requests for which a session was loaded.
    ///
    /// - Parameter session: The session; nil if it is not in memory.
    private func resume(_ requests: [PendingRequest], for session: Session?) {
        guard let session, requests.count > 1, !pending.contains(.arrivals(session.id)) else {
            for waiting in requests { resume(waiting) }
            return
        }
        // Not more than were counted until now.
        for waiting in requests { wait(waiting, for: .arrivals(session.id)) }
        answerArrivals(for: session.id)
    }

    /// Responds to the requests for a session that cannot be restored. To those who may not know of it, it does not exist.
    private func refuse(
        _ id: StoredSessionID, _ session: LoadingSession, _ requests: [PendingRequest], _ found: JournalEntry?,
        _ summary: SessionSummary?, _ problem: ProblemDetails
    ) {
        let summary = found?.snapshot?.summary ?? summary
        // The content names the owner of a session that an older build has stored without it.
        let owner =
            summary?.owner?.hash ?? found.flatMap { try? StoredSession($0, opening: host.seal) }?.ownership.owner
        for waiting in requests {
            respond(to: waiting, with: waiting.requester.sees(owner, id) ? problem : .noSession)
        }
        if session.isDue, let summary { postpone(summary) }
    }

    /// Postpones the waking of a session that could not be woken.
    private func postpone(_ summary: SessionSummary) {
        var later = summary
        later.wakesAt = clock.storedMilliseconds + SessionShard.wakeRetry
        journal?.update(later)
    }

    /// The time after which a session that could not be woken is tried again, in milliseconds.
    private static let wakeRetry: Int64 = 60_000

    /// Restores a loaded session, or notes that it has ended.
    ///
    /// Does not restore it if no requester who waits may know of it, and no timer is due.
    private func restore(
        _ id: StoredSessionID, _ session: LoadingSession, for requests: [PendingRequest],
        _ entry: Result<JournalEntry?, any Error>
    ) throws(ProblemDetails) {
        let publicID = publicID(id, session)
        let found: JournalEntry?
        do {
            found = try entry.get()
        } catch {
            throw cannotRestore(publicID, error)
        }
        guard let found, let snapshot = found.snapshot else { return }
        // Two loops must never continue the same session, whatever has led here.
        guard id.loop(of: loop.count) == loop.index else {
            assertionFailure("expected a session of loop \(loop.index), got one of loop \(id.loop(of: loop.count))")
            throw .unavailable("the session belongs to another loop of the server", retryAfter: 1)
        }
        let summary = snapshot.summary
        if summary.hasEnded {
            if let name = session.id { noteEnd(of: name, StoredEnd(snapshot.content)) }
            return
        }
        guard let machine = host.catalogue[summary.machine] else {
            throw .unavailable("this server does not host the machine of the session", retryAfter: 60)
        }
        var stored: StoredSession
        let compatibility: StoredSession.Compatibility
        do {
            if !machine.definition.secrets.isEmpty, host.configuration.secretKeys == nil {
                throw UnreadableSession.noKey(of: machine.definition.secrets.sorted())
            }
            stored = try StoredSession(found, opening: host.seal)
            compatibility = try stored.makeCompatible(
                with: machine.definition, in: host.configuration, now: clock.storedMilliseconds)
        } catch {
            throw cannotRestore(publicID, error)
        }
        let owner = stored.ownership.owner
        let isClaimed = requests.contains { $0.requester.sees(owner, id) }
        guard isClaimed || session.isDue else { return }
        if let end = stored.traps.quarantineEnd(now: clock.storedMilliseconds) {
            throw .unavailable(
                "the session has ended the server's process repeatedly and is not restored for some time",
                retryAfter: Int((end - clock.storedMilliseconds + 999) / 1000))
        }
        // Many more sessions may sleep than fit in memory.
        guard session.isDue || host.hasRoom(forSessionOf: 0) else { throw .noRoom }
        let storage = SessionStorage(
            id: id, registry: makeRegistry(restoring: stored.states), restoring: stored, from: found, snapshot,
            isUnchanged: compatibility == .unchanged, build: host.configuration.build)
        stored.isAsleep = false
        let name = stored.named?.id ?? (isClaimed ? publicID : self.publicID(id, LoadingSession()))
        try turns.noting(id) { () throws(ProblemDetails) in
            try restore(name, stored, of: machine, storage, usedAt: summary.usedAt, after: compatibility)
        }
    }

    /// Returns the id of a session that is being loaded.
    // The id that clients hold cannot be computed from the stored one. Until a client names the session, it has an id that
    // nobody knows.
    private func publicID(_ id: StoredSessionID, _ session: LoadingSession) -> SessionID {
        session.id ?? hibernation.slots[id]?.id ?? SessionID.random(onLoop: loop.index, of: loop.count)
    }

    private func restore(
        _ id: SessionID, _ stored: StoredSession, of machine: RegisteredMachine, _ storage: SessionStorage,
        usedAt: Int64, after compatibility: StoredSession.Compatibility
    ) throws(ProblemDetails) {
        let client = try host.reserveRestored(stored.client)
        let session = Session(
            id: id, machine: machine, client: client, shard: self, storage: storage, restoring: stored)
        sessions.add(session)
        do {
            try session.start(restoring: stored)
        } catch {
            // The stored session stays unchanged, for another build or an operator.
            forget(session)
            throw cannotRestore(id, error)
        }
        // A timer that wakes a session does not keep it from expiring.
        session.lastActivity = tick - min(tick, Tick(clamping: max(0, clock.storedMilliseconds - usedAt) / 1000))
        takeStreams(of: storage.id, to: session)
        if compatibility != .unchanged { journal?.store(stored, of: session, after: compatibility) }
        scheduleCheck(of: session)
        let isOfOtherBuild = compatibility != .unchanged || stored.build != host.configuration.build
        _ = turn(of: session, .resumed) { machine in
            if isOfOtherBuild { machine.outputs.markDifferences(machine: session.machineKind) }
            let effects = session.context.declaredEffects?.resume() ?? []
            machine.resumed(storage.registry.interruptedWork + effects)
        }
        if let wakesAt = storage.wakesAt, wakesAt <= clock.storedMilliseconds { journal?.postpone(session) }
    }

    /// Returns the problem of a session that cannot be restored, after logging the reason.
    func cannotRestore(_ id: SessionID, _ error: any Error) -> ProblemDetails {
        let incident = Incident.random()
        host.log.limited(
            .error, "session cannot be restored, and is kept",
            [
                "incident": .text(incident), "session": .text(StoredSessionID(of: id).shortText),
                "reason": .error(error),
            ])
        if case UnreadableSession.newer? = error as? UnreadableSession { return .newerSession(incident: incident) }
        switch error as? UnreadableSession {
        case .sealed, .noKey: return .sealedSession(incident: incident)
        default: return .unreadableSession(incident: incident)
        }
    }
}

extension RecordReader.Damaged: LoggableError {
    var logDescription: String { "the stored session is damaged" }
}
