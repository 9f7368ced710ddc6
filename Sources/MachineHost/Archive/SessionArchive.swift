import JSONText

/// The stored sessions of a journal, for operators.
///
/// Session ids are credentials and stored as digests. Operators name a session by its complete id, or by the beginning of
/// the stored form.
package struct SessionArchive {
    private let access: any JournalAccess
    private let now: @Sendable () -> WallTime

    /// Creates an archive.
    ///
    /// - Parameters:
    ///   - access: The journal.
    ///   - now: Returns the time of day.
    package init(_ access: any JournalAccess, now: @escaping @Sendable () -> WallTime = WallTime.now) {
        self.access = access
        self.now = now
    }

    /// Returns the result of a closure that uses the journal.
    func useJournal<Result>(_ body: @escaping (any Journal) throws -> Result) throws -> Result { try access.use(body) }

    private var wallMilliseconds: Int64 { now().sinceBeginning / 1_000_000 }

    /// The number of sessions that are read at once, so that a server stores batches in between.
    private static let pageSize = 500

    /// Calls a closure with each stored session, in the order of the stored ids.
    package func forEach(_ body: (SessionSummary) throws -> Void) throws {
        var last: StoredSessionID?
        while true {
            let page = try access.use { try $0.sessions(after: last, limit: Self.pageSize) }
            for summary in page { try body(summary) }
            guard page.count == Self.pageSize else { return }
            last = page.last?.id
        }
    }

    /// Returns the session that an operator names.
    ///
    /// - Throws: ``ArchiveError`` if there is none, or several.
    package func find(_ name: String) throws -> SessionSummary {
        if let id = SessionID(text: name), let entry = try access.use({ try $0.load(StoredSessionID(of: id)) }),
            let summary = entry.snapshot?.summary
        {
            return summary
        }
        guard let first = StoredSessionID(beginning: name) else { throw ArchiveError.noSession(name) }
        // Ids are listed after one, so the one before the first possible one.
        let found = try access.use { try $0.sessions(after: first.predecessor, limit: 2) }
            .filter { $0.id.text.hasPrefix(name.lowercased()) }
        guard let summary = found.first else { throw ArchiveError.noSession(name) }
        guard found.count == 1 else { throw ArchiveError.ambiguous(name, found.map(\.id.text)) }
        return summary
    }

    /// Returns a session that has not ended, with its rows.
    func load(_ name: String) throws -> (summary: SessionSummary, entry: JournalEntry) {
        let summary = try find(name)
        guard !summary.hasEnded else { throw ArchiveError.ended(name) }
        guard let entry = try access.use({ try $0.load(summary.id) }) else { throw ArchiveError.noSession(name) }
        return (summary, entry)
    }

    /// Ends a session. Its clients learn that it has ended if a server runs.
    package func delete(_ name: String) throws {
        let summary = try find(name)
        guard try access.end(summary) else { throw ArchiveError.busy(name) }
    }

    /// Creates a session from an earlier moment of another one, and returns its id.
    ///
    /// - Parameters:
    ///   - name: The session.
    ///   - version: The version of the moment; nil for the newest.
    package func fork(_ name: String, at version: UInt64?) throws -> String {
        let (summary, entry) = try load(name)
        var fork = try StoredSession(beginningOf: entry, through: version, named: name)
        let id = SessionID.random(onLoop: 0, of: 1)
        fork.becomeNew(created: now().seconds)
        try store(fork, as: StoredSessionID(of: id), lifetimeOf: summary)
        return id.text
    }

    /// Stores a session without rows.
    func store(_ session: StoredSession, as id: StoredSessionID, lifetimeOf former: SessionSummary) throws {
        let now = wallMilliseconds
        let summary = SessionSummary(
            id: id, machine: session.machine, version: session.version, createdAt: session.created * 1000, usedAt: now,
            expiresAt: former.expiresAt.map { now + max(0, $0 - former.usedAt) }, wakesAt: former.wakesAt,
            hasEnded: false)
        var batch = JournalBatch()
        batch.add(.store(SessionSnapshot(summary: summary, covers: 0, content: session.content)))
        try access.use { journal in
            guard try journal.load(id) == nil else { throw ArchiveError.exists(id.text) }
            try journal.commit(batch, isFlushed: true)
        }
    }
}

extension StoredSession {
    /// Reads a session as it was when it had a version.
    fileprivate init(beginningOf entry: JournalEntry, through version: UInt64?, named name: String) throws {
        guard let snapshot = entry.snapshot else { throw RecordReader.Damaged() }
        try self.init(snapshot.content[...])
        let first = self.version
        let records = try entry.rows.map { try TurnRecord($0.content[...]) }
        let last = records.last?.version ?? first
        guard let version else {
            for record in records { apply(record) }
            return
        }
        guard first <= version, version <= last else {
            throw ArchiveError.noVersion(version, name: name, stored: first...max(first, last))
        }
        for record in records where record.version <= version { apply(record) }
    }

    /// Makes a copy of a session one of its own: clients of the other session know nothing about it.
    fileprivate mutating func becomeNew(created seconds: Int64) {
        epoch = .random()
        created = seconds
        changes = []
        keyed = []
        former = nil
    }
}

/// An error of a command about stored sessions.
package enum ArchiveError: Error, Equatable, CustomStringConvertible {
    case noSession(String)
    case ambiguous(String, [String])
    case ended(String)
    case busy(String)
    case exists(String)
    case noVersion(UInt64, name: String, stored: ClosedRange<UInt64>)
    case notExported(String)

    /// The error as a sentence without a full stop.
    package var description: String {
        switch self {
        case .noSession(let name):
            "expected the id of a stored session, or the beginning of its stored form as list shows it, got \"\(name)\""
        case .ambiguous(let name, let ids):
            "\"\(name)\" is the beginning of several stored ids: \(ids.joined(separator: ", "))"
        case .ended(let name): "expected a session that has not ended, got \"\(name)\""
        case .busy(let name): "the session \"\(name)\" is being loaded; try again"
        case .exists(let id): "a session with the stored id \(id) exists; delete it first"
        case .noVersion(let version, let name, let stored):
            "expected a version of \"\(name)\" from \(stored.lowerBound) to \(stored.upperBound), which are stored, got \(version)"
        case .notExported(let reason): "expected a file that `sessions export` has written: \(reason)"
        }
    }
}
