extension SQLiteJournal {
    /// Returns a named value of the journal itself; nil if it was never set.
    ///
    /// - Throws: `JournalError(.damaged)` if other bytes were stored.
    public func property(_ name: String) throws -> [UInt8]? { try database().property(name) }

    /// Removes secret properties, such as those of a copy (``beginBackup(to:adding:)``). Their bytes are in no file of the journal
    /// afterwards.
    ///
    /// - Throws: `JournalError`. Then the journal accepts nothing any more.
    public func erase(_ properties: [String]) throws {
        try writing { try $0.erase(properties) }
    }
}

extension OpenDatabase {
    /// Returns a named value of the journal itself; nil if it was never set.
    func property(_ name: String) throws -> [UInt8]? {
        let statement = statements.property
        var text = name
        return try text.withUTF8 { text in
            try statement.bind(text: text, at: 1)
            return try statement.use {
                guard try statement.step() else { return nil }
                let value = Array(statement.bytes(0))
                let checksum = value.withUnsafeBytes { StoredChecksum.property(text, $0) }
                try statement.verify(1, checksum, "the journal's property \"\(name)\"")
                return value
            }
        }
    }

    fileprivate func erase(_ properties: [String]) throws {
        let removal = try SQLiteStatement("DELETE FROM properties WHERE name = ?", connection)
        // Only for these. Otherwise, the bytes would stay in the pages until something else takes their place.
        try connection.execute("PRAGMA secure_delete=ON")
        try transaction(isFlushed: true) {
            for property in properties {
                var name = property
                try name.withUTF8 { name in
                    try removal.bind(text: name, at: 1)
                    try removal.run()
                }
            }
        }
        try connection.execute("PRAGMA secure_delete=OFF")
        // Until now, the database has the pages with the bytes, and maybe the log.
        try checkpointCompletely()
    }
}

extension SQLiteStatement {
    /// Sets a property with `SQLiteStatements.propertyChange`.
    func set(property name: String, to value: [UInt8]) throws {
        var name = name
        try name.withUTF8 { name in
            try value.withUnsafeBytes { value in
                try bind(text: name, at: 1)
                try bind(value, at: 2)
                try bind(StoredChecksum.property(name, value), at: 3)
                try run()
            }
        }
    }
}
