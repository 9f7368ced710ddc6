/// The times at which sessions are due, the earliest first: a heap whose outdated entries are removed when they come up.
package struct DueTimes {
    private struct Entry {
        let time: Int64
        let session: StoredSessionID

        func isBefore(_ other: Entry) -> Bool {
            (time, session.high, session.low) < (other.time, other.session.high, other.session.low)
        }
    }

    private var heap: [Entry] = []
    private var current: [StoredSessionID: Int64] = [:]

    /// Creates an empty set of times.
    package init() {}

    /// Sets the time at which a session is due; nil if it is not.
    package mutating func set(_ session: StoredSessionID, _ time: Int64?) {
        let known = current[session]
        guard known != time else { return }
        current[session] = time
        guard let time else { return }
        heap.append(Entry(time: time, session: session))
        moveUp(heap.count - 1)
        if heap.count > 64, heap.count > 2 * current.count {
            // A sorted array is a heap.
            heap = current.map { Entry(time: $0.value, session: $0.key) }.sorted { $0.isBefore($1) }
        }
        assertEntries()
    }

    /// The earliest time; nil if no session is due.
    package mutating func next() -> Int64? {
        while let first = heap.first {
            if current[first.session] == first.time { return first.time }
            removeFirst()
        }
        // Without an entry, a session would never be due.
        assert(current.isEmpty, "expected an entry for each of \(current.count) sessions, got none")
        return nil
    }

    /// Returns the sessions that are due at or before a time, the earliest first and those with the same time by id.
    package mutating func sessions(dueAt time: Int64, limit: Int) -> [StoredSessionID] {
        var due: [Entry] = []
        // Two entries are equal if the time of a session was changed and then changed back.
        var seen: Set<StoredSessionID> = []
        while due.count < limit, let first = heap.first, first.time <= time {
            removeFirst()
            assert(
                due.last.map { !first.isBefore($0) } ?? true,
                "expected entries in the order of their times, got \(first.time)")
            if current[first.session] == first.time, seen.insert(first.session).inserted { due.append(first) }
        }
        for entry in due {
            heap.append(entry)
            moveUp(heap.count - 1)
        }
        assertEntries()
        return due.map(\.session)
    }

    /// Without an entry, a session would never be due.
    @inline(__always)
    private func assertEntries() {
        assert(
            heap.count >= current.count, "expected an entry for each of \(current.count) sessions, got \(heap.count)")
    }

    private mutating func moveUp(_ start: Int) {
        var place = start
        while place > 0, heap[place].isBefore(heap[(place - 1) / 2]) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            if least == place { return }
            heap.swapAt(place, least)
            place = least
        }
    }
}
