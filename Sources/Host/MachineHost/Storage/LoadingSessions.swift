/// A session that is being loaded.
struct LoadingSession {
    /// Its id; nil if it is loaded because of a timer, and no client has named it yet.
    fileprivate(set) var id: SessionID?
    /// Whether it is loaded because of a timer, whoever requests it.
    fileprivate(set) var isDue = false
}

/// The sessions that a loop is loading. Confined to the loop.
struct LoadingSessions {
    /// The maximum number of sessions that are being loaded at the same time.
    private static let maxCount = 4096

    private var sessions: [StoredSessionID: LoadingSession] = [:]

    /// Whether no session is being loaded.
    var isEmpty: Bool { sessions.isEmpty }

    /// Returns whether a session is being loaded.
    func contains(_ id: StoredSessionID) -> Bool { sessions[id] != nil }

    /// Returns whether a session is being loaded, or there is room for it.
    func hasRoom(for id: StoredSessionID) -> Bool { contains(id) || sessions.count < LoadingSessions.maxCount }

    /// Notes that a request needs a session. Returns whether it must be read: it is not being loaded.
    ///
    /// - Parameter name: The id that the request states; nil if it has found the session by its name.
    mutating func add(_ id: StoredSessionID, named name: SessionID?) -> Bool {
        add(id) { $0.id = name ?? $0.id }
    }

    /// Notes that the timer of a session is due. Returns whether it must be read: it is not being loaded.
    mutating func add(due id: StoredSessionID) -> Bool {
        add(id) { $0.isDue = true }
    }

    private mutating func add(_ id: StoredSessionID, _ change: (inout LoadingSession) -> Void) -> Bool {
        assert(hasRoom(for: id), "expected room for a session, got \(sessions.count) that are being loaded")
        let isNew = !contains(id)
        change(&sessions[id, default: LoadingSession()])
        return isNew
    }

    /// Removes and returns a session that was read; nil if it is not being loaded.
    mutating func remove(_ id: StoredSessionID) -> LoadingSession? { sessions.removeValue(forKey: id) }
}
