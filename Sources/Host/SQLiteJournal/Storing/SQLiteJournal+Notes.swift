public import MachineHost

extension SQLiteJournal {
    /// Returns the note with a key; nil if it is not stored.
    public func note(_ key: JournalNoteKey) throws -> JournalNote? {
        let statement = try database().statements.note
        return try key.withBytes { bytes in
            try statement.bind(bytes, at: 1)
            return try statement.use {
                guard try statement.step() else { return nil }
                return JournalNote(key: key, until: statement.integer(0), content: Array(statement.bytes(1)))
            }
        }
    }
}

extension OpenDatabase {
    /// Stores a note. Belongs into a transaction.
    func set(_ note: JournalNote) throws {
        try note.key.withBytes { key in
            try note.content.withUnsafeBytes { content in
                try statements.setNote.bind(key, at: 1)
                try statements.setNote.bind(note.until, at: 2)
                try statements.setNote.bind(content, at: 3)
                try statements.setNote.run()
            }
        }
    }
}

extension JournalNoteKey {
    /// Calls a closure with the sixteen bytes of the key.
    fileprivate func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
    }
}
