import HTTPModel

/// The sessions of a loop: those in memory by their ids, stored ids, names and deadlines, and those that have ended recently. Confined to
/// its loop.
struct SessionTable {
    private var sessions: [SessionID: Session] = [:]
    /// Those that are stored, by their stored ids.
    private var stored: [StoredSessionID: Session] = [:]
    private var named: [NamedPlace: Session] = [:]
    /// The sessions by the second in which their deadlines are checked.
    private var deadlines = DeadlineBuckets<SessionID>()
    private var ended = EndedSessions()
    /// The numbers of the changes that store the ends of sessions, until they are stored.
    private var unstoredEnds: [SessionID: UInt64] = [:]

    /// Returns the session in memory with an id that clients hold.
    subscript(id: SessionID) -> Session? { sessions[id] }

    subscript(id: StoredSessionID) -> Session? { stored[id] }

    /// Returns the session in memory with a name.
    subscript(place: NamedPlace) -> Session? { named[place] }

    var values: Dictionary<SessionID, Session>.Values { sessions.values }
    /// The sessions in memory that are stored.
    var storedValues: Dictionary<StoredSessionID, Session>.Values { stored.values }
    var isEmpty: Bool { sessions.isEmpty }
    var count: Int { sessions.count }

    mutating func add(_ session: Session) {
        assert(sessions[session.id] == nil, "expected a new session, got one with the id of another")
        assert(
            session.storage.map { stored[$0.id] == nil } ?? true,
            "expected a new session, got a second one with the same stored id")
        sessions[session.id] = session
        if let storage = session.storage { stored[storage.id] = session }
        if let place = session.namedPlace { named[place] = session }
    }

    /// Removes a session from memory. Returns whether it was there.
    mutating func remove(_ session: Session) -> Bool {
        guard let removed = sessions.removeValue(forKey: session.id) else { return false }
        assert(removed === session, "expected each id to belong to one session")
        assert(
            session.storage.map { stored[$0.id] === session } ?? true,
            "expected each stored id to belong to one session")
        if let storage = session.storage { stored[storage.id] = nil }
        if let place = session.namedPlace, named[place] === session { named[place] = nil }
        assert(max(stored.count, named.count) <= sessions.count, "expected all tables to have the same sessions")
        return true
    }

    /// Gives a session the id that clients hold.
    mutating func rename(_ session: Session, _ id: SessionID) {
        assert(sessions[session.id] === session, "expected a session in memory")
        assert(sessions[id] == nil, "expected a new id, got that of another session")
        sessions[session.id] = nil
        session.id = id
        sessions[id] = session
        session.nextCheck = 0
    }
}

// The deadlines of sessions.
extension SessionTable {
    var hasDeadlines: Bool { deadlines.count > 0 }

    /// Schedules a check of a session's deadlines, if none is scheduled early enough.
    mutating func schedule(_ session: Session, deadline: Tick) {
        deadlines.schedule(session.id, deadline: deadline, next: &session.nextCheck)
    }

    /// Sets the current second, before the first session is scheduled.
    mutating func skip(to tick: Tick) { deadlines.skip(to: tick) }

    /// Removes and returns the ids of the sessions that are due in the next second; nil if that second is not over, or nothing waits.
    mutating func takeDue(before now: Tick) -> [SessionID]? { deadlines.takeDue(before: now) }

    /// Returns the session with an id from ``takeDue(before:)``; nil if it has left memory, or its next check is at another time.
    // A session that was scheduled again with an earlier deadline is in two buckets: only the bucket that `nextCheck` names counts.
    func due(_ id: SessionID) -> Session? {
        guard let session = sessions[id], session.nextCheck == deadlines.now else { return nil }
        return session
    }
}

// The ends of sessions.
extension SessionTable {
    /// Returns the end of a session; nil if no end is remembered.
    func ending(of id: SessionID) -> StoredEnd? { ended.ending(of: id) }

    /// The number of the change that stores the end of a session; 0 if it is stored or has none.
    func unstoredEnd(of id: SessionID) -> UInt64 { unstoredEnds.isEmpty ? 0 : unstoredEnds[id] ?? 0 }

    /// Remembers a session that has ended, so that requests for it get 410 with the reason, if it is known.
    ///
    /// - Parameter client: The client that the session counted for.
    mutating func noteEnd(
        of id: SessionID, _ ending: StoredEnd, for client: ClientTable.Client, now: Tick,
        in configuration: HostConfiguration
    ) {
        ended.expire(now: now)
        ended.insert(
            id, ending, of: client, now: now, window: configuration.endedWindow.ticks,
            limit: configuration.endedSessions)
    }

    mutating func forgetEnd(of id: StoredSessionID) { ended.remove(id) }

    /// Notes that the end of a session is about to be stored.
    mutating func endIsBeingStored(of session: Session, as change: UInt64) {
        assert(sessions[session.id] !== session, "expected a session that has ended")
        assert(change > 0, "expected the number of a change, because 0 stands for none")
        unstoredEnds[session.id] = change
    }

    /// Notes that the end of a session is stored.
    mutating func endWasStored(of session: Session) { unstoredEnds[session.id] = nil }
}
