import Access
import HTTPModel
import Log
import StateCapture
import Telemetry

// The lifetimes of sessions.
extension SessionShard {
    /// Creates a session of a machine on this loop, counted for a peer.
    ///
    /// - Parameters:
    ///   - peer: The peer of the request.
    ///   - trace: The span of the request; nil if it has none.
    ///   - id: The id; nil for a random one.
    ///   - creation: The parameters and the name that the client states; nil if it states neither.
    ///   - keyed: The key of the request; nil if it has none.
    func makeSession(
        of machine: RegisteredMachine, for peer: HTTPPeer, _ context: inout RequestContext,
        in trace: TraceContext? = nil, id: SessionID? = nil, stating creation: SessionCreation? = nil,
        keyed: KeyedCreation? = nil
    ) throws(ProblemDetails) -> Session {
        loop.assertCurrent()
        guard !isDraining else { throw .unavailable("the server is shutting down", retryAfter: 5) }
        guard host.hasRoom(forSessionOf: .max) else { throw .noRoom }
        if machine.durability > .memory, let refusal = host.journal?.refusal { throw refusal }
        let requester = context.requester
        let client: ClientTable.Client?
        do throws(ProblemDetails) {
            client = try host.reserveSession(for: requester, peer, now: loop.now)
        } catch {
            if error.status == .tooManyRequests { access.audit(.quotaReached(.sessions), by: requester, peer: peer) }
            throw error
        }
        let id = id ?? SessionID.random(onLoop: loop.index, of: loop.count)
        do throws(ProblemDetails) {
            try reserveQuota(StoredSessionID(of: id), client, of: requester, peer: peer)
        } catch {
            host.releaseSession(of: client, now: loop.now)
            throw error
        }
        let session = Session(
            id: id, machine: machine, client: client, shard: self, storage: makeStorage(for: machine, id),
            ownership: SessionOwnership(of: requester), creation: creation)
        // Before `start`: a factory that fails goes through `fail`, which removes the session and releases its
        // reservation.
        sessions.add(session)
        do {
            try session.start(in: trace)
            try journal?.storeCreation(of: session) { keyed.map { note(of: $0, session) } }
            session.context.declaredTopics?.turnEnded(storedBy: journal)
        } catch {
            let incident = Incident.random()
            fail(session, error, incident)
            context.wait(for: session.lastSequence)
            // Not the limit itself, which names a topic.
            if (error as? TopicLimitReached)?.isTransient == true {
                throw .unavailable("the server has reached a limit of its topics", retryAfter: 30)
            }
            throw .machineFailed(incident: incident)
        }
        context.wait(for: session.lastSequence)
        session.meter.created.add()
        scheduleCheck(of: session)
        renewLeases(of: session, by: requester)
        access.audit(.sessionCreated(machine: machine.definition.name), by: requester, session: id, peer: peer)
        return session
    }

    /// Returns the stored side of a new session; nil if its machine's sessions end with the process.
    private func makeStorage(for machine: RegisteredMachine, _ id: SessionID) -> SessionStorage? {
        guard machine.durability > .memory else { return nil }
        let registry = makeRegistry()
        registry.seed = host.configuration.stateSeed
        return SessionStorage(id: StoredSessionID(of: id), registry: registry)
    }

    /// Gives a session the id that clients hold.
    func rename(_ session: Session, _ id: SessionID) {
        loop.assertCurrent()
        sessions.rename(session, id)
        scheduleCheck(of: session)
    }

    /// Removes a session from memory only.
    func forget(_ session: Session) {
        loop.assertCurrent()
        guard sessions.remove(session) else { return }
        host.releaseSession(of: session.client, now: loop.now)
        session.stop(.draining)
    }

    /// Remembers a session that has ended.
    ///
    /// - Parameter client: The client that the session counted for; nil if it is not known, because the end is stored.
    func noteEnd(of id: SessionID, _ ending: StoredEnd, of client: ClientTable.Client? = nil) {
        loop.assertCurrent()
        sessions.noteEnd(of: id, ending, for: client ?? .others, now: tick, in: host.configuration)
    }

    /// Ends a session and remembers its id.
    func end(_ session: Session, _ reason: EndReason) {
        loop.assertCurrent()
        // Also guards against re-entrancy: stopping the machine may end the session a second time.
        guard sessions.remove(session) else { return }
        session.meter.ended(reason)
        noteEnd(of: session.id, StoredEnd(reason, of: session), of: session.client)
        host.releaseSession(of: session.client, now: loop.now)
        session.stop(reason)
        if let change = journal?.storeEnd(of: session, reason) {
            sessions.endIsBeingStored(of: session, as: change)
            session.isEndPending = true
        }
        // The quota of a stored session is released when its end is stored.
        if session.storage?.isStored != true { host.quotas.end(session.storedID) }
    }

    /// Ends a session whose machine failed, and logs the failure.
    ///
    /// - Parameters:
    ///   - incident: The id of the incident, which the client may quote and the log contains.
    ///   - turn: The span of the turn that has failed; nil if it has none.
    func fail(_ session: Session, _ error: any Error, _ incident: String, in turn: TraceContext? = nil) {
        loop.assertCurrent()
        host.log.limited(
            .error, "session failed",
            [
                "incident": .text(incident), "session": .text(session.id.hash),
                "machine": .text(session.machineKind.definition.name), "reason": .error(error),
            ], and: turn?.logFields ?? [])
        end(session, .failed(incident: incident))
    }
}
