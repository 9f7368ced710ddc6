/// The sessions that ended recently, so that requests for them get 410. Bounded by age and number.
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

    /// Forgets the sessions that ended too long ago.
    mutating func expire(now: Tick) {
        while first < queue.count, queue[first].forgottenAt <= now { removeFirst() }
    }

    private mutating func removeFirst() {
        ids.remove(queue[first].id)
        first += 1
        // Removing elements from the front moves the rest. Doing so only when half of the queue is free keeps the cost
        // per session constant.
        if 2 * first > queue.count {
            queue.removeFirst(first)
            first = 0
        }
    }
}
