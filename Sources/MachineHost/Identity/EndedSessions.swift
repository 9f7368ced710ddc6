/// The sessions that have ended, remembered for a while and up to a number, so that their clients are told so.
struct EndedSessions {
    private struct Entry {
        let id: SessionID
        let forgottenAt: Tick
    }

    private var ids: Set<SessionID> = []
    private var queue: [Entry] = []
    private var first = 0

    func contains(_ id: SessionID) -> Bool { ids.contains(id) }

    var count: Int { ids.count }

    mutating func insert(_ id: SessionID, now: Tick, window: Tick, limit: Int) {
        guard limit > 0, ids.insert(id).inserted else { return }
        queue.append(Entry(id: id, forgottenAt: now + window))
        while ids.count > limit { removeFirst() }
    }

    /// Forgets those whose time has come.
    mutating func expire(now: Tick) {
        while first < queue.count, queue[first].forgottenAt <= now { removeFirst() }
    }

    private mutating func removeFirst() {
        ids.remove(queue[first].id)
        first += 1
        if 2 * first > queue.count {
            queue.removeFirst(first)
            first = 0
        }
    }
}
