import MachineHost

/// The rows of one session that its snapshot does not contain.
struct SessionTail {
    /// The number of the first such row.
    var first: UInt64
    /// The number of the last one. The others are found from it, by their links.
    var last: UInt64
    /// The number of such rows.
    var count: Int
    /// The number of those that are in the row log, and not in the table.
    var logged: Int
}

/// The tails of all sessions that have one, and the number of rows.
struct SessionTails {
    private(set) var tails: [StoredSessionID: SessionTail] = [:]
    /// The number of rows that no snapshot contains.
    private(set) var uncovered = 0
    /// The number of those that are in the row log.
    private var logged = 0
    /// The number of those that are in the table.
    var inTable: Int { uncovered - logged }

    /// The number of the first row that no snapshot contains; nil if none exists. Takes time for each tail.
    var first: UInt64? { tails.values.lazy.map(\.first).min() }

    subscript(_ session: StoredSessionID) -> SessionTail? { tails[session] }

    /// Adds a row. Returns the number of the session's row before; nil if that row is not in the tail.
    @discardableResult
    @inline(__always)
    mutating func append(_ number: UInt64, to session: StoredSessionID, isLogged: Bool = false) -> UInt64? {
        uncovered += 1
        if isLogged { logged += 1 }
        return SessionTails.append(number, isLogged ? 1 : 0, &tails[session])
    }

    /// Returns whether no snapshot contains a row.
    func isNeeded(_ number: UInt64, of session: StoredSessionID) -> Bool {
        tails[session].map { number >= $0.first } ?? false
    }

    /// Notes that a row was moved from the row log into the table.
    mutating func wasMoved(_ session: StoredSessionID) {
        assert(logged > 0 && tails[session]?.logged != 0, "expected a row in the row log")
        logged -= 1
        tails[session]?.logged -= 1
    }

    // One access to the dictionary, on the path of every row.
    @inline(__always)
    private static func append(_ number: UInt64, _ logged: Int, _ tail: inout SessionTail?) -> UInt64? {
        guard let before = tail?.last else {
            tail = SessionTail(first: number, last: number, count: 1, logged: logged)
            return nil
        }
        tail?.last = number
        tail?.count += 1
        tail?.logged += logged
        return before
    }

    /// Replaces a tail by what a new snapshot leaves of it.
    mutating func replace(_ session: StoredSessionID, by tail: SessionTail?) {
        uncovered += (tail?.count ?? 0) - (tails[session]?.count ?? 0)
        logged += (tail?.logged ?? 0) - (tails[session]?.logged ?? 0)
        tails[session] = tail
    }
}
