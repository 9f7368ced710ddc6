import Glibc
import MachineHost
import Testing

@testable import SQLiteJournal

struct JournalLockTests {
    private let directory: TestDirectory
    private var path: String { directory.path + "/state" }

    init() throws {
        directory = try TestDirectory()
    }

    @Test
    func `the second journal of a directory names who holds it`() throws {
        let journal = try SQLiteJournal(directory: path)
        let error = failure { _ = try SQLiteJournal(directory: path) }
        #expect(error?.kind == .held)
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, 255)
        let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #expect(error?.detail.contains("process \(getpid()) on \(host) since 20") == true)
        #expect(error?.detail.contains(path) == true)
        // The second attempt has changed nothing.
        try journal.append(.sample(1), rows: 1...3)
        try journal.close()
        #expect(try SQLiteJournal(directory: path).numbers(of: .sample(1)) == [1, 2, 3])
    }

    @Test
    func `a database that is open without the lock is held as well`() throws {
        let journal = try SQLiteJournal(directory: path)
        // Whoever deletes the lock file does not get two journals.
        unlink(path + "/lock")
        // The locks of SQLite belong to the process, so only the lock of its own process list rejects a second connection here.
        #expect(failure { _ = try SQLiteJournal(directory: path) }?.kind == .held)
        try journal.append(.sample(1), rows: 1...1)
    }

    @Test
    func `a journal that was released without closing frees the directory and keeps its content`() throws {
        try SQLiteJournal(directory: path).append(.sample(1), rows: 1...2)
        #expect(try SQLiteJournal(directory: path).numbers(of: .sample(1)) == [1, 2])
    }

    @Test
    func `a lock that is kept outlives the journal`() throws {
        let journal = try SQLiteJournal(directory: path)
        let lock = try #require(journal.lock)
        try journal.append(.sample(1), rows: 1...1)
        try journal.close()
        #expect(failure { _ = try SQLiteJournal(directory: path) }?.kind == .held)
        // The old process resumes if the new one does not confirm.
        let resumed = try SQLiteJournal(directory: path, lock: lock)
        try resumed.append(.sample(1), rows: 2...2)
        #expect(try resumed.numbers(of: .sample(1)) == [1, 2])
    }

    @Test
    func `a lock passes to whoever adopts its descriptor`() throws {
        var first: JournalLock? = try JournalLock(directory: path)
        let copy = dup(try #require(first).descriptor)
        var second: JournalLock? = try JournalLock(adopting: copy, directory: path)
        first = nil
        #expect(failure { _ = try JournalLock(directory: path) }?.kind == .held)
        let journal = try SQLiteJournal(directory: path, lock: try #require(second))
        #expect(fcntl(copy, F_GETFD) & FD_CLOEXEC != 0)
        try journal.close()
        second = nil
        _ = try JournalLock(directory: path)
        _ = first
    }

    @Test
    func `a descriptor of another file is not adopted`() throws {
        _ = try JournalLock(directory: path)
        let other = open("/dev/null", O_RDONLY)
        defer { close(other) }
        #expect(failure { _ = try JournalLock(adopting: other, directory: path) }?.kind == .held)
        let unlocked = open(path + "/lock", O_RDWR)
        defer { close(unlocked) }
        let holder = try JournalLock(directory: path)
        #expect(failure { _ = try JournalLock(adopting: unlocked, directory: path) }?.kind == .held)
        withExtendedLifetime(holder) {}
    }
}
