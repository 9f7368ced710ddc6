import MachineHost

// What an earlier process left behind.
extension OpenDatabase {
    /// Finds the rows that no snapshot contains, in one pass over the journal, and updates the times of their sessions.
    func recover() throws {
        rows = Int(try connection.integer("SELECT count(*) FROM journal"))
        lastRow = UInt64(bitPattern: try connection.integer("SELECT max(i) FROM journal"))
        lastContent = try connection.integer("SELECT max(n) FROM contents")
        recordedProgress = UInt64(bitPattern: try connection.integer("SELECT covered FROM progress"))
        var wakeTimes: [StoredSessionID: Int64?] = [:]
        // CROSS JOIN keeps the order: the other one would look up the rows of every session. Rows without a session have no tail.
        let scan = try SQLiteStatement(
            """
            SELECT i, session, j.wakes_at, s.wakes_at FROM journal j CROSS JOIN sessions s ON s.id = j.session
            WHERE i > ? AND i > covers ORDER BY i
            """, connection)
        try scan.bind(stored(recordedProgress), at: 1)
        try scan.use {
            while try scan.step() {
                guard let session = StoredSessionID(bytes: scan.bytes(1)) else { continue }
                tails.append(UInt64(bitPattern: scan.integer(0)), to: session)
                let time = scan.optionalInteger(2)
                if time != scan.optionalInteger(3) {
                    wakeTimes[session] = .some(time)
                } else if !wakeTimes.isEmpty {
                    wakeTimes.removeValue(forKey: session)
                }
            }
        }
        try updateWakeTimes(wakeTimes)
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
