import Access

/// The sessions that ended recently with their reasons, so that requests for them get 410. Bounded by age and number.
struct EndedSessions {
    private struct Entry {
        let id: SessionID
        let forgottenAt: Tick
    }

    private var endings: [SessionID: StoredEnd] = [:]
    private var queue: [Entry] = []
    private var first = 0

    func contains(_ id: SessionID) -> Bool { endings[id] != nil }

    /// Returns why a session ended, and for whom; nil if it has not ended.
    func ending(of id: SessionID) -> StoredEnd? { endings[id] }

    var count: Int { endings.count }

    mutating func insert(_ id: SessionID, _ ending: StoredEnd, now: Tick, window: Tick, limit: Int) {
        guard limit > 0, endings[id] == nil else { return }
        endings[id] = ending
        queue.append(Entry(id: id, forgottenAt: now + window))
        while endings.count > limit { removeFirst() }
    }

    /// Forgets the end of the session with a stored id.
    mutating func remove(_ stored: StoredSessionID) {
        // The upper 32 bits of both ids are the same, so hardly any other id is digested.
        let isMeant = { (id: SessionID) in id.high >> 32 == stored.high >> 32 && StoredSessionID(of: id) == stored }
        guard let id = endings.keys.first(where: isMeant) else { return }
        endings[id] = nil
        queue.removeFirst(first)
        first = 0
        // Otherwise, a later end of the session would be forgotten at the time of this one.
        queue.removeAll { $0.id == id }
    }

    /// Forgets the sessions that ended too long ago.
    mutating func expire(now: Tick) {
        while first < queue.count, queue[first].forgottenAt <= now { removeFirst() }
    }

    private mutating func removeFirst() {
        endings[queue[first].id] = nil
        first += 1
        // Removing elements from the front moves the rest. Doing so only when half of the queue is free keeps the cost
        // per session constant.
        if 2 * first > queue.count {
            queue.removeFirst(first)
            first = 0
        }
    }
}
