import HTTPModel
import Locking
import Log
import StateCapture

/// The requests that wait for a session to be loaded.
struct LoadingSession {
    var requests: [(request: HTTPRequest, promise: DeferredResponse)] = []
}

// Sessions that are stored, but not in memory.
extension SessionShard {
    /// Returns the answer to a request that arrives while the journal is not open; nil if it is open, or the request does
    /// not need it.
    func answerWithoutJournal(_ request: HTTPRequest) -> HTTPAnswer? {
        guard let journal = host.journal, Route(target: request.target).needsSessions else { return nil }
        switch journal.phase {
        case .open: return nil
        case .closed:
            let problem = ProblemDetails.unavailable("another process continues the sessions", retryAfter: 1)
            return .response(problem.response)
        case .opening:
            guard waitingForJournal.count < SessionShard.mostLoading else {
                return .response(ProblemDetails.unavailable("the server is starting", retryAfter: 1).response)
            }
            let promise = DeferredResponse()
            waitingForJournal.append((request, promise))
            return .deferred(promise)
        }
    }

    /// Answers the requests that waited for the journal.
    func journalWasOpened() {
        let waiting = waitingForJournal
        waitingForJournal = []
        for (request, promise) in waiting { fulfil(promise, with: respond(to: request)) }
    }

    private func fulfil(_ promise: DeferredResponse, with answer: HTTPAnswer) {
        switch answer {
        case .response(let response): promise.fulfil(response)
        case .deferred(let later): later.whenFulfilled { promise.fulfil($0) }
        }
    }

    /// The maximum number of sessions that are being loaded at the same time.
    private static let mostLoading = 4096

    /// Loads a session for a request, which is then responded to like any other.
    ///
    /// - Returns: The promise of its response; nil if the session cannot be stored.
    func load(_ id: SessionID, for request: HTTPRequest) -> HTTPAnswer {
        guard let writer = host.journal else { return .response(ProblemDetails.noSession.response) }
        let promise = DeferredResponse()
        guard loading[id] == nil else {
            loading[id]?.requests.append((request, promise))
            return .deferred(promise)
        }
        guard loading.count < SessionShard.mostLoading else {
            return .response(ProblemDetails.unavailable("too many sessions are being loaded", retryAfter: 1).response)
        }
        loading[id] = LoadingSession(requests: [(request, promise)])
        let stored = StoredSessionID(of: id)
        writer.withJournal { [loop, backReference = UnsafeTransfer(backReference)] journal in
            let entry = UnsafeTransfer(Result { try journal?.load(stored) })
            loop.execute { backReference.value.shard?.sessionWasLoaded(id, entry.value) }
        }
        return .deferred(promise)
    }

    private func sessionWasLoaded(_ id: SessionID, _ entry: Result<JournalEntry?, any Error>) {
        guard let waiting = loading.removeValue(forKey: id) else { return }
        do throws(ProblemDetails) {
            try restore(id, entry)
        } catch {
            for (_, promise) in waiting.requests { promise.fulfil(error.response) }
            return
        }
        knownToBeMissing = id
        defer { knownToBeMissing = nil }
        for (request, promise) in waiting.requests { fulfil(promise, with: respond(to: request, loads: false)) }
    }

    /// Restores a loaded session, or notes that it has ended.
    private func restore(_ id: SessionID, _ entry: Result<JournalEntry?, any Error>) throws(ProblemDetails) {
        guard sessions[id] == nil else { return }
        let found: JournalEntry?
        do {
            found = try entry.get()
        } catch {
            throw cannotRestore(id, error)
        }
        guard let found, let summary = found.snapshot?.summary else { return }
        if summary.hasEnded { return noteEnd(of: id) }
        guard let machine = host.catalogue[summary.machine] else {
            throw .unavailable("this server does not host the machine of the session", retryAfter: 60)
        }
        let stored: StoredSession
        do {
            stored = try StoredSession(found)
        } catch {
            throw cannotRestore(id, error)
        }
        try restore(id, stored, of: machine, lastRow: found.rows.last?.number ?? found.snapshot?.covers ?? 0)
    }

    private func restore(
        _ id: SessionID, _ stored: StoredSession, of machine: RegisteredMachine, lastRow: UInt64
    ) throws(ProblemDetails) {
        let client = try host.reserveSession(for: .unknown, now: loop.now)
        let storage = SessionStorage(
            id: StoredSessionID(of: id), registry: StateRegistry(restoring: stored.states, clockOffset: clockOffset))
        storage.lastRow = lastRow
        storage.isStored = true
        let session = Session(
            id: id, machine: machine, client: client, shard: self, storage: storage, restoring: stored)
        add(session)
        do {
            try session.start(restoring: stored)
        } catch {
            // The stored session stays as it is, for another build or an operator.
            forget(session)
            throw cannotRestore(id, error)
        }
        scheduleCheck(of: session)
        _ = session.turn { machine in machine.resumed([]) }
    }

    /// Returns the problem of a session that cannot be restored, after logging the reason.
    private func cannotRestore(_ id: SessionID, _ error: any Error) -> ProblemDetails {
        let incident = makeIncident()
        host.log.limited(
            .error, "session cannot be restored",
            ["incident": .text(incident), "session": .text(id.hash), "reason": .error(error)])
        return .machineFailed(incident: incident)
    }
}

extension RecordReader.Damaged: LoggableError {
    var logDescription: String { "the stored session is damaged" }
}
