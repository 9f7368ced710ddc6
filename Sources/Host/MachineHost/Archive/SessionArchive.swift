/// The stored sessions of a journal, for operators.
///
/// Session ids are credentials and stored as digests. Operators name a session by its complete id, or by the beginning of
/// the stored form.
package struct SessionArchive {
    private let access: any JournalAccess
    private let now: @Sendable () -> WallTime
    let seal: SessionSeal

    /// Creates an archive.
    ///
    /// - Parameters:
    ///   - seal: The seal that decrypts sessions.
    ///   - now: Returns the time of day.
    package init(
        _ access: any JournalAccess, opening seal: SessionSeal = SessionSeal(),
        now: @escaping @Sendable () -> WallTime = WallTime.now
    ) {
        self.access = access
        self.seal = seal
        self.now = now
    }

    /// Returns the result of a closure that uses the journal.
    func useJournal<Result>(_ body: @escaping (any Journal) throws -> Result) throws -> Result { try access.use(body) }

    /// Returns by how much the wall clock is ahead of the journal's times, in milliseconds.
    func wallLead() throws -> Int64 { try access.use { try ClockAnchor(storedIn: $0)?.wallLead ?? 0 } }

    /// Returns the stored time, in milliseconds.
    private func storedMilliseconds() throws -> Int64 { try now().sinceBeginning / 1_000_000 - wallLead() }

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

    /// Returns the summaries of stored sessions after an id, in the order of the ids.
    func summaries(after last: StoredSessionID?, limit: Int) throws -> [SessionSummary] {
        try access.use { try $0.sessions(after: last, limit: limit) }
    }

    /// Returns the session that an operator names.
    ///
    /// - Throws: ``ArchiveError`` if none exists, or several do.
    package func find(_ name: String) throws -> SessionSummary {
        if let id = SessionID(text: name),
            let summary = try access.use({ try $0.summary(of: StoredSessionID(of: id)) })
        {
            return summary
        }
        guard let first = StoredSessionID(beginning: name) else { throw ArchiveError.noSession(name) }
        // `sessions(after:limit:)` excludes its id: start at the predecessor of the first id that can match.
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

    /// Ends the sessions of a machine, and forgets the shape of their state, so that a build with another shape may begin.
    ///
    /// - Parameter machine: The machine in this build.
    /// - Returns: The number of sessions.
    package func deleteAll(of machine: MachineDefinition) throws -> Int {
        var found: [SessionSummary] = []
        try forEach { if $0.machine == machine.name { found.append($0) } }
        for summary in found {
            guard try access.end(summary) else { throw ArchiveError.busy(summary.id.text) }
        }
        let forgetting = KnownShapes.forgetting(machine)
        try access.commit { _ in [forgetting] }
        return found.count
    }

    /// Ends the quarantine of a session that has ended too many processes, before its time is over.
    ///
    /// - Throws: `ArchiveError.notQuarantined` if it may be restored anyway.
    package func release(_ name: String) throws {
        let (summary, entry) = try load(name)
        var session = try StoredSession(entry, opening: seal)
        guard session.traps.quarantineEnd(now: try storedMilliseconds()) != nil else {
            throw ArchiveError.notQuarantined(name)
        }
        session.traps = TrapHistory()
        var current = summary
        current.version = session.version
        current.wakesAt = entry.rows.last.map(\.wakesAt) ?? summary.wakesAt
        let snapshot = SessionSnapshot(
            summary: current, covers: entry.rows.last?.number ?? entry.snapshot?.covers ?? 0,
            content: seal.content(of: session, summary.id, isSealed: entry.isSealed))
        try access.commit { journal in
            // It may have ended, or taken a turn, since it was read. Then it is no longer quarantined.
            guard try journal.load(summary.id) == entry else { throw ArchiveError.busy(name) }
            return [.store(snapshot)]
        }
    }

    /// Creates a session from an earlier moment of another one, and returns its id.
    ///
    /// The new session asks nothing that the other one has asked: its open effects fail when it is loaded. Its timers are its
    /// own.
    ///
    /// - Parameter version: The version of the moment; nil for the newest.
    package func fork(_ name: String, at version: UInt64?) throws -> String {
        let (summary, entry) = try load(name)
        let (former, wakesAt) = try StoredSession.beginning(of: try seal.open(entry), through: version, named: name)
        var fork = former
        let id = SessionID.random(onLoop: 0, of: 1)
        fork.becomeNew(created: now().seconds)
        try store(fork, as: StoredSessionID(of: id), lifetimeOf: summary, wakesAt: wakesAt, isSealed: entry.isSealed)
        return id.text
    }

    /// Stores a session without rows, in place of one with its id that has ended.
    func store(
        _ session: StoredSession, as id: StoredSessionID, lifetimeOf former: SessionSummary, wakesAt: Int64?,
        isSealed: Bool
    ) throws {
        // Clients of another epoch have received them.
        assert(session.changes.isEmpty, "expected a session in a new epoch, got \(session.changes.count) changes")
        let now = try storedMilliseconds()
        let expiresAt = former.expiresAt.map { RecordReader.nearestTime(to: now + max(0, $0 - former.usedAt)) }
        let summary = SessionSummary(
            id: id, machine: session.machine, version: session.version, createdAt: session.created * 1000, usedAt: now,
            expiresAt: expiresAt, wakesAt: wakesAt, hasEnded: false,
            owner: session.ownership.owner.map { SessionOwner($0) }, name: session.named?.name)
        let content = seal.content(of: session, id, isSealed: isSealed)
        try access.commit { journal in
            let ended = try journal.load(id)?.snapshot
            guard ended?.summary.hasEnded ?? true else { throw ArchiveError.exists(id.text) }
            if let name = summary.name, let other = try journal.session(named: name, of: summary.machine) {
                throw ArchiveError.nameExists(name.text, other.text)
            }
            // Rows of a session with this id that has ended may still be there, also when its end is forgotten.
            let covers = max(ended?.covers ?? 0, try journal.lastNumber())
            return [.store(SessionSnapshot(summary: summary, covers: covers, content: content))]
        }
        access.sessionReturned(id)
    }
}

extension StoredSession {
    /// Returns a session as it was when it had a version, and when it had to be woken then.
    fileprivate static func beginning(
        of entry: JournalEntry, through version: UInt64?, named name: String
    ) throws -> (session: StoredSession, wakesAt: Int64?) {
        guard let snapshot = entry.snapshot else { throw RecordReader.Damaged() }
        var session = try StoredSession(snapshot.content[...])
        let first = session.version
        let rows = try entry.rows.map { (record: try TurnRecord($0.content[...]), wakesAt: $0.wakesAt) }
        let last = rows.last?.record.version ?? first
        if let version, version < first || version > last {
            throw ArchiveError.noVersion(version, name: name, stored: first...max(first, last))
        }
        var wakesAt = snapshot.summary.wakesAt
        for row in rows where row.record.version <= version ?? .max {
            session.apply(row.record)
            wakesAt = row.wakesAt
        }
        return (session, wakesAt)
    }

    /// Makes a copy of a session one of its own: clients of the other session know nothing about it.
    fileprivate mutating func becomeNew(created seconds: Int64) {
        epoch = .random()
        created = seconds
        changes = []
        keyed = []
        preMigrationState = nil
        client = nil
        named = nil
        effects.becomeForeign()
    }
}

/// An error of a command about stored sessions.
package enum ArchiveError: Error, Equatable, CustomStringConvertible {
    case noSession(String)
    case ambiguous(String, [String])
    case ended(String)
    case busy(String)
    case exists(String)
    case nameExists(String, String)
    case noVersion(UInt64, name: String, stored: ClosedRange<UInt64>)
    case notExported(String)
    case notRestorable(machine: String, reason: String)
    case notQuarantined(String)

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
        case .nameExists(let name, let id):
            "the owner has given the name \"\(name)\" to the session with the stored id \(id); delete it first"
        case .noVersion(let version, let name, let stored):
            "expected a version of \"\(name)\" from \(stored.lowerBound) to \(stored.upperBound), which are stored, got \(version)"
        case .notExported(let reason): "expected a file that `sessions export` has written: \(reason)"
        case .notRestorable(let machine, let reason):
            "expected a session that this build can restore, got one of \"\(machine.prefix(64))\": \(reason)"
        case .notQuarantined(let name):
            "expected a session that is not restored because it has ended too many processes, got \"\(name)\""
        }
    }
}
