import MachineHost

extension OpenDatabase {
    /// Finds the rows that no snapshot contains, in one pass over the journal, and updates the times of their sessions.
    ///
    /// If the journal is an older state, a session ends before the first row that is lost, and the rows after it are removed.
    func recover() throws {
        rows = Int(try connection.integer("SELECT count(*) FROM journal"))
        lastRow = UInt64(bitPattern: try connection.integer("SELECT max(i) FROM journal"))
        lastTableRow = lastRow
        lastContent = try connection.integer("SELECT max(n) FROM contents")
        let isOlder = lacksCommits || isCopy || isMarked
        var wakeTimes: [StoredSessionID: Int64?] = [:]
        // LEFT JOIN keeps the order: the other one would look up the rows of every session.
        let scan = try SQLiteStatement(
            """
            SELECT i, session, j.wakes_at, s.wakes_at, s.id IS NULL, previous, covers
            FROM journal j LEFT JOIN sessions s ON s.id = j.session
            WHERE i > ? AND (s.id IS NULL OR i > covers) ORDER BY i
            """, connection)
        try scan.bind(stored(recordedProgress), at: 1)
        var (strays, unlinked): ([UInt64], [UInt64]) = ([], [])
        try scan.use {
            while try scan.step() {
                // Rows without a session have no tail.
                guard scan.integer(4) == 0, let session = StoredSessionID(bytes: scan.bytes(1)) else {
                    strays.append(UInt64(bitPattern: scan.integer(0)))
                    continue
                }
                let (number, previous) = (UInt64(bitPattern: scan.integer(0)), UInt64(bitPattern: scan.integer(5)))
                let isLinked =
                    tails[session].map { $0.last == previous } ?? (previous <= UInt64(bitPattern: scan.integer(6)))
                // A row whose link is damaged stays, and keeps its session from being loaded.
                if isOlder, !isLinked, try isIntact(number) {
                    unlinked.append(number)
                    continue
                }
                tails.append(number, to: session)
                let time = scan.optionalInteger(2)
                if time != scan.optionalInteger(3) {
                    wakeTimes[session] = .some(time)
                } else if !wakeTimes.isEmpty {
                    wakeTimes.removeValue(forKey: session)
                }
            }
        }
        let intact = try strays.filter { try isIntact($0) }
        lacksRows = intact.count < strays.count
        try removeRows(intact + unlinked)
        try updateWakeTimes(wakeTimes)
    }

    /// Removes rows, such as those of sessions that were removed, so that they do not become the rows of other ones with the same ids.
    private func removeRows(_ numbers: [UInt64]) throws {
        guard !numbers.isEmpty else { return }
        try transaction(isFlushed: false) {
            for number in numbers {
                try statements.removeRow.bind(stored(number), at: 1)
                try statements.removeRow.run()
            }
        }
        rows -= numbers.count
    }

    /// Returns whether a row has its checksum. Otherwise, it may be the row of another session, or follow another row.
    private func isIntact(_ number: UInt64) throws -> Bool {
        let statement = try SQLiteStatement(
            "SELECT session, previous, wakes_at, content, checksum FROM journal WHERE i = ?", connection)
        try statement.bind(stored(number), at: 1)
        return try statement.use {
            guard try statement.step(), let session = StoredSessionID(bytes: statement.bytes(0)) else { return false }
            let checksum = StoredChecksum.row(
                number, of: session, previous: UInt64(bitPattern: statement.integer(1)),
                wakesAt: statement.optionalInteger(2), statement.bytes(3))
            return statement.isNull(4) || statement.integer(4) == checksum
        }
    }

    private func updateWakeTimes(_ times: [StoredSessionID: Int64?]) throws {
        guard !times.isEmpty else { return }
        // min() of SQL is NULL if one of its arguments is.
        let update = try SQLiteStatement(
            """
            UPDATE sessions SET wakes_at = ?2, due_at = min(ifnull(?2, expires_at), ifnull(expires_at, ?2))
            WHERE id = ?1
            """, connection)
        // Without a flush: the next process would find the same.
        try transaction(isFlushed: false) {
            for (session, time) in times {
                try session.withBytes { id in
                    try update.bind(id, at: 1)
                    try update.bind(time, at: 2)
                    try update.run()
                }
            }
        }
    }
}
