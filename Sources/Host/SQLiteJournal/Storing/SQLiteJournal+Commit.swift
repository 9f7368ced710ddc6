public import MachineHost

extension SQLiteJournal {
    /// Stores a batch, completely or not at all. After an error the journal accepts nothing any more.
    ///
    /// - Parameters:
    ///   - batch: The changes, in order.
    ///   - isFlushed: Whether the batch and all before it are flushed to the disk.
    /// - Throws: `JournalError`: `.full`, `.inputOutput`, also if the files are no longer at their paths, or `.closed` after an
    ///   earlier error.
    public func commit(_ batch: JournalBatch, isFlushed: Bool) throws {
        let isLogged = try writing { database in
            if batch.isEmpty { return false }
            if isFlushed, try database.log(batch) { return true }
            try database.store(batch, isFlushed: isFlushed)
            return false
        }
        // Not before it was verified that the files are those that the next process finds.
        if isLogged { opened?.noteRows() } else { opened?.noteCommit() }
        // Not before the commit was noted: the next one may begin the log again, under another salt.
        if opened?.isDueForCheckpoint(from: SQLiteJournal.toleratedPages) == true {
            try writing { try $0.checkpoint(from: SQLiteJournal.toleratedPages) }
        }
    }
}

extension OpenDatabase {
    /// Stores a batch in the tables.
    fileprivate func store(_ batch: JournalBatch, isFlushed: Bool) throws {
        // The rows of a session's first life must not come back with its second one after a crash.
        if removed.contains(sessionStoredBy: batch) { try moveAllRows() }
        try transaction(isFlushed: isFlushed) {
            try batch.bytes.withUnsafeBytes { bytes in
                for change in batch.changes { try apply(change, bytes) }
            }
        }
        hasUnflushedCommit = !isFlushed
    }

    @inline(__always)
    private func apply(_ change: JournalBatch.Change, _ bytes: UnsafeRawBufferPointer) throws {
        switch change {
        case .append(let row): try append(row, bytes)
        case .store(let snapshot): try store(snapshot)
        case .update(let summary): try write(summary, with: statements.updateSession)
        case .remove(let session): try remove(session)
        case .set(property: let name, let value): try statements.setProperty.set(property: name, to: value)
        case .note(let note): try set(note)
        case .removeNotes(let time):
            try statements.removeNotes.bind(time, at: 1)
            try statements.removeNotes.run()
        }
    }

    @inline(__always)
    private func append(_ row: JournalBatch.JournalRow, _ bytes: UnsafeRawBufferPointer) throws {
        guard loggedRows[row.number] == nil else { throw OpenDatabase.repeated(row.number) }
        try note(row, isLogged: false)
        try insert(
            LoggedRow(
                session: row.session, number: row.number, previous: row.previous, wakesAt: row.wakesAt,
                content: UnsafeRawBufferPointer(rebasing: bytes[row.content])))
    }

    /// Adds a row to the tail of its session.
    @inline(__always)
    func note(_ row: JournalBatch.JournalRow, isLogged: Bool) throws {
        let before = tails.append(row.number, to: row.session, isLogged: isLogged)
        // A wrong link would make rows unreachable, which nobody would notice before the session is loaded.
        guard before == nil || before == row.previous, row.previous < row.number else {
            throw JournalError(
                .unsupported, "expected row \(row.number) to follow row \(before ?? 0), got a link to \(row.previous)")
        }
        lastRow = max(lastRow, row.number)
    }

    /// Inserts a row into the table. Belongs into a transaction.
    @inline(__always)
    func insert(_ row: LoggedRow) throws {
        let statement = statements.appendRow
        try row.session.withBytes { session in
            try statement.bind(stored(row.number), at: 1)
            try statement.bind(session, at: 2)
            try statement.bind(Int64(bitPattern: row.previous), at: 3)
            try statement.bind(row.wakesAt, at: 4)
            try statement.bind(row.content, at: 5)
            let checksum = StoredChecksum.row(
                row.number, of: row.session, previous: row.previous, wakesAt: row.wakesAt, row.content)
            try statement.bind(checksum, at: 6)
            try statement.run()
        }
        rows += 1
        appended += 1
        lastTableRow = max(lastTableRow, row.number)
        // Numbers that several threads draw may arrive in another order.
        if row.number <= recordedProgress { try setProgress(row.number - 1) }
    }

    private func store(_ snapshot: SessionSnapshot) throws {
        let session = snapshot.summary.id
        let known = try place(of: session)
        if known == nil, removed.forget(session) { try removeRows(of: session) }
        let key = known?.content ?? lastContent + 1
        try snapshot.content.withUnsafeBytes { content in
            try statements.storeContent.bind(key, at: 1)
            try statements.storeContent.bind(content, at: 2)
            let checksum = StoredChecksum.snapshot(of: session, covers: snapshot.covers, content)
            try statements.storeContent.bind(checksum, at: 3)
            try statements.storeContent.run()
        }
        let covers = try stored(snapshot.covers)
        let statement = known != nil ? statements.renewSession : statements.addSession
        try statement.bind(covers, at: 10)
        if known == nil {
            try statement.bind(key, at: 13)
            lastContent = key
        }
        try write(owned: snapshot.summary, with: statement)
        try shortenTail(of: session, to: snapshot.covers)
    }

    /// Writes a summary with its owner and its name, which another session loses.
    private func write(owned summary: SessionSummary, with statement: SQLiteStatement) throws {
        if let name = summary.name, !summary.hasEnded {
            try releaseName(name, of: summary.machine, exceptFrom: summary.id)
        }
        guard let owner = summary.owner else {
            try statement.bind(nil as Int64?, at: 11)
            return try write(named: summary, with: statement)
        }
        try owner.withBytes { owner in
            try statement.bind(owner, at: 11)
            try write(named: summary, with: statement)
        }
    }

    private func write(named summary: SessionSummary, with statement: SQLiteStatement) throws {
        guard var text = summary.name?.text else {
            try statement.bind(nil as Int64?, at: 12)
            return try write(summary, with: statement)
        }
        try text.withUTF8 { text in
            try statement.bind(text: text, at: 12)
            try write(summary, with: statement)
        }
    }

    private func releaseName(_ name: SessionName, of machine: String, exceptFrom session: StoredSessionID) throws {
        let statement = statements.releaseName
        try statement.bind(name, of: machine) {
            try session.withBytes { id in
                try statement.bind(id, at: 4)
                try statement.run()
            }
        }
    }

    private func write(_ summary: SessionSummary, with statement: SQLiteStatement) throws {
        var machine = summary.machine
        try machine.withUTF8 { machine in
            try summary.id.withBytes { id in
                try statement.bind(id, at: 1)
                try statement.bind(text: machine, at: 2)
                try statement.bind(Int64(bitPattern: summary.version), at: 3)
                try statement.bind(summary.createdAt, at: 4)
                try statement.bind(summary.usedAt, at: 5)
                try statement.bind(summary.expiresAt, at: 6)
                try statement.bind(summary.wakesAt, at: 7)
                try statement.bind(summary.dueAt, at: 8)
                try statement.bind(summary.hasEnded ? 1 : 0, at: 9)
                try statement.run()
            }
        }
    }

    /// Keeps only the rows after a snapshot in the tail of its session.
    private func shortenTail(of session: StoredSessionID, to covers: UInt64) throws {
        guard let tail = tails[session], covers >= tail.first else { return }
        guard covers < tail.last else { return tails.replace(session, by: nil) }
        var left = SessionTail(first: tail.last, last: tail.last, count: 0, logged: 0)
        var number = tail.last
        while number > covers {
            left.first = number
            left.count += 1
            if loggedRows[number] != nil { left.logged += 1 }
            guard let previous = try previous(of: number, session) else { break }
            number = previous
        }
        tails.replace(session, by: left)
    }

    private func remove(_ session: StoredSessionID) throws {
        let known = try place(of: session)
        // By the links: the covered rows that are still there are removed, too.
        var number = max(tails[session]?.last ?? 0, known?.covers ?? 0)
        // Rows that a snapshot contained before they were moved into the table are not there, so that older ones are not found.
        if number > 0 { try removed.add(session, number, oldestRow) }
        while number > 0, let previous = try previous(of: number, session) {
            if loggedRows[number] == nil {
                try statements.removeRow.bind(stored(number), at: 1)
                try statements.removeRow.run()
                rows -= 1
            }
            number = previous
        }
        tails.replace(session, by: nil)
        guard let known else { return }
        try statements.removeContent.bind(known.content, at: 1)
        try statements.removeContent.run()
        try session.withBytes { id in
            try statements.removeSession.bind(id, at: 1)
            try statements.removeSession.run()
        }
    }

    /// Returns the key of a session's content and the last row of its snapshot; nil if it is not stored.
    func place(of session: StoredSessionID) throws -> (content: Int64, covers: UInt64)? {
        let statement = statements.sessionPlace
        return try session.withBytes { id in
            try statement.bind(id, at: 1)
            return try statement.use {
                guard try statement.step() else { return nil }
                return (statement.integer(0), UInt64(bitPattern: statement.integer(1)))
            }
        }
    }

    /// Returns the number of the row before one of a session's rows; nil if that row does not exist.
    private func previous(of number: UInt64, _ session: StoredSessionID) throws -> UInt64? {
        if let row = loggedRow(number) { return row.session == session ? row.previous : nil }
        let statement = statements.previousRow
        return try session.withBytes { id in
            try statement.bind(stored(number), at: 1)
            try statement.bind(id, at: 2)
            return try statement.use { try statement.step() ? UInt64(bitPattern: statement.integer(0)) : nil }
        }
    }

    /// Removes all rows of a session from the table, in one pass over it.
    private func removeRows(of session: StoredSessionID) throws {
        let removal = try SQLiteStatement("DELETE FROM journal WHERE session = ?", connection)
        try session.withBytes { id in
            try removal.bind(id, at: 1)
            try removal.run()
        }
        rows = Int(try connection.integer("SELECT count(*) FROM journal"))
    }

    /// The number of the oldest row.
    private func oldestRow() throws -> UInt64 {
        let inTable = UInt64(bitPattern: try connection.integer("SELECT ifnull(min(i), \(Int64.max)) FROM journal"))
        return min(inTable, loggedRows.keys.min() ?? .max)
    }
}
