public import MachineHost

extension SQLiteJournal {
    /// The number of rows that a call of ``trim()`` may always remove.
    static let trimmedRows = 1024
    /// The number of rows that one call removes at most.
    static let maxTrimmedRows = 16_384
    /// The number of removable rows behind an old snapshot from which on the snapshot should be renewed.
    static let blockedRows = 4096

    /// Removes some of the oldest rows, as long as snapshots contain them. If many rows are behind one that is needed, removes some of
    /// those as well, wherever they are.
    ///
    /// - Returns: A session whose old snapshot keeps many rows from being removed; nil if none exists.
    public func trim() throws -> StoredSessionID? {
        try writing { database in
            // Twice what was appended, so that regular calls keep up.
            let limit = min(max(SQLiteJournal.trimmedRows, 2 * database.appended), SQLiteJournal.maxTrimmedRows)
            let prefix = try database.removablePrefix(limit)
            if prefix.count > 0 {
                // Without a flush: rows that come back are removed again.
                try database.transaction(isFlushed: false) {
                    try database.statements.removePrefix.bind(stored(prefix.last), at: 1)
                    try database.statements.removePrefix.run()
                }
                database.rows -= prefix.count
            }
            database.appended = 0
            guard let blocker = prefix.blocker,
                database.rows - database.tails.inTable >= SQLiteJournal.blockedRows
            else { return nil }
            // Beside many idle sessions, renewing one snapshot at a time would not keep up.
            _ = try database.transaction(isFlushed: false) { try database.removeUnneeded(limit) }
            return blocker
        }
    }
}

extension SQLiteJournal {
    /// Removes some of the rows that no session needs, wherever they are. Returns whether there may be more of them.
    public func tidy() throws -> Bool {
        try writing { database in
            // All rows are needed, as after the last call on an idle server.
            guard database.tidiedRow > 0 || database.rows > database.tails.inTable else { return false }
            return try database.transaction(isFlushed: false) { try database.removeUnneeded(SQLiteJournal.trimmedRows) }
        }
    }
}

extension OpenDatabase {
    /// Removes the rows that no session needs among a number of them. Returns whether there are more rows.
    fileprivate func removeUnneeded(_ limit: Int) throws -> Bool {
        let statement = statements.nextRows
        try statement.bind(stored(tidiedRow), at: 1)
        try statement.bind(Int64(limit), at: 2)
        var (unneeded, seen): ([UInt64], Int) = ([], 0)
        try statement.use {
            while try statement.step() {
                seen += 1
                tidiedRow = UInt64(bitPattern: statement.integer(0))
                if let session = StoredSessionID(bytes: statement.bytes(1)), try needs(session, tidiedRow) { continue }
                unneeded.append(tidiedRow)
            }
        }
        for number in unneeded {
            try statements.removeRow.bind(stored(number), at: 1)
            try statements.removeRow.run()
        }
        rows -= unneeded.count
        if seen < limit { tidiedRow = 0 }
        return seen == limit
    }

    /// The oldest rows, up to the first that is still needed.
    fileprivate struct Prefix {
        var count = 0
        var last: UInt64 = 0
        /// The session that needs the row after it; nil if the prefix is as long as was allowed, or the whole journal.
        var blocker: StoredSessionID?
    }

    fileprivate func removablePrefix(_ limit: Int) throws -> Prefix {
        let statement = statements.oldestRows
        try statement.bind(Int64(limit), at: 1)
        return try statement.use {
            var prefix = Prefix()
            while try statement.step() {
                let number = UInt64(bitPattern: statement.integer(0))
                if let session = StoredSessionID(bytes: statement.bytes(1)), try needs(session, number) {
                    prefix.blocker = session
                    break
                }
                prefix.count += 1
                prefix.last = number
            }
            return prefix
        }
    }

    private func needs(_ session: StoredSessionID, _ number: UInt64) throws -> Bool {
        guard let tail = tails[session], number >= tail.first else { return false }
        if try place(of: session) != nil { return true }
        // The host has appended a row to a session that is not stored. Nobody can renew its snapshot.
        tails.replace(session, by: nil)
        return false
    }
}
