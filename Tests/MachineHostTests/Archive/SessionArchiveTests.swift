import StateCapture
import Testing

@testable import MachineHost

struct SessionArchiveTests {
    private let journal = MemoryJournal()
    private var archive: SessionArchive {
        SessionArchive(DirectJournalAccess(journal)) { WallTime(seconds: 1_767_225_600) }
    }

    /// Stores a session at version 2 with a turn for each of the next versions.
    private func store(_ id: SessionID, turns: UInt64 = 3) throws {
        var session = StoredSession(
            machine: "counter", epoch: Epoch(bits: 5), created: 1_767_225_000, lastInput: 0, version: 2)
        session.states = ["store.0.count": Array("2".utf8)[...]]
        session.shown = ["count": Array("2".utf8)[...]]
        session.build = "granary 1"
        let stored = StoredSessionID(of: id)
        let summary = SessionSummary(
            id: stored, machine: "counter", version: 2, createdAt: 1_767_225_000_000, usedAt: 1_767_225_100_000,
            expiresAt: 1_767_225_200_000, wakesAt: nil, hasEnded: false)
        var batch = JournalBatch()
        batch.add(.store(SessionSnapshot(summary: summary, covers: 0, content: session.content)))
        let first = try journal.lastNumber()
        for turn in 0..<turns {
            var record = TurnRecord(time: 1_767_225_150_000, version: 3 + turn)
            record.change = Array("{\"count\":\(3 + turn)}".utf8)[...]
            let json = Array("\(3 + turn)".utf8)
            let key = Array("store.0.count".utf8)
            record.states =
                ([UInt8(key.count), 0] + key + [UInt8(json.count), 0, 0, 0] + json)[...]
            batch.append(
                session: stored, number: first + turn + 1, previous: turn == 0 ? 0 : first + turn, wakesAt: nil
            ) { record.append(to: &$0) }
        }
        try journal.commit(batch, isFlushed: true)
    }

    private func session(_ id: SessionID) throws -> StoredSession? {
        try journal.load(StoredSessionID(of: id)).map { try StoredSession($0) }
    }

    private let id = SessionID(high: 0x1234_5678_9abc_def0, low: 1 << 4)

    @Test func `a session is found by its id and by the beginning of its stored form`() throws {
        try store(id)
        let stored = StoredSessionID(of: id)
        for name in [id.text, stored.text, stored.shortText, "12345678", stored.text.uppercased()] {
            #expect(try archive.find(name).id == stored, "\(name)")
        }
    }

    /// Stores a session with parameters and a name.
    private func storeNamed(_ id: SessionID, _ name: SessionName) throws {
        var session = StoredSession(machine: "counter", epoch: Epoch(bits: 5), created: 1, lastInput: 0, version: 0)
        session.parameters = Array("{\"from\":7}".utf8)[...]
        session.named = StoredSession.Named(name: name, id: id)
        session.ownership.owner = name.owner.hash
        let summary = SessionSummary(
            id: StoredSessionID(of: id), machine: "counter", version: 0, createdAt: 1000, usedAt: 1000, expiresAt: nil,
            wakesAt: nil, hasEnded: false, name: name)
        try commit(.store(SessionSnapshot(summary: summary, covers: 0, content: session.content)))
    }

    private func commit(_ change: JournalBatch.Change) throws {
        var batch = JournalBatch()
        batch.add(change)
        try journal.commit(batch, isFlushed: true)
    }

    @Test func `a fork has the parameters of a session, but not its name`() throws {
        let name = SessionName(owner: SessionOwner(high: 1, low: 2), text: "main")
        try storeNamed(id, name)
        #expect(try archive.show(id.text).contains("name      main"))
        let fork = try #require(SessionID(text: try archive.fork(id.text, at: nil)))
        #expect(try session(fork)?.named == nil)
        #expect(try session(fork)?.parameters == Array("{\"from\":7}".utf8)[...])
        #expect(try journal.session(named: name, of: "counter") == StoredSessionID(of: id))
    }

    @Test func `an imported session has its name again, unless another one has got it`() throws {
        let name = SessionName(owner: SessionOwner(high: 1, low: 2), text: "main")
        try storeNamed(id, name)
        let file = try archive.export(id.text)
        try commit(.remove(StoredSessionID(of: id)))
        let other = SessionID(high: 7, low: 7 << 4)
        try storeNamed(other, name)
        #expect(throws: ArchiveError.nameExists("main", StoredSessionID(of: other).text)) {
            try archive.importSession(file)
        }
        try commit(.remove(StoredSessionID(of: other)))
        _ = try archive.importSession(file)
        #expect(try journal.session(named: name, of: "counter") == StoredSessionID(of: id))
        #expect(try session(id)?.named?.id == id)
    }

    @Test(arguments: ["", "1234567a", "xyz", "AAAAAAAAAAAAAAAAAAAAAA", "12 "])
    func `an unknown name is an error`(name: String) throws {
        try store(id)
        #expect(throws: ArchiveError.noSession(name)) { try archive.find(name) }
    }

    @Test func `a beginning of several ids is refused with what it could mean`() throws {
        let other = SessionID(high: 0x1234_5678_0000_0000, low: 0)
        try store(id)
        try store(other)
        let ids = [id, other].map { StoredSessionID(of: $0).text }.sorted()
        #expect(throws: ArchiveError.ambiguous("12345678", ids)) { try archive.find("12345678") }
        #expect(try archive.find(ids[0]).id.text == ids[0])
    }

    @Test func `the list has a line for each session, in several pages`() throws {
        #expect(try archive.list() == [])
        try store(id)
        #expect(
            try archive.list() == [
                "\(StoredSessionID(of: id).shortText)  counter  created 2025-12-31T23:50:00Z  "
                    + "used 2025-12-31T23:51:40Z"
            ])
        for number in 0..<1100 as Range<UInt64> { try store(SessionID(high: number << 40, low: 0), turns: 0) }
        #expect(try archive.list().count == 1101)
    }

    @Test func `a session is shown with its outputs and states after its last turn`() throws {
        try store(id)
        let lines = try archive.show(id.text)
        for line in [
            "id        \(StoredSessionID(of: id).text)", "machine   counter", "version   5", "  count  5",
            "  store.0.count  5", "keys      0",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(lines.contains { $0.hasPrefix("state     version 1, shape ") && $0.hasSuffix(" of granary 1") })
    }

    @Test func `an exported session is imported under its id, in a new epoch`() throws {
        try store(id)
        let file = try archive.export(id.text)
        #expect(throws: ArchiveError.exists(StoredSessionID(of: id).text)) { try archive.importSession(file) }
        try archive.delete(id.text)
        #expect(try session(id) == nil)
        #expect(try archive.importSession(file) == StoredSessionID(of: id).text)
        let imported = try #require(try session(id))
        #expect(imported.version == 5)
        #expect(imported.states == ["store.0.count": Array("5".utf8)[...]])
        #expect(imported.epoch != Epoch(bits: 5))
        #expect(imported.firstGeneration != 0)
        #expect(imported.changes.isEmpty)
        let summary = try archive.find(id.text)
        #expect(summary.expiresAt == Int64(1_767_225_700_000))
    }

    @Test(arguments: [
        "", "{}", #"{"format":"granary-session","formatVersion":2}"#,
        #"{"format":"granary-session","formatVersion":1}"#,
    ])
    func `a file that was not exported is refused`(file: String) {
        let error = #expect(throws: ArchiveError.self) { try archive.importSession(file) }
        #expect(error?.description.hasPrefix("expected a file that `sessions export` has written") == true)
    }

    @Test func `a damaged file is refused, and nothing is stored`() throws {
        try store(id)
        let file = try archive.export(id.text)
        try archive.delete(id.text)
        let damaged = file.replacing(/"snapshot":"[^"]*"/, with: "\"snapshot\":\"AAAA\"")
        #expect(
            throws: ArchiveError.notExported(
                "expected content with the digest that it states, got other content: it was changed")
        ) { try archive.importSession(damaged) }
        let older = try ImportedFile.edited(damaged) { _ in }
        #expect(throws: ArchiveError.notExported("its snapshot is damaged")) { try archive.importSession(older) }
        #expect(try session(id) == nil)
    }

    @Test func `times that nobody has measured are refused with what was expected`() throws {
        try store(id)
        let file = try archive.export(id.text)
        try archive.delete(id.text)
        let range = "-35184372088832 to 35184372088832"
        for name in ["usedAt", "expiresAt", "createdAt", "wakesAt"] {
            for time in [Int64.min, .max] {
                let text = try ImportedFile.edited(file) { $0[name] = .number("\(time)") }
                #expect(
                    throws: ArchiveError.notExported(
                        "expected milliseconds since 1970, a whole number from \(range), as \"\(name)\", got \(time)")
                ) { try archive.importSession(text) }
            }
        }
        #expect(try session(id) == nil)
    }

    @Test func `rows in another order, and those of a session that lacks some, are refused`() throws {
        try store(id)
        let file = try archive.export(id.text)
        try archive.delete(id.text)
        let reversed = try ImportedFile.edited(file) { file in
            guard case .array(let rows)? = file["rows"] else { return }
            var contents = rows
            for (index, row) in rows.reversed().enumerated() { contents[index]["content"] = row["content"] }
            file["rows"] = .array(contents)
        }
        #expect(throws: ArchiveError.notExported("expected version 3 after its turn 1, got 5")) {
            try archive.importSession(reversed)
        }
        let cut = try ImportedFile.edited(file) { file in
            guard case .array(let rows)? = file["rows"] else { return }
            file["rows"] = .array(Array(rows.dropLast()))
        }
        #expect(throws: ArchiveError.notExported("expected at most 4 as \"version\", got 5")) {
            try archive.importSession(cut)
        }
        #expect(try session(id) == nil)
    }

    @Test func `a session that has ended is imported again, in another epoch and behind its former rows`() throws {
        try store(id)
        let file = try archive.export(id.text)
        var summary = try archive.find(id.text)
        summary.hasEnded = true
        let content = EndReason.deleted.storedContent
        try commit(.store(SessionSnapshot(summary: summary, covers: 7, content: content)))
        _ = try archive.importSession(file)
        #expect(try session(id)?.version == 5)
        #expect(try archive.find(id.text).hasEnded == false)
        #expect(try journal.load(StoredSessionID(of: id))?.snapshot?.covers == 7)
        #expect(throws: ArchiveError.exists(StoredSessionID(of: id).text)) { try archive.importSession(file) }
    }

    @Test(arguments: [(2, "2"), (4, "4"), (5, "5")] as [(UInt64, String)])
    func `a fork is a new session from an earlier moment`(version: UInt64, count: String) throws {
        try store(id)
        let forkedText = try archive.fork(id.text, at: version)
        let forked = try #require(SessionID(text: forkedText))
        let fork = try #require(try session(forked))
        #expect(fork.version == version)
        #expect(fork.states == ["store.0.count": Array(count.utf8)[...]])
        #expect(fork.shown == ["count": Array(count.utf8)[...]])
        #expect(fork.epoch != Epoch(bits: 5))
        #expect(fork.created == 1_767_225_600)
        #expect(try session(id)?.version == 5)
    }

    @Test func `a fork at the newest moment needs no version, and one that is not stored is refused`() throws {
        try store(id)
        let fork = try #require(SessionID(text: try archive.fork(id.text, at: nil)))
        #expect(try session(fork)?.version == 5)
        for version in [0, 1, 6] as [UInt64] {
            #expect(throws: ArchiveError.noVersion(version, name: id.text, stored: 2...5)) {
                try archive.fork(id.text, at: version)
            }
        }
    }

    @Test func `an ended session can be shown and deleted, but not exported`() throws {
        try store(id)
        var summary = try archive.find(id.text)
        summary.hasEnded = true
        var batch = JournalBatch()
        batch.add(.store(SessionSnapshot(summary: summary, covers: 3, content: [])))
        try journal.commit(batch, isFlushed: true)
        #expect(try archive.show(id.text).contains("ended     yes"))
        batch = JournalBatch()
        let content = EndReason.failed(incident: "12ab").storedContent
        batch.add(.store(SessionSnapshot(summary: summary, covers: 3, content: content)))
        try journal.commit(batch, isFlushed: true)
        #expect(try archive.show(id.text).contains("ended     failed, incident 12ab"))
        #expect(throws: ArchiveError.ended(id.text)) { try archive.export(id.text) }
        try archive.delete(id.text)
        #expect(throws: ArchiveError.noSession(id.text)) { try archive.find(id.text) }
    }
}
