import Glibc
import MachineHost
import Testing

@testable import SQLiteJournal

/// What a journal finds out about files that an earlier process has left.
struct LossTests {
    private let directory: TestDirectory
    private var path: String { directory.path + "/state" }
    private var log: String { path + "/journal.sqlite-wal" }
    private let session = StoredSessionID.sample(1)

    init() throws {
        directory = try TestDirectory()
    }

    /// The files of a directory and their contents.
    private typealias Files = [String: [UInt8]]

    /// Stores rows in batches of one, and returns the files. Then the process ends.
    private func store(_ rows: ClosedRange<UInt64>) throws -> Files {
        let journal = try SQLiteJournal(directory: path)
        for number in rows { try journal.append(session, rows: number...number) }
        return withExtendedLifetime(journal) { files() }
    }

    /// Stores the first row, and closes the journal.
    private func begin() throws {
        _ = try store(1...1)
        try SQLiteJournal(directory: path).close()
    }

    private func files() -> Files {
        var files = Files()
        for name in TestDirectory.names(in: path) { files[name] = TestDirectory.read("\(path)/\(name)") }
        return files
    }

    /// Puts files into a directory, over those that are there.
    private func put(_ files: Files, into path: String) {
        mkdir(path, 0o700)
        awaitTick()
        for (name, content) in files { TestDirectory.write(content, to: "\(path)/\(name)") }
    }

    /// Waits until the clock of the file system has another time than when this was called.
    private func awaitTick() {
        let probe = directory.path + "/probe"
        func time() -> Int {
            unlink(probe)
            TestDirectory.write([], to: probe)
            var status = stat()
            return stat(probe, &status) == 0 ? status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec : 0
        }
        let start = time()
        while time() == start {}
    }

    /// Opens a journal and returns what it lacks. It is open no longer than that.
    private func loss(in path: String? = nil) throws -> SQLiteJournal.Loss? {
        let journal = try SQLiteJournal(directory: path ?? self.path)
        let isMarked = try journal.property(JournalProperty.copied) == [1]
        #expect(isMarked == (journal.loss != nil))
        return journal.loss
    }

    /// Does what the host does when it has given the sessions new epochs.
    private func renew() throws {
        try SQLiteJournal(directory: path).commit { $0.add(.set(property: JournalProperty.copied, value: [])) }
    }

    @Test
    func `nothing is lost by closes, ends of the process, checkpoints and reads`() throws {
        for round in 0..<8 as Range<UInt64> {
            let journal = try SQLiteJournal(directory: path)
            #expect(journal.loss == nil)
            #expect(try journal.property(JournalProperty.copied) == nil)
            for number in 4 * round + 1...4 * round + 4 { try journal.append(session, rows: number...number) }
            #expect(try journal.numbers(of: session).count == 4 * Int(round) + 4)
            if round % 3 == 2 { try journal.database().checkpoint(from: 0) }
            if round % 4 == 3 { try journal.close() }
        }
        rename(path, path + "-renamed")
        #expect(try loss(in: path + "-renamed") == nil)
    }

    @Test
    func `a log that is begun again loses nothing`() throws {
        for round in 0..<3 as Range<UInt64> {
            let journal = try SQLiteJournal(directory: path)
            #expect(journal.loss == nil)
            for number in round * 40 + 1...round * 40 + 40 {
                try journal.append(session, rows: number...number)
                if number % 7 == 0 { try journal.database().checkpoint(from: 0) }
            }
        }
        // After a loss of power, an older position is found.
        let older = try store(121...125)
        let journal = try SQLiteJournal(directory: path)
        for number in 126...150 as ClosedRange<UInt64> {
            try journal.append(session, rows: number...number)
            try journal.database().checkpoint(from: 0)
        }
        var newer = withExtendedLifetime(journal) { files() }
        newer["journal.sqlite-position"] = older["journal.sqlite-position"]
        #expect(older["journal.sqlite-position"]?.contains { $0 != 0 } == true)
        put(newer, into: path + "-after")
        // A copy, but not one whose log lacks something.
        #expect(try loss(in: path + "-after") == .copy)
        #expect(try SQLiteJournal(directory: path + "-after").numbers(of: session).count == 150)
    }

    @Test
    func `a log that is cut lacks commits, unless it keeps the last one`() throws {
        try begin()
        let files = try store(2...6)
        for size in stride(from: 0, to: WriteAheadLog(path: log).usedSize, by: 1009) {
            var cut = files
            cut["journal.sqlite-wal"] = Array((files["journal.sqlite-wal"] ?? []).prefix(size))
            cut["journal.sqlite-place"] = nil
            put(cut, into: path)
            #expect(try loss() == .commits, "\(size)")
            // Reported once, and marked until the host has renewed the epochs.
            let next = try SQLiteJournal(directory: path)
            #expect(try next.loss == nil && next.property(JournalProperty.copied) == [1])
        }
        var whole = files
        whole["journal.sqlite-place"] = nil
        put(whole, into: path)
        #expect(try loss() == nil)
        #expect(try SQLiteJournal(directory: path).numbers(of: session) == [1, 2, 3, 4, 5, 6])
    }

    @Test
    func `a log that was begun again after the checkpoint of a commit lacks commits if it is cut`() throws {
        try begin()
        let journal = try SQLiteJournal(directory: path)
        let last = UInt64(SQLiteJournal.toleratedPages) + 100
        try journal.commit { batch in
            for number in 2...last {
                batch.append(session: session, number: number, previous: number - 1, wakesAt: nil) {
                    $0.append(contentsOf: [UInt8](repeating: 1, count: 4000))
                }
            }
        }
        let salt = WriteAheadLog(path: log).salt
        for number in last + 1...last + 3 { try journal.append(session, rows: number...number) }
        #expect(WriteAheadLog(path: log).salt != salt)
        var cut = withExtendedLifetime(journal) { files() }
        let size = WriteAheadLog(path: log).usedSize - 1
        cut["journal.sqlite-wal"] = Array((cut["journal.sqlite-wal"] ?? []).prefix(size))
        cut["journal.sqlite-place"] = nil
        put(cut, into: path + "-cut")
        #expect(try loss(in: path + "-cut") == .commits)
    }

    @Test
    func `a changed bit of a log lacks commits`() throws {
        try begin()
        let files = try store(2...6)
        for place in stride(from: 0, to: WriteAheadLog(path: log).usedSize, by: 997) {
            var changed = files
            changed["journal.sqlite-wal"]?[place] ^= 1 << UInt8(place % 8)
            changed["journal.sqlite-place"] = nil
            put(changed, into: path)
            #expect(try loss() == .commits, "\(place)")
        }
    }

    @Test
    func `a copy of the directory is one, wherever it is put`() throws {
        let running = try store(1...3)
        _ = try store(4...4)
        try SQLiteJournal(directory: path).close()
        let closed = files()
        for copy in [running, closed] {
            put(copy, into: path + "-other")
            #expect(try loss(in: path + "-other") == .copy)
            TestDirectory.remove(path + "-other")
        }
        // Over the files themselves, which are newer then.
        for copy in [running, closed] {
            _ = try store(5...5)
            put(copy, into: path)
            #expect(try loss() == .copy)
            try renew()
            #expect(try loss() == nil)
            put(closed, into: path)
            #expect(try loss() == .copy)
            try renew()
        }
    }

    @Test
    func `an older database with its log in place of the newer ones lacks commits`() throws {
        let older = try store(1...3).filter { ["journal.sqlite", "journal.sqlite-wal"].contains($0.key) }
        _ = try store(4...4)
        put(older, into: path)
        #expect(try loss() == .commits)
    }

    @Test
    func `a row that does not tell its session is lost`() throws {
        let journal = try SQLiteJournal(directory: path)
        try journal.append(session, rows: 1...3)
        try journal.database().connection.execute("UPDATE journal SET session = zeroblob(16) WHERE i = 3")
        try journal.close()
        #expect(try loss() == .row)
        // A row that was stored for a session that does not exist is not damaged.
        try SQLiteJournal(directory: path).database().connection.execute("DELETE FROM journal WHERE i = 3")
        try renew()
        try SQLiteJournal(directory: path).commit {
            $0.append(session: .sample(9), number: 9, previous: 0, wakesAt: nil) { $0.append(1) }
        }
        #expect(try loss() == nil)
    }

    @Test
    func `a directory of an older build is marked, and loses nothing`() throws {
        let journal = try SQLiteJournal(directory: path)
        try journal.append(session, rows: 1...3)
        try journal.database().connection.execute("DELETE FROM properties WHERE name = 'place'")
        try journal.close()
        for name in ["place", "position"] { unlink("\(path)/journal.sqlite-\(name)") }
        #expect(try loss() == nil)
        put(files(), into: path)
        #expect(try loss() == .copy)
    }

    @Test(arguments: [
        (LogPosition(salt: 7, frames: 5), LogPosition(salt: 7, frames: 5), true),
        (LogPosition(salt: 7, frames: 5), LogPosition(salt: 7, frames: 9), true),
        (LogPosition(salt: 7, frames: 5), LogPosition(salt: 7, frames: 4), false),
        (LogPosition(salt: 7, frames: 5), LogPosition(salt: 8, frames: 1), true),
        (LogPosition(salt: 7, frames: 5), LogPosition(salt: 900, frames: 0), true),
        (LogPosition(salt: .max, frames: 5), LogPosition(salt: 1, frames: 2), true),
        (LogPosition(salt: 7, frames: 5), LogPosition(salt: 6, frames: 9), false),
        (LogPosition(salt: 7, frames: 5), .nothing, false), (.nothing, .nothing, true),
        (LogPosition(salt: 7, frames: 0), .nothing, true), (LogPosition(salt: 0, frames: 5), .nothing, true),
    ])
    func `a position is in a log that was continued or begun again`(
        position: LogPosition, found: LogPosition, isContained: Bool
    ) {
        #expect(position.isContained(in: found) == isContained)
    }
}
