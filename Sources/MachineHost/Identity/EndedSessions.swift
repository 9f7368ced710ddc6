/// The sessions that ended recently with their reasons, so that requests for them get 410. Bounded by age and number.
struct EndedSessions {
    private struct Entry {
        let id: SessionID
        let forgottenAt: Tick
    }

    /// The reasons; nil where it is not known.
    private var reasons: [SessionID: EndReason?] = [:]
    private var queue: [Entry] = []
    private var first = 0

    func contains(_ id: SessionID) -> Bool { reasons[id] != nil }

    /// Returns why a session ended; nil if it has not ended, or the reason is not known.
    func reason(of id: SessionID) -> EndReason? { reasons[id] ?? nil }

    var count: Int { reasons.count }

    mutating func insert(_ id: SessionID, _ reason: EndReason?, now: Tick, window: Tick, limit: Int) {
        guard limit > 0, reasons[id] == nil else { return }
        reasons[id] = .some(reason)
        queue.append(Entry(id: id, forgottenAt: now + window))
        while reasons.count > limit { removeFirst() }
    }

    /// Forgets the sessions that ended too long ago.
    mutating func expire(now: Tick) {
        while first < queue.count, queue[first].forgottenAt <= now { removeFirst() }
    }

    private mutating func removeFirst() {
        reasons[queue[first].id] = nil
        first += 1
        // Removing elements from the front moves the rest. Doing so only when half of the queue is free keeps the cost
        // per session constant.
        if 2 * first > queue.count {
            queue.removeFirst(first)
            first = 0
        }
    }
}
