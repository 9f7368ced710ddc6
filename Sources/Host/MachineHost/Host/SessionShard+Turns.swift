import HTTPModel
import Log
import Telemetry

// The turns of sessions, and what follows from them.
extension SessionShard {
    /// The number of blocks of a session that may wait, for each turn that is allowed in a row.
    // A machine whose turns each schedule two more doubles its queue each time: it would exhaust memory long before it
    // reaches the limit on turns in a row.
    private static let blocksPerTurnInARow = 16

    /// Runs work as one turn of a session, and stores what it did.
    ///
    /// - Parameters:
    ///   - trigger: The cause, for the journal.
    ///   - place: The place of the input in the registration; nil for other causes.
    ///   - depth: The number of turns in a row that led to this one; 0 for an external cause.
    ///   - request: The span of the request that causes the turn; nil if it has none.
    func turn(
        of session: Session, _ trigger: TurnRecord.Trigger = .scheduled, at place: Int? = nil,
        from sender: InputSender? = nil, depth: Int = 0, in request: TraceContext? = nil,
        _ work: (any HostedMachine) -> Void
    ) -> TurnOutcome {
        let cause = TurnCause(depth: depth, trigger: trigger, place: place, sender: sender)
        guard let ended = turns.run(cause, of: session, in: request, work) else { return .unchanged }
        record(cause, ended, of: session)
        return ended.outcome
    }

    /// Runs a turn that has no waiting caller: a scheduled block or a value from another thread. Ends the session
    /// instead if too many turns in a row led to it.
    func runScheduledTurn(of session: Session, depth: Int, _ work: () -> Void) {
        loop.assertCurrent()
        guard depth <= host.configuration.turnsInARow else { return endForEndlessTurns(session) }
        _ = turn(of: session, depth: depth) { _ in work() }
    }

    /// Runs a turn with the next value of a topic that a session has received.
    func runReceivedTurn(of session: Session) {
        loop.assertCurrent()
        guard let topics = session.context.declaredTopics, let value = topics.takeReceived() else { return }
        session.meter.received.add()
        receive(value.json[...], of: value.topic, value.number, in: session, after: value.publication)
    }

    /// Runs a turn with a value of a topic.
    ///
    /// - Parameter publication: The publication of the value; nil in a replay.
    func receive(
        _ json: ArraySlice<UInt8>, of topic: String, _ number: UInt64, in session: Session,
        after publication: Publication? = nil
    ) {
        let trigger = TurnRecord.Trigger.received(topic: topic, number: number, value: json)
        let cause = TurnCause(trigger: trigger, publications: publication?.depth ?? 0)
        let ended = turns.run(cause, of: session, in: nil) { [turns] _ in
            turns.continuing(publication?.trace) {
                session.context.declaredTopics?.deliver(json, of: topic, number: number)
            }
        }
        if let ended { record(cause, ended, of: session) }
    }

    /// Stores a turn: its change, its changed states and, if it answered a request with a key, the response. Ends the session instead if
    /// the turn has failed.
    func record(
        _ cause: TurnCause, _ ended: borrowing EndedTurn, of session: Session, keyed: TurnRecord.KeyedResponse? = nil
    ) {
        loop.assertCurrent()
        if let failure = ended.failure, case .failed(let incident) = ended.outcome {
            let trace = ended.trace?.context
            // Its machine may trap when it is ended, like in the turn.
            return turns.noting(session.storage?.id) { fail(session, failure, incident, in: trace) }
        }
        guard session.endReason == nil else { return }
        defer { session.context.declaredTopics?.turnEnded(storedBy: journal) }
        guard session.storage != nil, let journal else { return session.noteTurn(cause, ended, in: recentTurns) }
        let isSnapshotDue = journal.record(
            cause, ended, of: session, change: turns.change(of: ended.outcome), states: turns.states, keyed: keyed)
        turns.forgetStates()
        if isSnapshotDue { snapshotIsDue(of: session) }
    }

    /// Stores the turn of a request with a key, with the remembered response.
    ///
    /// - Parameter response: The remembered response; nil if the key was given up.
    func record(
        _ cause: TurnCause, _ ended: borrowing EndedTurn, of session: Session, _ key: RequestDigest,
        _ request: RequestDigest, response: [UInt8]?
    ) {
        guard let response else { return record(cause, ended, of: session) }
        // Most responses follow from the change, which the row contains anyway. That to a large change does not contain all of it.
        let isLarge = if case .changedLarge = ended.outcome { true } else { false }
        let change = isLarge ? nil : turns.change(of: ended.outcome)
        let isImplied = !isLarge && response == StoredSession.result(version: session.version, change: change)
        record(
            cause, ended, of: session,
            keyed: TurnRecord.KeyedResponse(key: key, request: request, response: isImplied ? nil : response[...]))
    }

    /// Stores a session as a whole soon, together with others.
    func snapshotIsDue(of session: Session) {
        guard let storage = session.storage, let due = journal?.snapshotIsDue(of: storage) else { return }
        for id in due {
            // It may have ended, or was stored, since.
            guard let session = sessions[id], session.storage?.isSnapshotDue == true else { continue }
            renewSnapshot(of: session)
        }
    }

    /// Stores a session as a whole, without the rows that led to it.
    func renewSnapshot(of session: Session) {
        turns.noting(session.storage?.id) { journal?.renewSnapshot(of: session) }
    }

    /// Ends a session whose turns keep causing further turns.
    func endForEndlessTurns(_ session: Session) {
        fail(session, EndlessTurns(turnsInARow: host.configuration.turnsInARow), Incident.random())
    }

    /// The maximum number of waiting blocks of a session.
    var blocksWaiting: Int {
        let (count, isBeyond) = host.configuration.turnsInARow.multipliedReportingOverflow(
            by: SessionShard.blocksPerTurnInARow)
        return isBeyond ? .max : count
    }
}

/// A machine whose turns cause further turns without a pause.
private struct EndlessTurns: LoggableError, CustomStringConvertible {
    let turnsInARow: Int

    var description: String {
        "its turns cause further turns without a pause, more than \(turnsInARow) in a row (sessions.turnsInARow)"
    }
}
