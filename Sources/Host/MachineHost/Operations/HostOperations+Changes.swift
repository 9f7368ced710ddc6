import Dispatch
import HTTPModel
import Locking

// What operators change.
extension HostOperations {
    /// The time within which a stored session must be restored for an input.
    private static let restoreTime = DispatchTimeInterval.seconds(10)

    /// Ends a session, in memory or stored. Its clients learn that it has ended.
    package func end(_ id: StoredSessionID) throws {
        if onLoop(of: id, { $0.endUnstored(id) }) == true { return }
        try stored().delete(id.text)
    }

    /// Releases the machine of a session that is in memory.
    ///
    /// - Throws: `ProblemDetails` with the reason why it must stay.
    package func hibernate(_ id: StoredSessionID) throws {
        let outcome = onLoop(of: id) { shard -> ProblemDetails? in
            do throws(ProblemDetails) {
                try shard.hibernate(id)
                return nil
            } catch {
                return error
            }
        }
        guard let outcome else { throw ProblemDetails.loopUnresponsive }
        if let problem = outcome { throw problem }
        try archive?.useJournal { _ in }
    }

    /// Ends the quarantine of a session that has ended too many processes.
    package func release(_ id: StoredSessionID) throws { try stored().release(id.text) }

    /// Creates a session from an earlier version of another one, and returns its stored id.
    package func fork(_ id: StoredSessionID, at version: UInt64?) throws -> StoredSessionID {
        let name = try stored().fork(id.text, at: version)
        guard let fork = SessionID(text: name) else { throw ArchiveError.noSession(id.text) }
        return StoredSessionID(of: fork)
    }

    /// Returns a session with its turns as text, for an import or a replay. An encrypted session stays encrypted.
    package func export(_ id: StoredSessionID) throws -> String { try stored().export(id.text) }

    /// Runs an input in a session, which is restored if its machine is not in memory.
    ///
    /// - Parameter json: The value; `null` for an input without one.
    /// - Returns: The version after the turn, and the names of the outputs that it changed, when they are stored.
    package func run(
        input name: String, _ json: [UInt8], in id: StoredSessionID
    ) throws -> (version: UInt64, changed: [String]) {
        try requireRestorable(id)
        guard let address = host.shards.all.first(where: { $0.loop.index == id.loop(of: $0.loop.count) }) else {
            throw ProblemDetails.loopUnresponsive
        }
        let ran = Lock<Result<(version: UInt64, changed: [String]), ProblemDetails>?>(nil)
        let done = DispatchSemaphore(value: 0)
        address.execute { shard in
            guard let shard else {
                done.signal()
                return
            }
            shard.withSession(id) { session in
                defer { done.signal() }
                guard let session else { return }
                let result = Result { () throws(ProblemDetails) in
                    try session.shard.run(input: name, json, in: session)
                }
                ran.withLock { $0 = result }
            }
        }
        guard done.wait(timeout: .now() + HostOperations.restoreTime) == .success else {
            throw ProblemDetails.loopUnresponsive
        }
        guard let result = ran.withLock({ $0 }) else {
            throw ProblemDetails.operationRefused("The session cannot be restored now; see the log.")
        }
        let outcome = try result.get()
        try archive?.useJournal { _ in }
        return outcome
    }

    /// Throws if a session that is not in memory cannot be restored.
    // A session whose restore fails is tried again every minute, as one whose timer is due.
    private func requireRestorable(_ id: StoredSessionID) throws {
        let session = try session(id)
        switch session.situation {
        case .live: return
        case .ended: throw ArchiveError.ended(id.text)
        case .quarantined:
            throw ProblemDetails.operationRefused(
                "The session has ended the server's process repeatedly. Release it from quarantine first.")
        case .dormant:
            guard session.isReadable, session.durability != nil else {
                throw ProblemDetails.operationRefused("This build cannot restore the session.")
            }
        }
    }

    private func stored() throws -> SessionArchive {
        guard let archive else {
            throw ProblemDetails.operationRefused("This server stores no sessions, so only their present is known.")
        }
        return archive
    }
}

extension ProblemDetails {
    /// The problem of a loop that runs a long turn, or is about to end.
    static let loopUnresponsive = ProblemDetails.unavailable(
        "the event loop of the session does not respond", retryAfter: 5)
}
