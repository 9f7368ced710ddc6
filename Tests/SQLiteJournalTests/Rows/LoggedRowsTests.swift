import Glibc
import MachineHost
import StateCapture
import Testing

@testable import SQLiteJournal

/// A journal whose newest rows are in its row log.
struct LoggedRowsTests {
    private let directory: TestDirectory
    private var path: String { directory.path + "/state" }
    private var rowLog: String { path + "/journal.sqlite-rows" }
    private let session = StoredSessionID.sample(1)
    private let other = StoredSessionID.sample(2)

    init() throws {
        directory = try TestDirectory()
    }

    /// Returns a journal with two sessions and an empty row log.
    private func journal(at path: String? = nil) throws -> SQLiteJournal {
        let journal = try SQLiteJournal(directory: path ?? self.path)
        try journal.commit { batch in for id in [session, other] { batch.add(.store(.sample(id))) } }
        try journal.beginRowLog()
        return journal
    }

    /// Appends rows, each in a batch of its own.
    private func append(
        _ session: StoredSessionID, _ rows: ClosedRange<UInt64>, after first: UInt64? = nil, to journal: SQLiteJournal
    ) throws {
        for number in rows {
            let previous = number == rows.lowerBound ? first ?? number - 1 : number - 1
            try journal.commit { batch in
                batch.append(session: session, number: number, previous: previous, wakesAt: nil) {
                    $0.append(contentsOf: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 100))
                }
            }
        }
    }

    @Test
    func `a journal writes rows past the database after its first maintenance with commits for that`() throws {
        let journal = try SQLiteJournal(directory: path)
        try journal.append(session, rows: 1...3)
        try journal.maintain()
        #expect(try journal.database().rowLog == nil)
        try journal.append(session, rows: 4...4)
        #expect(JournalDirectory.size(of: rowLog) == nil)
        try journal.maintain()
        #expect(JournalDirectory.size(of: rowLog) == Int64(RowLog.capacity))
        try journal.append(session, rows: 5...9)
        #expect(try journal.rowsInTable == 4 && journal.numbers(of: session) == Array(1...9))
        #expect(try journal.statistics().rows == 9 && journal.lastNumber() == 9)
    }

    @Test
    func `rows that are not flushed, or that come with other changes, go into the database`() throws {
        let journal = try journal()
        try append(session, 1...2, to: journal)
        try journal.append(session, rows: 3...3, isFlushed: false)
        #expect(try journal.rowsInTable == 1)
        // The flush must reach the batch before.
        try append(session, 4...4, to: journal)
        #expect(try journal.rowsInTable == 2)
        try append(session, 5...5, to: journal)
        try journal.commit { batch in
            batch.append(session: session, number: 6, previous: 5, wakesAt: 8) { $0.append(1) }
            batch.add(.set(property: "p", value: [1]))
        }
        #expect(try journal.rowsInTable == 3)
        // Another thread has drawn the number before.
        try append(other, 7...7, after: 0, to: journal)
        try journal.commit { $0.append(session: session, number: 20, previous: 6, wakesAt: nil) { _ in } }
        #expect(try journal.rowsInTable == 3)
        try journal.commit { batch in
            batch.append(session: session, number: 21, previous: 20, wakesAt: nil) { _ in }
            batch.append(session: other, number: 19, previous: 7, wakesAt: nil) { _ in }
        }
        #expect(try journal.rowsInTable == 3)
        #expect(try journal.numbers(of: session) == [1, 2, 3, 4, 5, 6, 20, 21])
        // The greatest number in the table is 30 then.
        try journal.commit { batch in
            batch.append(session: session, number: 30, previous: 21, wakesAt: nil) { _ in }
            batch.add(.removeNotes(until: 0))
        }
        try journal.commit { $0.append(session: other, number: 25, previous: 19, wakesAt: nil) { _ in } }
        #expect(try journal.rowsInTable == 5)
        #expect(try journal.numbers(of: other) == [7, 19, 25])
        withExtendedLifetime(journal) {}
    }

    @Test
    func `a batch that is large for the row log goes into the database`() throws {
        let journal = try journal()
        try append(session, 1...2, to: journal)
        try journal.commit { batch in
            batch.append(session: session, number: 3, previous: 2, wakesAt: nil) {
                $0.append(contentsOf: [UInt8](repeating: 3, count: 20_000))
            }
        }
        try append(session, 4...5, to: journal)
        #expect(try journal.rowsInTable == 1)
        let rows = try #require(try journal.load(session)).rows
        #expect(rows.map(\.number) == [1, 2, 3, 4, 5] && rows[2].content.count == 20_000)
    }

    @Test
    func `the rows of a process that has ended are found, with the times at which their sessions are due`() throws {
        for isClosed in [false, true] {
            let place = "\(path)-\(isClosed)"
            let first = try journal(at: place)
            try append(session, 1...5, to: first)
            try first.commit { $0.append(session: session, number: 6, previous: 5, wakesAt: 70) { $0.append(6) } }
            // The snapshot contains a part of the rows.
            try first.commit { $0.add(.store(.sample(session, covers: 2))) }
            let before = try first.load(session)
            #expect(before?.rows.map(\.number) == [3, 4, 5, 6] && first.loss == nil)
            if isClosed { try first.close() }
            let next = try withExtendedLifetime(first) { try copied(place, isClosed: isClosed) }
            #expect(try next.load(session)?.rows == before?.rows)
            #expect(try next.load(session)?.rows.map(\.wakesAt) == [nil, nil, nil, 70])
            #expect(try next.sessions(dueAt: 70, limit: 9).map(\.id) == [session])
            #expect(try next.lastNumber() == 6 && next.statistics().rows == 4)
            // Nothing depends on the row log then, so that older builds can read the database.
            #expect(try next.database().connection.integer("PRAGMA user_version") == 2)
            #expect(try next.database().connection.integer("SELECT count(salt) FROM progress") == 0)
        }
    }

    /// Opens a copy of the files of a process that has not closed its journal, or the files themselves.
    private func copied(_ path: String, isClosed: Bool) throws -> SQLiteJournal {
        if isClosed { return try SQLiteJournal(directory: path) }
        mkdir(path + "-copy", 0o700)
        for name in TestDirectory.names(in: path) where name != "lock" {
            TestDirectory.write(TestDirectory.read("\(path)/\(name)") ?? [], to: "\(path)-copy/\(name)")
        }
        return try SQLiteJournal(directory: path + "-copy")
    }

    @Test
    func `a database with a row log is refused by builds that have none`() throws {
        let journal = try journal()
        #expect(try journal.database().connection.integer("PRAGMA user_version") == 4)
        try append(session, 1...3, to: journal)
        try journal.close()
        // Nothing of the row log is needed.
        unlink(rowLog)
        let next = try SQLiteJournal(directory: path)
        #expect(try next.loss == nil && next.numbers(of: session) == [1, 2, 3])
    }

    @Test
    func `rows that snapshots contain never get into the table`() throws {
        let journal = try journal()
        for round in 0..<100 as Range<UInt64> {
            try append(session, round * 50 + 1...round * 50 + 50, to: journal)
            try journal.commit { $0.add(.store(.sample(session, covers: round * 50 + 40))) }
            try journal.maintain()
            #expect(try journal.rowsInTable == 0)
        }
        #expect(try journal.database().rowLog?.head ?? 0 > 5 * 64 << 10)
        #expect(try journal.numbers(of: session) == Array(4991...5000))
    }

    @Test
    func `rows that are needed move into the table before their place is used again`() throws {
        let journal = try journal()
        try append(other, 1...3, after: 0, to: journal)
        for round in 0..<40 as Range<UInt64> {
            let first = round * 50 + 4
            try append(session, first...first + 49, after: round == 0 ? 0 : first - 1, to: journal)
            if round < 39 { try journal.commit { $0.add(.store(.sample(session, covers: first + 49))) } }
            // Without maintenance, commits make room themselves.
            if round % 2 == 0 { try journal.maintain() }
        }
        #expect(try journal.rowsInTable == 3)
        #expect(try journal.numbers(of: other) == [1, 2, 3])
        #expect(try journal.statistics().rows == 53 && journal.database().tails.inTable == 3)
        // A row of which the one before is in the table.
        try append(other, 3000...3000, after: 3, to: journal)
        #expect(try journal.load(other)?.rows.map { $0.content[0] } == [1, 2, 3, 184])
        try journal.commit { $0.add(.store(.sample(other, covers: 2))) }
        #expect(try journal.numbers(of: other) == [3, 3000] && journal.database().tails.inTable == 1)
        _ = try journal.trim()
        #expect(try journal.rowsInTable == 1)
    }

    @Test
    func `a session that was removed and stored again has no rows of its first life`() throws {
        for inOneBatch in [true, false] {
            let place = "\(path)-\(inOneBatch)"
            let first = try journal(at: place)
            try append(other, 1...1, after: 0, to: first)
            // Some in the table, some that only a snapshot had, and some in the row log.
            try first.commit { batch in
                batch.append(session: session, number: 2, previous: 0, wakesAt: nil) { $0.append(1) }
                batch.add(.set(property: "p", value: []))
            }
            try append(session, 3...40, after: 2, to: first)
            try first.commit { $0.add(.store(.sample(session, covers: 30))) }
            try first.database().moveAllRows()
            #expect(try first.rowsInTable == 12)
            try append(session, 41...50, to: first)
            if inOneBatch {
                try first.commit { batch in
                    batch.add(.remove(session))
                    batch.add(.store(.sample(session)))
                }
            } else {
                try first.commit { $0.add(.remove(session)) }
                #expect(try first.load(session) == nil && first.statistics().rows == 1)
                try first.commit { $0.add(.store(.sample(session))) }
            }
            #expect(try first.numbers(of: session) == [])
            let next = try withExtendedLifetime(first) { try copied(place, isClosed: false) }
            #expect(try next.numbers(of: session) == [] && next.numbers(of: other) == [1])
            #expect(try next.rowsInTable == 1)
        }
    }

    @Test
    func `the rows of a session that was removed do not come back after a crash`() throws {
        let first = try journal()
        try append(session, 1...9, to: first)
        try first.commit { $0.add(.remove(session)) }
        let next = try withExtendedLifetime(first) { try copied(path, isClosed: false) }
        #expect(try next.load(session) == nil && next.rowsInTable == 0)
    }

    @Test
    func `removed sessions are forgotten with their last rows`() throws {
        var removed = RemovedSessions()
        for number in 1...3000 as ClosedRange<UInt64> { removed.add(.sample(number), number) { 2000 } }
        #expect(!removed.forget(.sample(1)) && !removed.forget(.sample(1500)))
        #expect(removed.forget(.sample(2000)) && !removed.forget(.sample(2000)) && removed.forget(.sample(3000)))
    }

    @Test
    func `a second row with the same number is refused, wherever the first one is`() throws {
        for isLogged in [true, false] {
            for isSecondLogged in [true, false] {
                let journal = try journal(at: "\(path)-\(isLogged)-\(isSecondLogged)")
                func store(_ id: StoredSessionID, isLogged: Bool) throws {
                    try journal.commit { batch in
                        batch.append(session: id, number: 1, previous: 0, wakesAt: nil) { _ in }
                        if !isLogged { batch.add(.set(property: "p", value: [1])) }
                    }
                }
                try store(session, isLogged: isLogged)
                #expect(failure { try store(other, isLogged: isSecondLogged) }?.kind == .unsupported)
                #expect(failure { _ = try journal.load(session) }?.kind == .closed)
            }
        }
        let journal = try journal()
        let error = failure {
            try journal.commit { batch in
                for id in [session, other] {
                    batch.append(session: id, number: 5, previous: 0, wakesAt: nil) { _ in }
                }
            }
        }
        #expect(error?.kind == .unsupported)
    }

    @Test
    func `a row that follows another than the last one is refused, and not stored`() throws {
        let first = try journal()
        try append(session, 1...3, to: first)
        let error = failure {
            try first.commit { $0.append(session: session, number: 5, previous: 2, wakesAt: nil) { _ in } }
        }
        #expect(error?.detail == "expected row 5 to follow row 3, got a link to 2")
        let next = try withExtendedLifetime(first) { try copied(path, isClosed: false) }
        #expect(try next.numbers(of: session) == [1, 2, 3])
    }

    @Test
    func `a row log that is cut, damaged or missing lacks commits`() throws {
        let first = try journal()
        try append(session, 1...5, to: first)
        let whole = try #require(TestDirectory.read(rowLog))
        // The last of five records, of one block each.
        let last = 4 * RowLog.blockSize
        var cases: [(content: [UInt8]?, rows: UInt64)] = [(nil, 0), ([], 0)]
        for place in stride(from: last, to: last + 100, by: 9) {
            var changed = whole
            changed[place] ^= 1
            cases.append((changed, 4))
        }
        let zeros = [UInt8](repeating: 0, count: whole.count - last)
        cases.append((Array(whole[..<last]) + zeros, 4))
        for (number, found) in cases.enumerated() {
            mkdir("\(path)-\(number)", 0o700)
            // Without the mark, the files are not recognized as copies.
            for name in TestDirectory.names(in: path) where !name.hasSuffix("-place") && !name.hasSuffix("-rows") {
                TestDirectory.write(TestDirectory.read("\(path)/\(name)") ?? [], to: "\(path)-\(number)/\(name)")
            }
            if let content = found.content {
                TestDirectory.write(content, to: "\(path)-\(number)/journal.sqlite-rows")
            }
            let next = try SQLiteJournal(directory: "\(path)-\(number)")
            #expect(next.loss == .commits, "\(number)")
            let rows = try next.numbers(of: session)
            #expect(rows == Array([1, 2, 3, 4, 5].prefix(Int(found.rows))), "\(number)")
            try append(session, found.rows + 1...found.rows + 1, to: next)
        }
        withExtendedLifetime(first) {}
    }

    @Test
    func `rows after some that were lost with the row log are removed, and their session is an older one`() throws {
        let first = try journal()
        try append(session, 1...3, to: first)
        // With other changes, so that they are in the table.
        try first.commit { batch in
            batch.append(session: other, number: 4, previous: 0, wakesAt: nil) { $0.append(4) }
            batch.append(session: session, number: 5, previous: 3, wakesAt: 9) { $0.append(5) }
            batch.add(.set(property: "p", value: [1]))
        }
        try append(session, 6...6, after: 5, to: first)
        unlink(rowLog)
        let next = try withExtendedLifetime(first) { try copied(path, isClosed: false) }
        #expect(next.loss == .commits)
        #expect(try next.load(session)?.rows == [] && next.numbers(of: other) == [4])
        #expect(try next.sessions(dueAt: 9, limit: 9).isEmpty && next.rowsInTable == 1)
        // No number is used again.
        #expect(try next.lastNumber() == 5)
        try append(session, 7...7, after: 0, to: next)
        let last = try withExtendedLifetime(next) { try copied(path + "-copy", isClosed: false) }
        #expect(try last.numbers(of: session) == [7])
    }

    @Test
    func `files that were copied one after the other have the last states that are complete`() throws {
        let first = try journal()
        try append(session, 1...2, to: first)
        let older = ["journal.sqlite", "journal.sqlite-wal"].map { ($0, TestDirectory.read("\(path)/\($0)") ?? []) }
        try first.commit { batch in
            batch.append(session: session, number: 3, previous: 2, wakesAt: nil) { $0.append(3) }
            batch.add(.set(property: "p", value: [1]))
        }
        try append(session, 4...4, to: first)
        try append(other, 5...5, after: 0, to: first)
        mkdir(path + "-copy", 0o700)
        for (name, content) in older { TestDirectory.write(content, to: "\(path)-copy/\(name)") }
        TestDirectory.write(try #require(TestDirectory.read(rowLog)), to: path + "-copy/journal.sqlite-rows")
        let next = try withExtendedLifetime(first) { try SQLiteJournal(directory: path + "-copy") }
        #expect(next.loss == .copy)
        #expect(try next.numbers(of: session) == [1, 2] && next.numbers(of: other) == [5])
    }

    @Test
    func `a row whose link is damaged keeps its session from being loaded, also in an older state`() throws {
        let first = try journal()
        try append(session, 1...3, to: first)
        try first.database().moveAllRows()
        try first.database().connection.execute("UPDATE journal SET previous = 0 WHERE i = 3")
        try append(other, 4...4, after: 0, to: first)
        unlink(rowLog)
        let next = try withExtendedLifetime(first) { try copied(path, isClosed: false) }
        #expect(next.loss == .commits && failure { _ = try next.load(session) }?.kind == .damaged)
    }

    @Test
    func `a log that lacks how far the row log is needed lacks commits`() throws {
        for isMoved in [false, true] {
            let first = try journal(at: "\(path)-\(isMoved)")
            try append(session, 1...3, to: first)
            if isMoved { try first.database().moveAllRows() }
            try append(session, 4...5, to: first)
            let log = "\(path)-\(isMoved)/journal.sqlite-wal"
            let cut = try #require(TestDirectory.read(log)).prefix(WriteAheadLog(path: log).usedSize - 1)
            TestDirectory.write(Array(cut), to: log)
            let next = try withExtendedLifetime(first) { try copied("\(path)-\(isMoved)", isClosed: false) }
            #expect(next.loss == .commits)
            #expect(try next.numbers(of: session) == (isMoved ? [1, 2, 3, 4, 5] : []))
        }
    }

    @Test
    func `the row log of a build whose records do not name the end of the one before is read`() throws {
        let first = try journal()
        for number in 1...3 as ClosedRange<UInt64> {
            try append(session, number...number, after: number - 1, to: first)
        }
        try first.database().connection.execute("PRAGMA user_version=3")
        let salt = try #require(try first.database().rowLog).salt
        var content = try #require(TestDirectory.read(rowLog))
        for start in [0, RowLog.blockSize, 2 * RowLog.blockSize] {
            let checksum = content.withUnsafeBytes { bytes in
                let record = UnsafeRawBufferPointer(rebasing: bytes[start...])
                return RowLog.checksum(record, Int(record.load(fromByteOffset: 4, as: UInt32.self)), salt, after: nil)
            }
            withUnsafeBytes(of: checksum) { content.replaceSubrange(start..<start + 4, with: $0) }
        }
        TestDirectory.write(content, to: rowLog)
        let next = try withExtendedLifetime(first) { try copied(path, isClosed: false) }
        // Only its place is another one.
        #expect(try next.loss == .copy && next.numbers(of: session) == [1, 2, 3])
    }

    @Test
    func `a row log that cannot be read keeps the journal closed, and loses nothing`() throws {
        let first = try journal()
        try append(session, 1...3, to: first)
        let content = try #require(TestDirectory.read(rowLog))
        let elsewhere = directory.path + "/rows"
        rename(rowLog, elsewhere)
        mkdir(path + "-copy", 0o700)
        for name in TestDirectory.names(in: path) where name != "lock" {
            TestDirectory.write(TestDirectory.read("\(path)/\(name)") ?? [], to: "\(path)-copy/\(name)")
        }
        let file = path + "-copy/journal.sqlite-rows"
        symlink(elsewhere, file)
        let error = failure { _ = try SQLiteJournal(directory: path + "-copy") }
        #expect(error?.kind == .inputOutput && error?.detail.hasPrefix("expected to read \(file)") == true)
        unlink(file)
        TestDirectory.write(content, to: file)
        let next = try withExtendedLifetime(first) { try SQLiteJournal(directory: path + "-copy") }
        #expect(try next.loss == .copy && next.numbers(of: session) == [1, 2, 3])
    }

    @Test
    func `a journal whose rows cannot move for a backup accepts nothing more, and loses nothing`() throws {
        let first = try journal()
        try append(session, 1...3, to: first)
        let backup = try first.beginBackup(to: directory.path + "/copy.sqlite")
        try first.database().connection.execute(
            "CREATE TEMP TRIGGER refusal BEFORE INSERT ON main.journal BEGIN SELECT RAISE(ABORT, 'refused'); END")
        #expect(failure { _ = try backup.step(pages: 1) } != nil)
        #expect(failure { _ = try first.load(session) }?.kind == .closed)
        #expect(failure { try append(session, 4...4, to: first) }?.kind == .closed)
        let next = try withExtendedLifetime(first) { try copied(path, isClosed: false) }
        #expect(try next.numbers(of: session) == [1, 2, 3])
    }

    @Test
    func `a row log that is removed while it is used fails the commit, and its rows are in the database`() throws {
        for isReplaced in [false, true] {
            let place = "\(path)-\(isReplaced)"
            let journal = try journal(at: place)
            try append(session, 1...3, to: journal)
            let file = place + "/journal.sqlite-rows"
            let content = try #require(TestDirectory.read(file))
            unlink(file)
            if isReplaced { TestDirectory.write(content, to: file) }
            let error = failure { try append(session, 4...4, to: journal) }
            #expect(error?.kind == .inputOutput)
            #expect(error?.detail.hasPrefix("expected \(file) to be the open file (inode ") == true)
            #expect(error?.detail.hasSuffix("; what it contained was moved into the database") == true)
            #expect(failure { try append(session, 5...5, to: journal) }?.kind == .closed)
            try journal.close()
            let next = try SQLiteJournal(directory: place)
            // The last batch was refused before it was written.
            #expect(try next.loss == nil && next.numbers(of: session) == [1, 2, 3])
        }
    }

    @Test
    func `nothing is lost if the log and the row log are removed`() throws {
        let journal = try journal()
        try append(session, 1...3, to: journal)
        for name in ["-wal", "-rows"] { unlink("\(path)/journal.sqlite\(name)") }
        #expect(failure { try journal.verify() }?.kind == .inputOutput)
        try journal.close()
        let next = try SQLiteJournal(directory: path)
        #expect(try next.loss == nil && next.numbers(of: session) == [1, 2, 3])
    }

    @Test
    func `a backup has the rows of the row log, and needs none`() throws {
        let journal = try journal()
        try append(session, 1...3, to: journal)
        _ = try JournalDirectory(directory.path + "/restored")
        let backup = try journal.beginBackup(to: directory.path + "/restored/journal.sqlite")
        var last: UInt64 = 3
        while try !backup.step(pages: 1) {
            last += 1
            try append(session, last...last, to: journal)
        }
        #expect(last > 4)
        let restored = try SQLiteJournal(directory: directory.path + "/restored")
        #expect(try restored.loss == nil && restored.numbers(of: session) == Array(1...last))
        #expect(try restored.database().connection.integer("PRAGMA user_version") == 2)
        try append(session, last + 1...last + 1, to: journal)
        #expect(try journal.numbers(of: session) == Array(1...last + 1))
    }

    @Test
    func `a damaged database is moved aside with its row log`() throws {
        let first = try journal()
        try append(session, 1...3, to: first)
        let other = directory.path + "/other"
        mkdir(other, 0o700)
        for name in ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-rows"] {
            TestDirectory.write(TestDirectory.read("\(path)/\(name)") ?? [], to: "\(other)/\(name)")
        }
        TestDirectory.write([UInt8](repeating: 7, count: 8192), to: other + "/journal.sqlite")
        let journal = try SQLiteJournal(directory: other, moveAside: true)
        let aside = try #require(journal.movedAside)
        #expect(TestDirectory.read(aside + "-rows") == TestDirectory.read(rowLog))
        #expect(try journal.load(session) == nil)
        withExtendedLifetime(first) {}
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `random changes lead to what a model says, over many rounds and crashes`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (place, number): (Int, UInt64) = (0, 0)
        var model: [StoredSessionID: (covers: UInt64, rows: [UInt64])] = [:]
        let ids = (0..<6 as Range<UInt64>).map { StoredSessionID.sample($0) }
        var journal = try SQLiteJournal(directory: "\(path)-0")
        try journal.beginRowLog(capacity: 16 << 10)
        func change(_ batch: inout JournalBatch, rowsOnly: Bool) {
            let id = ids[Int.random(in: 0..<6, using: &random)]
            let kind = Int.random(in: 0..<12, using: &random)
            if let known = model[id], rowsOnly || kind < 9 {
                number += UInt64.random(in: 1...2, using: &random)
                batch.append(session: id, number: number, previous: known.rows.last ?? known.covers, wakesAt: nil) {
                    $0.append(contentsOf: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 60))
                }
                model[id]?.rows.append(number)
            } else if !rowsOnly, kind < 11 {
                let covers = model[id].map { $0.rows.randomElement(using: &random) ?? $0.covers } ?? 0
                batch.add(.store(.sample(id, covers: covers)))
                model[id] = (covers, (model[id]?.rows ?? []).filter { $0 > covers })
            } else if !rowsOnly {
                batch.add(.remove(id))
                model[id] = nil
            }
        }
        for step in 0..<600 {
            let (count, rowsOnly) = (Int.random(in: 1...8, using: &random), step % 8 != 0)
            try journal.commit { batch in for _ in 0..<count { change(&batch, rowsOnly: rowsOnly) } }
            if step % 16 == 0 { try journal.maintain() }
            if step % 24 == 0 { _ = try journal.trim() }
            if step % 100 == 99 {
                let former = journal
                if Bool.random(using: &random) { try former.close() }
                place += 1
                mkdir("\(path)-\(place)", 0o700)
                for name in TestDirectory.names(in: "\(path)-\(place - 1)") where name != "lock" {
                    let content = TestDirectory.read("\(path)-\(place - 1)/\(name)") ?? []
                    TestDirectory.write(content, to: "\(path)-\(place)/\(name)")
                }
                journal = try withExtendedLifetime(former) { try SQLiteJournal(directory: "\(path)-\(place)") }
                #expect(journal.loss != .commits)
                try journal.beginRowLog(capacity: 16 << 10)
            }
            guard step % 20 == 0 || step % 100 == 99 else { continue }
            for id in ids {
                let entry = try journal.load(id)
                #expect(entry?.snapshot?.covers == model[id]?.covers && entry?.rows.map(\.number) == model[id]?.rows)
                let isWhole = entry?.rows.allSatisfy { $0.content.first == UInt8(truncatingIfNeeded: $0.number) }
                #expect(isWhole ?? true)
            }
            #expect(try journal.statistics().rows == model.values.map(\.rows.count).reduce(0, +))
            #expect(try Int64(journal.database().rows) == journal.rowsInTable)
        }
    }
}
