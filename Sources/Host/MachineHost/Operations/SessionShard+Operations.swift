import Access
package import HTTPModel
import JSONText
import Locking
import Telemetry

// What operators ask of the sessions in memory.
extension SessionShard {
    /// Returns the sessions in memory among some that are stored.
    func liveSessions(among ids: [StoredSessionID]) -> [StoredSessionID: LiveSession] {
        loop.assertCurrent()
        var found: [StoredSessionID: LiveSession] = [:]
        for id in ids { if let session = operated(id) { found[id] = live(session) } }
        return found
    }

    /// Returns the numbers of open streams of sessions that sleep, among some that are stored.
    func streamsAsleep(among ids: [StoredSessionID]) -> [StoredSessionID: Int] {
        loop.assertCurrent()
        guard !hibernation.slots.isEmpty else { return [:] }
        return ids.reduce(into: [:]) { $0[$1] = hibernation.slots[$1]?.streamCount }
    }

    /// Returns the sessions in memory that are not stored, in the order of their stored ids.
    ///
    /// - Parameters:
    ///   - last: The id after which to begin; nil for the first.
    ///   - limit: The maximum number.
    func unstoredSessions(after last: StoredSessionID?, limit: Int) -> [LiveSession] {
        loop.assertCurrent()
        // A stored id is a digest, of which the session's id has the first 32 bits. Only those that may be in the result are
        // computed.
        let first = last.map { UInt32(truncatingIfNeeded: $0.high >> 32) } ?? 0
        var candidates = sessions.values
            .filter { $0.storage == nil && $0.endReason == nil }
            .map { (prefix: UInt32(truncatingIfNeeded: $0.id.high >> 32), session: $0) }
            .filter { $0.prefix >= first }
        candidates.sort { $0.prefix < $1.prefix }
        var (found, prefix): ([LiveSession], UInt32) = ([], 0)
        for candidate in candidates {
            // Sessions with the same 32 bits are in no order yet, so none of them may be missing.
            guard found.count < limit || candidate.prefix == prefix else { break }
            prefix = candidate.prefix
            let session = live(candidate.session)
            if last.map({ $0 < session.summary.id }) ?? true { found.append(session) }
        }
        return found.sorted { $0.summary.id < $1.summary.id }
    }

    /// Returns a session in memory by its stored id; nil if it is not in memory.
    func operated(_ id: StoredSessionID) -> Session? {
        loop.assertCurrent()
        if let session = sessions[id] { return session }
        let prefix = id.high >> 32
        return sessions.values.first { session in
            session.storage == nil && session.id.high >> 32 == prefix && session.storedID == id
        }
    }

    /// Returns the stored id of the session in memory with a name in the log; nil if none exists.
    func storedID(ofSessionWithLogName name: String) -> StoredSessionID? {
        loop.assertCurrent()
        return sessions.values.first { $0.id.hash == name }?.storedID
    }

    /// The number of sessions in memory, and of their open streams.
    var operatedCounts: (sessions: Int, streams: Int) {
        loop.assertCurrent()
        return (sessions.count, sessions.values.reduce(0) { $0 + $1.streamCount })
    }

    private func live(_ session: Session) -> LiveSession {
        let lead = clock.shownLead
        return LiveSession(
            summary: SessionSummary(of: session).moved(by: lead), streams: session.streamCount,
            logName: session.id.hash,
            retainedBytes: session.retainedBytes, hibernates: session.mayHibernate,
            awake: session.storage == nil
                ? nil : reasonToStayAwake(session).map { AwakeDescription($0, wallLead: lead) },
            timers: session.context.scheduler.timerCount)
    }

    /// Returns the outputs of a session in memory by name.
    func shownOutputs(of id: StoredSessionID) -> [String: [UInt8]]? {
        loop.assertCurrent()
        guard let session = operated(id), let board = session.board else { return nil }
        var shown: [String: [UInt8]] = [:]
        for cell in board.cells where !cell.shown.isEmpty {
            shown[session.machineKind.definition.outputs[cell.index].name] = Array(cell.shown)
        }
        return shown
    }

    /// Returns the recent changes of a session that is not stored, oldest first.
    func recentChanges(of id: StoredSessionID) -> [StoredSession.Change] {
        loop.assertCurrent()
        guard let session = operated(id), session.endReason == nil else { return [] }
        return session.history.changes()
    }
}

// What operators do with the sessions in memory.
extension SessionShard {
    /// Releases the machine of a session now.
    ///
    /// - Throws: The reason why it must stay in memory.
    func hibernate(_ id: StoredSessionID) throws(ProblemDetails) {
        loop.assertCurrent()
        guard let session = sessions[id] else {
            throw .operationRefused("The machine of the session is not in memory.")
        }
        guard session.mayHibernate else {
            throw .operationRefused(
                "The machine \"\(session.machineKind.definition.name)\" does not declare that its sessions may hibernate."
            )
        }
        guard let journal = host.journal, journal.phase == .open, journal.refusal == nil, !isPaused else {
            throw .unavailable("sessions cannot be stored at the moment", retryAfter: 5)
        }
        if session.isInTurn { throw .operationRefused("The session is in a turn.") }
        if let reason = reasonToRefuseSleep(session) {
            throw .operationRefused("The session stays in memory: \(AwakeDescription(reason, wallLead: 0).text).")
        }
        putToSleep(session)
        storeSleepers()
    }

    /// Ends a session that is not stored. Returns false if none exists.
    func endUnstored(_ id: StoredSessionID) -> Bool {
        loop.assertCurrent()
        guard let session = operated(id), session.storage == nil else { return false }
        access.audit(.sessionEnded, session: session.id)
        end(session, .deleted)
        return true
    }

    /// Calls a closure with a session, which is restored if it is stored; with nil if it cannot be restored now.
    func withSession(_ id: StoredSessionID, _ body: @escaping @Sendable (Session?) -> Void) {
        loop.assertCurrent()
        if let session = operated(id) { return body(session) }
        guard !isSuspended, !isDraining else { return body(nil) }
        wake(id)
        whenLoaded(id, body)
    }

    /// Calls a closure with a session when it is no longer being loaded.
    private func whenLoaded(_ id: StoredSessionID, _ body: @escaping @Sendable (Session?) -> Void) {
        guard let writer = host.journal else { return body(nil) }
        let reference = UnsafeTransfer(backReference)
        writer.withJournal { [loop] _ in
            loop.execute {
                guard let shard = reference.value.shard, !shard.isSuspended else { return body(nil) }
                // Other reads may have been ahead of that of the session.
                if shard.loading.contains(id) { return shard.whenLoaded(id, body) }
                body(shard.operated(id))
            }
        }
    }

    /// Runs an input as a turn, on behalf of an operator and not of a client.
    ///
    /// - Parameter json: The value; `null` for an input without one.
    /// - Returns: The version after the turn, and the names of the outputs that it changed.
    func run(
        input name: String, _ json: [UInt8], in session: Session
    ) throws(ProblemDetails) -> (version: UInt64, changed: [String]) {
        loop.assertCurrent()
        let (place, prepared) = try prepare(input: name, json, for: session)
        if session.storage != nil, let refusal = host.journal?.refusal { throw refusal }
        guard !isPaused, !isDraining else {
            throw .unavailable("sessions take no turns at the moment", retryAfter: 5)
        }
        session.lastActivity = tick
        var refusal: InputRefusal?
        let outcome = turn(of: session, .input(name: name, value: json[...]), at: place) { machine in
            session.meter.inputs.add()
            do throws(InputRefusal) { try prepared.run(on: machine, in: session.context) } catch { refusal = error }
        }
        if case .failed(let incident) = outcome { throw .machineFailed(incident: incident) }
        if let refusal { throw .refused(input: name, refusal) }
        return (session.version, changedNames(outcome))
    }

    private func prepare(
        input name: String, _ json: [UInt8], for session: Session
    ) throws(ProblemDetails) -> (place: Int, prepared: PreparedInput) {
        guard let (place, read) = session.machineKind.reader(ofInput: name) else {
            throw .noInput(of: session.machineKind)
        }
        let range: Range<Int>
        do throws(JSONSyntaxError) {
            range = try JSONScanner.document(json, nestingLimit: host.configuration.maxNesting)
        } catch {
            throw .malformedJSON(error, in: json)
        }
        do throws(InputMismatch) {
            return (place, try read(JSONValue(bytes: json, range: range).slice))
        } catch {
            throw .invalidValue(of: "The input \"\(name)\"", error)
        }
    }

    private func changedNames(_ outcome: TurnOutcome) -> [String] {
        guard let change = turns.change(of: outcome) else { return [] }
        let json = Array(change)
        var names: [String] = []
        var scanner = JSONScanner(json)
        try? scanner.members { key, _ in
            if let name = JSONValue(bytes: json, range: key).string { names.append(name) }
        }
        return names
    }
}

extension ProblemDetails {
    /// The problem of an operation that is not possible in the present situation of a session.
    package static func operationRefused(_ detail: String) -> ProblemDetails {
        ProblemDetails(
            status: .conflict, kind: "operation-refused", title: "The operation is not possible now", detail: detail)
    }
}
