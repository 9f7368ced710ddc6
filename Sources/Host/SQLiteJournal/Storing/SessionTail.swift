import MachineHost

/// The rows of one session that its snapshot does not contain.
struct SessionTail {
    /// The number of the first such row.
    var first: UInt64
    /// The number of the last one. The others are found from it, by their links.
    var last: UInt64
    /// The number of such rows.
    var count: Int
}

/// The tails of all sessions that have one, and the number of rows.
struct SessionTails {
    private(set) var tails: [StoredSessionID: SessionTail] = [:]
    /// The number of rows that no snapshot contains.
    private(set) var uncovered = 0

    /// The number of the first row that no snapshot contains; nil if none exists. Takes time for each tail.
    var first: UInt64? { tails.values.lazy.map(\.first).min() }

    subscript(_ session: StoredSessionID) -> SessionTail? { tails[session] }

    /// Adds a row. Returns the number of the session's row before; nil if that row is not in the tail.
    @discardableResult
    @inline(__always)
    mutating func append(_ number: UInt64, to session: StoredSessionID) -> UInt64? {
        uncovered += 1
        return SessionTails.append(number, &tails[session])
    }

    // One access to the dictionary, on the path of every row.
    @inline(__always)
    private static func append(_ number: UInt64, _ tail: inout SessionTail?) -> UInt64? {
        guard let before = tail?.last else {
            tail = SessionTail(first: number, last: number, count: 1)
            return nil
        }
        tail?.last = number
        tail?.count += 1
        return before
    }

    /// Replaces a tail by what a new snapshot leaves of it.
    mutating func replace(_ session: StoredSessionID, by tail: SessionTail?) {
        uncovered += (tail?.count ?? 0) - (tails[session]?.count ?? 0)
        tails[session] = tail
    }
}
