import Glibc
import MachineHost
import Testing

@testable import SQLiteJournal

/// A disk that other programs fill completely.
struct FullDiskTests {
    private let session = StoredSessionID.sample(1)
    private let directory: TestDirectory

    init() throws {
        directory = try TestDirectory()
    }

    /// Returns the bytes that a file occupies on its disk.
    private func occupied(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_blocks) * 512 : 0
    }

    /// Whether the file system of the tests has much room and gives it to a log in advance, as ext4, XFS and tmpfs do.
    private static let givesRoom: Bool = {
        guard let directory = try? TestDirectory(), let place = try? JournalDirectory(directory.path),
            let free = try? place.freeBytes(), free > 8 * JournalDirectory.logRoom
        else { return false }
        return withExtendedLifetime(directory) {
            TestDirectory.write([], to: place.log)
            return place.reserveLogRoom()
        }
    }()

    @Test(.enabled("the file system gives a file blocks in advance", { FullDiskTests.givesRoom }))
    func `a log has its room from the beginning, and keeps it when it is emptied`() throws {
        let (path, log) = (directory.path + "/state", directory.path + "/state/journal.sqlite-wal")
        for number in 1...4 as ClosedRange<UInt64> {
            let journal = try SQLiteJournal(directory: path)
            #expect(try journal.database().hasLogRoom)
            #expect(occupied(log) >= JournalDirectory.logRoom)
            try journal.append(session, rows: number...number)
            // The size is that of the content, which the next process reads.
            #expect(try #require(JournalDirectory.size(of: log)) < 100_000)
            if number % 2 == 0 {
                try journal.close()
                #expect(JournalDirectory.size(of: log) == 0)
                #expect(occupied(log) >= JournalDirectory.logRoom)
            }
        }
    }

    /// Appends rows of a page each, in batches of a hundred. Returns the number of the last one that was stored.
    private func append(_ rows: ClosedRange<UInt64>, to journal: SQLiteJournal) throws -> UInt64 {
        var last = rows.lowerBound - 1
        while last < rows.upperBound {
            try journal.commit { batch in
                for number in last + 1...min(last + 100, rows.upperBound) {
                    batch.append(session: session, number: number, previous: number - 1, wakesAt: nil) {
                        $0.append(contentsOf: [UInt8](repeating: 1, count: 4000))
                    }
                }
            }
            last = min(last + 100, rows.upperBound)
            try journal.maintain()
            _ = try journal.trim()
        }
        return last
    }

    @Test(.enabled("mounting a file system needs privileges", { SmallDisk.isPermitted }))
    func `a journal on a disk without a free block is opened, read, written and closed`() throws {
        let disk = try SmallDisk()
        var journal = try SQLiteJournal(directory: disk.path)
        try journal.commit { $0.add(.store(.sample(session))) }
        try journal.close()
        disk.fill()
        journal = try SQLiteJournal(directory: disk.path)
        #expect(try journal.freeBytes() == 0)
        // More than a checkpoint moves, for which the database has no room.
        #expect(try append(1...1500, to: journal) == 1500)
        let database = disk.path + "/journal.sqlite"
        #expect(try #require(JournalDirectory.size(of: database)) < 1_000_000)
        #expect(try journal.numbers(of: session).count == 1500)
        try journal.close()
        journal = try SQLiteJournal(directory: disk.path)
        #expect(try append(1501...1600, to: journal) == 1600)
        disk.empty()
        #expect(try append(1601...1700, to: journal) == 1700)
        #expect(try #require(JournalDirectory.size(of: database)) > 1500 * 4096)
        try journal.close()
        #expect(JournalDirectory.size(of: database + "-wal") == 0)
        #expect(try SQLiteJournal(directory: disk.path).numbers(of: session) == Array(1...1700))
    }

    @Test(.enabled("mounting a file system needs privileges", { SmallDisk.isPermitted }))
    func `a log whose room is used up fails the commit, and what was stored can be read`() throws {
        let disk = try SmallDisk()
        var journal = try SQLiteJournal(directory: disk.path)
        try journal.commit { $0.add(.store(.sample(session))) }
        disk.fill()
        var stored: UInt64 = 0
        let error = failure { while stored < 100_000 { stored = try append(stored + 1...stored + 100, to: journal) } }
        #expect(error?.kind == .full)
        #expect(stored > 2000)
        #expect(failure { _ = try journal.load(session) }?.kind == .closed)
        try journal.close()
        journal = try SQLiteJournal(directory: disk.path)
        #expect(try journal.numbers(of: session) == Array(1...stored))
        disk.empty()
        #expect(try append(stored + 1...stored + 100, to: journal) == stored + 100)
        try journal.close()
        #expect(try SQLiteJournal(directory: disk.path).numbers(of: session) == Array(1...stored + 100))
    }
}
