import HTTPModel

/// The sessions that ended recently with their reasons, so that requests for them get 410. Bounded by age and number; the sessions of
/// whoever has the most are forgotten first.
struct EndedSessions {
    private struct Entry {
        let ending: StoredEnd
        let client: ClientTable.Client
        /// The entry's number in ``queue``.
        let number: UInt64
    }

    private var entries: [SessionID: Entry] = [:]
    /// The sessions by age. One that was forgotten early keeps its place until its time.
    private var queue: [(id: SessionID, number: UInt64, forgottenAt: Tick)] = []
    private var first = 0
    private var nextNumber: UInt64 = 0
    private var shares = ClientShares()

    func contains(_ id: SessionID) -> Bool { entries[id] != nil }

    /// Returns the end of a session: its reason, and who may learn of it. Returns nil if no end is remembered.
    func ending(of id: SessionID) -> StoredEnd? { entries[id]?.ending }

    var count: Int { entries.count }

    /// Remembers a session that has ended.
    ///
    /// - Parameter client: The client that the session counted for.
    mutating func insert(
        _ id: SessionID, _ ending: StoredEnd, of client: ClientTable.Client, now: Tick, window: Tick, limit: Int
    ) {
        guard limit > 0, entries[id] == nil else { return }
        while entries.count >= limit {
            forgetOldest(of: shares.donor(for: client) ?? client)
        }
        entries[id] = Entry(ending: ending, client: client, number: nextNumber)
        shares.add(client)
        queue.append((id, nextNumber, now + window))
        nextNumber += 1
        assertPlaces()
        guard queue.count - first > 2 * entries.count + 64 else { return }
        queue = queue[first...].filter { entries[$0.id]?.number == $0.number }
        first = 0
        assert(
            queue.count == entries.count,
            "expected one place for each of \(entries.count) sessions, got \(queue.count)")
    }

    /// Forgets the end of the session with a stored id.
    mutating func remove(_ stored: StoredSessionID) {
        // The upper 32 bits of both ids are the same, so hardly any other id is digested.
        let isMeant = { (id: SessionID) in id.high >> 32 == stored.high >> 32 && StoredSessionID(of: id) == stored }
        if let id = entries.keys.first(where: isMeant) { forget(id) }
    }

    /// Forgets the sessions that ended too long ago.
    mutating func expire(now: Tick) {
        // Not in the last second: the first one had begun before the end.
        while first < queue.count, queue[first].forgottenAt < now {
            if entries[queue[first].id]?.number == queue[first].number { forget(queue[first].id) }
            first += 1
        }
        assertPlaces()
        // Removing elements from the front moves the rest. Doing so only when half of the queue is free keeps the cost
        // per session constant.
        guard 2 * first > queue.count else { return }
        queue.removeFirst(first)
        first = 0
    }

    /// Forgets the oldest session of a client; the oldest of all if the client has no sessions.
    private mutating func forgetOldest(of client: ClientTable.Client) {
        var oldest: SessionID?
        for place in queue[first...] {
            guard let entry = entries[place.id], entry.number == place.number else { continue }
            guard entry.client != client else { return forget(place.id) }
            if oldest == nil { oldest = place.id }
        }
        assert(oldest != nil, "expected a place for each of \(entries.count) sessions, got none")
        if let oldest { forget(oldest) }
    }

    /// Without a place, an entry would never be forgotten.
    @inline(__always)
    private func assertPlaces() {
        assert(
            queue.count - first >= entries.count,
            "expected a place for each of \(entries.count) sessions, got \(queue.count - first)")
    }

    private mutating func forget(_ id: SessionID) {
        if let entry = entries.removeValue(forKey: id) { shares.remove(entry.client) }
    }
}
