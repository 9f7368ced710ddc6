import Glibc
import MachineHost
import Testing

@testable import SQLiteJournal

struct JournalDirectoryTests {
    private let directory: TestDirectory
    private var path: String { directory.path + "/state" }
    private var database: String { path + "/journal.sqlite" }
    /// The files of a journal in use.
    private let files = [
        "journal.sqlite", "journal.sqlite-place", "journal.sqlite-position", "journal.sqlite-wal", "lock",
    ]

    init() throws {
        directory = try TestDirectory()
    }

    @Test
    func `directories and files are created for their owner only`() throws {
        let deep = directory.path + "/a/b//"
        let journal = try SQLiteJournal(directory: deep)
        try journal.append(.sample(1), rows: 1...1)
        #expect(TestDirectory.mode(of: directory.path + "/a") == 0o700)
        #expect(TestDirectory.mode(of: directory.path + "/a/b") == 0o700)
        #expect(TestDirectory.names(in: directory.path + "/a/b") == files)
        for name in files { #expect(TestDirectory.mode(of: "\(directory.path)/a/b/\(name)") == 0o600) }
    }

    @Test
    func `a database that others may read is restricted`() throws {
        try SQLiteJournal(directory: path).close()
        chmod(database, 0o644)
        _ = try SQLiteJournal(directory: path)
        #expect(TestDirectory.mode(of: database) == 0o600)
    }

    @Test
    func `the command that protects a directory can be copied, also with blanks in its path`() throws {
        let spaced = path + "/my sessions"
        mkdir(path, 0o700)
        mkdir(spaced, 0o700)
        chmod(spaced, 0o750)
        let error = failure { _ = try SQLiteJournal(directory: spaced) }
        #expect(error?.detail.contains("run chmod 700 '\(spaced)'") == true)
    }

    @Test
    func `a directory that others may access is refused`() throws {
        mkdir(path, 0o700)
        chmod(path, 0o750)
        let error = failure { _ = try SQLiteJournal(directory: path) }
        #expect(error?.kind == .unprotected)
        #expect(error?.detail.contains("got mode 750: run chmod 700 \(path)") == true)
        #expect(TestDirectory.names(in: path) == [])
        #expect(failure { try JournalLock.check(directory: path) } == error)
    }

    @Test
    func `a check refuses what is not a directory, and creates nothing`() throws {
        try JournalLock.check(directory: path)
        #expect(TestDirectory.names(in: directory.path) == [])
        mkdir(path, 0o700)
        try JournalLock.check(directory: path + "/")
        #expect(TestDirectory.names(in: path) == [])
        close(open(path + "/file", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        for place in [path + "/file", path + "/file/state", ""] {
            let expected = failure { _ = try SQLiteJournal(directory: place) }
            let error = failure { try JournalLock.check(directory: place) }
            #expect(error != nil && error?.kind == expected?.kind, "\(place)")
        }
    }

    @Test(.enabled("root can give a directory to another user", { geteuid() == 0 }))
    func `a directory of another user is refused`() throws {
        mkdir(path, 0o700)
        chown(path, 12345, 12345)
        #expect(failure { _ = try SQLiteJournal(directory: path) }?.kind == .unprotected)
    }

    @Test(.enabled("root may write everywhere", { geteuid() != 0 }))
    func `a directory that cannot be written is read-only`() throws {
        try SQLiteJournal(directory: path).close()
        chmod(path, 0o500)
        defer { chmod(path, 0o700) }
        unlink(path + "/lock")
        #expect(failure { _ = try SQLiteJournal(directory: path + "/new") }?.kind == .readOnly)
    }

    @Test
    func `a directory on a read-only file system is read-only`() {
        // proc and sysfs accept no new directories from anyone.
        #expect(
            [.readOnly, .inputOutput].contains(failure { _ = try SQLiteJournal(directory: "/proc/granary") }?.kind))
        #expect(failure { _ = try SQLiteJournal(directory: "/sys/granary") }?.kind == .readOnly)
    }

    @Test
    func `a file in place of the directory is refused`() throws {
        TestDirectory.write([1], to: path)
        #expect(failure { _ = try SQLiteJournal(directory: path) }?.kind == .unsupported)
        #expect(failure { _ = try SQLiteJournal(directory: "") }?.kind == .unsupported)
    }

    @Test
    func `a damaged database is refused and stays unchanged`() throws {
        try prepareDamage()
        let (content, log) = (TestDirectory.read(database), TestDirectory.read(database + "-wal"))
        for _ in 0..<2 {
            #expect(failure { _ = try SQLiteJournal(directory: path) }?.kind == .damaged)
        }
        #expect(TestDirectory.read(database) == content)
        #expect(TestDirectory.read(database + "-wal") == log)
        #expect(TestDirectory.names(in: path) == ["journal.sqlite", "journal.sqlite-wal", "lock"])
    }

    @Test
    func `a damaged database is moved aside on request, with its log`() throws {
        try prepareDamage()
        let (content, log) = (TestDirectory.read(database), TestDirectory.read(database + "-wal"))
        let journal = try SQLiteJournal(directory: path, moveAside: true)
        let aside = try #require(journal.movedAside)
        #expect(TestDirectory.read(aside) == content)
        #expect(TestDirectory.read(aside + "-wal") == log)
        #expect(try journal.sessions(after: nil, limit: 10) == [])
        try journal.append(.sample(2), rows: 1...1)
        try journal.close()
        // A journal that is not damaged is not moved.
        #expect(try SQLiteJournal(directory: path, moveAside: true).movedAside == nil)
        #expect(TestDirectory.names(in: path).count == files.count + 2)
    }

    @Test
    func `a log without its database is damage, which SQLite would delete`() throws {
        let journal = try SQLiteJournal(directory: path)
        try journal.append(.sample(1), rows: 1...5)
        let log = TestDirectory.read(database + "-wal")
        withExtendedLifetime(journal) {}
        let other = directory.path + "/other"
        mkdir(other, 0o700)
        TestDirectory.write(try #require(log), to: other + "/journal.sqlite-wal")
        for content in [nil, []] as [[UInt8]?] {
            if let content { TestDirectory.write(content, to: other + "/journal.sqlite") }
            #expect(failure { _ = try SQLiteJournal(directory: other) }?.kind == .damaged)
            #expect(TestDirectory.read(other + "/journal.sqlite-wal") == log)
        }
        #expect(try SQLiteJournal(directory: other, moveAside: true).movedAside != nil)
    }

    @Test
    func `a log that was removed while no process ran is reported once, and the journal counts as a copy`() throws {
        try SQLiteJournal(directory: path).append(.sample(1), rows: 1...3)
        unlink(database + "-wal")
        let journal = try SQLiteJournal(directory: path)
        #expect(journal.loss == .log)
        #expect(try journal.property(JournalProperty.copied) == [1])
        #expect(try journal.sessions(after: nil, limit: 1) == [])
        try journal.close()
        #expect(try SQLiteJournal(directory: path).loss == nil)
    }

    @Test
    func `a database that was removed with its log is reported once`() throws {
        try SQLiteJournal(directory: path).close()
        unlink(database)
        unlink(database + "-wal")
        #expect(try SQLiteJournal(directory: path).loss == .database)
        #expect(try SQLiteJournal(directory: path).loss == nil)
    }

    @Test
    func `nothing is missing in a new directory, after a close and after a crash`() throws {
        for number in 1...4 as ClosedRange<UInt64> {
            let journal = try SQLiteJournal(directory: path)
            #expect(journal.loss == nil)
            try journal.append(.sample(1), rows: number...number)
            if number % 2 == 0 { try journal.close() }
        }
    }

    @Test
    func `another kind of database is refused`() throws {
        try SQLiteJournal(directory: path).close()
        try alter("PRAGMA application_id=1")
        #expect(failure { _ = try SQLiteJournal(directory: path) }?.kind == .damaged)
    }

    @Test
    func `a database without a table is damaged`() throws {
        try SQLiteJournal(directory: path).close()
        try alter("DROP TABLE contents")
        #expect(failure { _ = try SQLiteJournal(directory: path) }?.kind == .damaged)
        #expect(try SQLiteJournal(directory: path, moveAside: true).movedAside != nil)
    }

    @Test
    func `a journal of a newer version is refused, and never moved aside`() throws {
        try SQLiteJournal(directory: path).close()
        try alter("PRAGMA user_version=5")
        let content = TestDirectory.read(database)
        for moveAside in [false, true] {
            let error = failure { _ = try SQLiteJournal(directory: path, moveAside: moveAside) }
            #expect(error?.kind == .newer)
            #expect(error?.detail.contains("expected \(database) to have version 4 or older, got version 5") == true)
        }
        #expect(TestDirectory.read(database) == content)
    }

    @Test
    func `a journal of the first version gets names when it is opened`() throws {
        let journal = try SQLiteJournal(directory: path)
        try journal.append(.sample(1), rows: 1...3)
        let before = try journal.load(.sample(1))
        try journal.close()
        try alter(
            "DROP INDEX names; ALTER TABLE sessions DROP COLUMN owner; ALTER TABLE sessions DROP COLUMN name; PRAGMA user_version=1"
        )
        for _ in 0..<2 {
            let opened = try SQLiteJournal(directory: path)
            #expect(try opened.load(.sample(1)) == before)
            try opened.close()
        }
        let opened = try SQLiteJournal(directory: path)
        let name = SessionName(owner: SessionOwner(high: 1, low: 2), text: "main")
        var snapshot = try #require(before?.snapshot)
        snapshot.summary.name = name
        var batch = JournalBatch()
        batch.add(.store(snapshot))
        try opened.commit(batch, isFlushed: true)
        #expect(try opened.session(named: name, of: snapshot.summary.machine) == snapshot.summary.id)
    }

    /// Leaves a database with a damaged header and a log.
    private func prepareDamage() throws {
        let journal = try SQLiteJournal(directory: directory.path + "/source")
        try journal.append(.sample(1), rows: 1...5)
        mkdir(path, 0o700)
        let source = directory.path + "/source/journal.sqlite"
        var content = try #require(TestDirectory.read(source))
        for index in 0..<100 { content[index] ^= 0x55 }
        TestDirectory.write(content, to: database)
        TestDirectory.write(try #require(TestDirectory.read(source + "-wal")), to: database + "-wal")
        withExtendedLifetime(journal) {}
    }

    private func alter(_ statement: String) throws {
        let connection = try SQLiteConnection(path: database)
        try connection.execute(statement)
        try connection.checkpoint(3)
        connection.close()
    }
}
