import Glibc
import MachineHost
import Testing

@testable import SQLiteJournal

struct SQLiteJournalTests {
    private let directory: TestDirectory
    private var path: String { directory.path + "/state" }
    private let session = StoredSessionID.sample(1)

    init() throws {
        directory = try TestDirectory()
    }

    private func setting(_ name: String, of journal: SQLiteJournal) throws -> String? {
        try journal.database().connection.text("PRAGMA \(name)")
    }

    @Test
    func `the settings are those of the plan`() throws {
        let journal = try SQLiteJournal(directory: path)
        let expected = [
            ("journal_mode", "wal"), ("locking_mode", "exclusive"), ("secure_delete", "0"), ("page_size", "4096"),
            ("wal_autocheckpoint", "0"), ("auto_vacuum", "0"), ("synchronous", "2"), ("user_version", "2"),
        ]
        for (name, value) in expected { #expect(try setting(name, of: journal) == value, "\(name)") }
        #expect(journal.guarantee == .disk)
    }

    @Test
    func `only a flushed commit flushes`() throws {
        let journal = try SQLiteJournal(directory: path)
        try journal.append(session, rows: 1...1, isFlushed: false)
        #expect(try setting("synchronous", of: journal) == "1")
        try journal.append(session, rows: 2...2, isFlushed: true)
        #expect(try setting("synchronous", of: journal) == "2")
        try journal.append(session, rows: 3...3, isFlushed: false)
        #expect(try setting("synchronous", of: journal) == "1")
    }

    @Test
    func `a log that is cut anywhere holds a prefix of the batches`() throws {
        let other = StoredSessionID.sample(2)
        let database = path + "/journal.sqlite"
        try SQLiteJournal(directory: path).close()
        do {
            let source = try SQLiteJournal(directory: path)
            for number in 1...5 as ClosedRange<UInt64> {
                try source.commit { batch in
                    for (place, id) in [session, other].enumerated() {
                        if number == 1 { batch.add(.store(.sample(id))) }
                        let row = 2 * number + UInt64(place)
                        batch.append(session: id, number: row, previous: number == 1 ? 0 : row - 2, wakesAt: nil) {
                            $0.append(1)
                        }
                    }
                }
            }
        }
        let log = WriteAheadLog(path: database + "-wal")
        var last = UInt64(5)
        var found: Set<UInt64> = []
        // Backwards, so that the file need only be cut: opening writes nothing, unless it finds out that something is missing.
        for size in stride(from: log.usedSize, through: 0, by: -1) where isCut(at: size, log.usedSize) {
            try #require(truncate(database + "-wal", size) == 0)
            unlink(database + "-position")
            let journal = try SQLiteJournal(directory: path)
            let numbers = try journal.numbers(of: session)
            let batches = UInt64(numbers.count)
            #expect(numbers == Array(stride(from: 2, through: 2 * batches, by: 2)), "cut at \(size)")
            #expect(try journal.numbers(of: other) == numbers.map { $0 + 1 }, "cut at \(size)")
            #expect(batches <= last, "cut at \(size)")
            last = batches
            found.insert(batches)
        }
        #expect(found == [0, 1, 2, 3, 4, 5])
    }

    /// Every byte of the last commit's frame and of all headers, and some bytes of the pages between.
    private func isCut(at size: Int, _ end: Int) -> Bool {
        let offset = (size - WriteAheadLog.headerSize) % WriteAheadLog.frameSize
        return size > end - WriteAheadLog.frameSize || offset <= 24 || size % 127 == 0
    }

    @Test
    func `a full disk fails the commit, and everything after it is refused`() throws {
        let journal = try SQLiteJournal(directory: path)
        try journal.append(session, rows: 1...3)
        let pages = try #require(try setting("page_count", of: journal))
        try journal.database().connection.execute("PRAGMA max_page_count=\(pages)")
        let error = failure {
            try journal.commit { batch in
                batch.append(session: session, number: 4, previous: 3, wakesAt: nil) {
                    $0.append(contentsOf: [UInt8](repeating: 1, count: 100_000))
                }
            }
        }
        #expect(error?.kind == .full)
        let refusal = failure { try journal.append(session, rows: 4...4) }
        #expect(refusal?.kind == .closed)
        #expect(refusal?.detail.contains("an earlier call failed: expected to") == true)
        #expect(failure { _ = try journal.load(session) }?.kind == .closed)
        #expect(failure { try journal.maintain() }?.kind == .closed)
        try journal.close()
        let next = try SQLiteJournal(directory: path)
        #expect(try next.numbers(of: session) == [1, 2, 3])
        try next.append(session, rows: 4...4)
    }

    @Test
    func `a row that follows another than the last one is refused`() throws {
        let journal = try SQLiteJournal(directory: path)
        try journal.append(session, rows: 1...3)
        let error = failure {
            try journal.commit { $0.append(session: session, number: 5, previous: 2, wakesAt: nil) { _ in } }
        }
        #expect(error?.detail == "expected row 5 to follow row 3, got a link to 2")
        #expect(try SQLiteJournal(directory: path + "2").sessions(after: nil, limit: 1) == [])
    }

    @Test
    func `a missing row is damage of one session`() throws {
        let journal = try SQLiteJournal(directory: path)
        try journal.append(session, rows: 1...3)
        try journal.commit { $0.add(.store(.sample(.sample(2)))) }
        try journal.database().connection.execute("DELETE FROM journal WHERE i = 2")
        let error = failure { _ = try journal.load(session) }
        #expect(error?.kind == .damaged)
        #expect(error?.detail.contains("expected row 2 of a session") == true)
        #expect(try journal.load(.sample(2)) != nil)
        try journal.append(session, rows: 4...4)
    }

    @Test
    func `a row of a session that is not stored blocks no trimming`() throws {
        let journal = try SQLiteJournal(directory: path)
        try journal.append(.sample(9), rows: 5...5)
        #expect(try journal.load(.sample(9)) == nil)
        #expect(try journal.trim() == nil)
        #expect(try journal.database().rows == 0)
        #expect(try journal.statistics().rows == 0)
    }

    @Test
    func `trimming removes rows in bounded steps and frees their pages`() throws {
        let journal = try SQLiteJournal(directory: path)
        for step in 0..<10 as Range<UInt64> {
            try journal.append(session, rows: step * 2000 + 1...step * 2000 + 2000, isFlushed: false)
        }
        _ = try journal.trim()
        try journal.commit { $0.add(.store(.sample(session, covers: 20_000))) }
        #expect(try journal.trim() == nil)
        #expect(try journal.database().rows == 20_000 - SQLiteJournal.trimmedRows)
        var steps = 0
        while try journal.database().rows > 0, steps < 100 {
            #expect(try journal.trim() == nil)
            steps += 1
        }
        #expect(steps == 19)
        #expect(try journal.database().connection.integer("PRAGMA freelist_count") > 50)
    }

    @Test
    func `beside idle sessions, the rows of a busy one do not accumulate`() throws {
        let journal = try SQLiteJournal(directory: path)
        let idle = (2..<202 as Range<UInt64>).map { StoredSessionID.sample($0) }
        try journal.commit { batch in
            batch.add(.store(.sample(session)))
            for (index, id) in idle.enumerated() {
                batch.add(.store(.sample(id)))
                batch.append(session: id, number: UInt64(index) + 1, previous: 0, wakesAt: nil) { $0.append(1) }
            }
        }
        var (last, most): (UInt64, Int) = (UInt64(idle.count), 0)
        var previous: UInt64 = 0
        for _ in 0..<200 {
            try journal.commit(isFlushed: false) { batch in
                for _ in 0..<256 {
                    last += 1
                    batch.append(session: session, number: last, previous: previous, wakesAt: nil) { $0.append(1) }
                    previous = last
                }
                batch.add(.store(.sample(session, covers: last)))
            }
            _ = try journal.trim()
            most = max(most, try journal.database().rows)
        }
        #expect(most < 3 * SQLiteJournal.blockedRows)
        for (index, id) in idle.enumerated() { #expect(try journal.numbers(of: id) == [UInt64(index) + 1]) }
    }

    @Test
    func `tidying removes the rows of an ended session from between those of others`() throws {
        let journal = try SQLiteJournal(directory: path)
        let other = StoredSessionID.sample(2)
        try journal.commit { batch in
            batch.add(.store(.sample(session)))
            batch.add(.store(.sample(other)))
            for number in 1...4000 as ClosedRange<UInt64> {
                let id = number % 2 == 0 ? session : other
                batch.append(session: id, number: number, previous: number < 3 ? 0 : number - 2, wakesAt: nil) {
                    $0.append(1)
                }
            }
        }
        #expect(try !journal.tidy())
        #expect(try journal.database().rows == 4000)
        var ended = SessionSnapshot.sample(session, covers: 4000, content: [])
        ended.summary.hasEnded = true
        try journal.commit { $0.add(.store(ended)) }
        // The first row is needed, so that trimming removes nothing.
        #expect(try journal.trim() == nil)
        #expect(try journal.database().rows == 4000)
        var steps = 0
        while try journal.tidy(), steps < 100 { steps += 1 }
        #expect(steps == 3)
        #expect(try journal.database().rows == 2000)
        #expect(try journal.database().connection.integer("SELECT count(*) FROM journal") == 2000)
        #expect(try journal.numbers(of: other).count == 2000)
        #expect(try !journal.tidy())
        try journal.close()
        let next = try SQLiteJournal(directory: path)
        #expect(try next.numbers(of: other).count == 2000)
        #expect(try next.lastNumber() == 4000)
    }

    @Test
    func `checkpoints keep the log small, with and without maintenance`() throws {
        for isMaintained in [true, false] {
            let place = "\(path)-\(isMaintained)"
            let journal = try SQLiteJournal(directory: place)
            let content = [UInt8](repeating: 1, count: 4000)
            try journal.commit { $0.add(.store(.sample(session))) }
            for step in 0..<120 as Range<UInt64> {
                try journal.commit(isFlushed: false) { batch in
                    for number in step * 100 + 1...step * 100 + 100 {
                        batch.append(session: session, number: number, previous: number - 1, wakesAt: nil) {
                            $0.append(contentsOf: content)
                        }
                    }
                }
                if isMaintained { try journal.maintain() }
            }
            let pages = (JournalDirectory.size(of: place + "/journal.sqlite-wal") ?? 0) / 4096
            let limit = isMaintained ? SQLiteJournal.checkpointedPages : SQLiteJournal.toleratedPages
            #expect((Int64(limit)..<Int64(limit + 400)).contains(pages))
            #expect(try journal.numbers(of: session).count == 12_000)
            try journal.close()
            #expect(JournalDirectory.size(of: place + "/journal.sqlite-wal") == 0)
        }
    }

    @Test
    func `a log that an earlier process has left is moved as well`() throws {
        let log = path + "/journal.sqlite-wal"
        let content = [UInt8](repeating: 1, count: 4096 * (SQLiteJournal.checkpointedPages + 10))
        try SQLiteJournal(directory: path).commit { $0.add(.store(.sample(session, covers: 1, content: content))) }
        let size = WriteAheadLog(path: log).usedSize
        let journal = try SQLiteJournal(directory: path)
        try journal.maintain()
        try journal.append(session, rows: 2...2)
        #expect(WriteAheadLog(path: log).usedSize < size / 100)
        #expect(try journal.load(session)?.snapshot?.content == content)
    }

    @Test
    func `a second row with the same number is refused`() throws {
        let journal = try SQLiteJournal(directory: path)
        try journal.append(session, rows: 1...1)
        #expect(failure { try journal.append(.sample(2), rows: 1...1) }?.kind == .unsupported)
    }

    @Test
    func `recovery reads only rows after the recorded progress, and rows with smaller numbers that came later`() throws
    {
        let other = StoredSessionID.sample(2)
        var journal = try SQLiteJournal(directory: path)
        try journal.append(session, rows: 1...10)
        try journal.commit { batch in
            batch.add(.store(.sample(session, covers: 10)))
            batch.add(.store(.sample(other)))
        }
        try journal.close()
        journal = try SQLiteJournal(directory: path)
        #expect(try journal.database().recordedProgress == 10)
        // Another thread has drawn the number earlier.
        try journal.commit { $0.append(session: other, number: 7 + 100, previous: 0, wakesAt: nil) { _ in } }
        try journal.commit { $0.add(.store(.sample(other, covers: 107))) }
        try journal.close()
        journal = try SQLiteJournal(directory: path)
        #expect(try journal.database().recordedProgress == 107)
        try journal.commit { $0.append(session: session, number: 50, previous: 10, wakesAt: nil) { _ in } }
        #expect(try journal.database().recordedProgress == 49)
        try journal.close()
        journal = try SQLiteJournal(directory: path)
        #expect(try journal.numbers(of: session) == [50])
    }

    @Test
    func `an error of a system call determines the kind`() {
        let kinds: [(Int32, Int32, JournalError.Kind)] = [
            (13, 0, .full), (10 | 3 << 8, 28, .full), (10 | 3 << 8, 122, .full), (10 | 3 << 8, 27, .full),
            (10 | 4 << 8, 5, .inputOutput), (14, 30, .readOnly), (14, 13, .readOnly), (14, 2, .inputOutput),
            (8, 0, .readOnly),
            (11, 0, .damaged), (26, 28, .damaged), (5, 0, .held), (18, 0, .unsupported), (7, 0, .inputOutput),
        ]
        for (code, system, kind) in kinds {
            #expect(JournalError.kind(sqlite: code, system: system) == kind, "\(code)")
        }
        let error = JournalError(sqlite: 778, system: 28, message: "disk I/O error", expected: "to write x")
        #expect(
            error.description
                == "expected to write x, got: disk I/O error (SQLite error 778, No space left on device)")
    }
}
