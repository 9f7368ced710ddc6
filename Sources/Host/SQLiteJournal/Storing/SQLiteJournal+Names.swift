public import MachineHost

extension SQLiteJournal {
    /// Returns the session of a machine with a name that has not ended; nil if none exists.
    public func session(named name: SessionName, of machine: String) throws -> StoredSessionID? {
        let statement = try database().statements.sessionNamed
        return try statement.bind(name, of: machine) {
            try statement.use {
                guard try statement.step() else { return nil }
                guard let id = StoredSessionID(bytes: statement.bytes(0)) else {
                    throw JournalError(
                        .damaged,
                        "expected ids of 16 bytes in \(directory.database), got one of \(statement.bytes(0).count)")
                }
                return id
            }
        }
    }
}

extension SQLiteStatement {
    /// Binds an owner, a machine and a name as the first three parameters, while a closure runs.
    func bind<Result>(_ name: SessionName, of machine: String, _ body: () throws -> Result) throws -> Result {
        var (machine, text) = (machine, name.text)
        return try name.owner.withBytes { owner in
            try machine.withUTF8 { machine in
                try text.withUTF8 { text in
                    try bind(owner, at: 1)
                    try bind(text: machine, at: 2)
                    try bind(text: text, at: 3)
                    return try body()
                }
            }
        }
    }
}

extension SessionOwner {
    /// Calls a closure with the sixteen bytes of the owner.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
    }
}

extension SessionOwner {
    /// Reads an owner from the columns of `SQLiteStatements.summary`; nil if none exists.
    init?(row: SQLiteStatement, path: String) throws {
        guard !row.isNull(8) else { return nil }
        // The bytes are valid until the next column is read in another form.
        guard let owner = StoredSessionID(bytes: row.bytes(8)) else {
            throw JournalError(.damaged, "expected owners of 16 bytes in \(path), got one of \(row.bytes(8).count)")
        }
        self.init(high: owner.high, low: owner.low)
    }
}

extension SessionName {
    /// Reads a name from the columns of `SQLiteStatements.summary`; nil if none exists.
    init?(row: SQLiteStatement, path: String) throws {
        guard !row.isNull(9) else { return nil }
        guard let owner = try SessionOwner(row: row, path: path) else {
            throw JournalError(.damaged, "expected an owner of each name in \(path), got none")
        }
        self.init(owner: owner, text: row.text(9))
    }
}
