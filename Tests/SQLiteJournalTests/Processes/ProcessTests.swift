import Glibc
import MachineHost
import Testing

@testable import SQLiteJournal

/// Tests with a second process: this test program, which runs only ``ProcessTests/the second process commits until it ends()``.
struct ProcessTests {
    private static let variable = "GRANARY_TEST_JOURNAL"
    /// The descriptor to which the second process writes the number of each batch that was acknowledged.
    private static let acknowledgements: Int32 = 3

    @Test(.enabled("only in the second process", { getenv(ProcessTests.variable) != nil }))
    func `the second process commits until it ends`() throws {
        let path = String(cString: try #require(getenv(ProcessTests.variable)))
        do {
            let journal = try SQLiteJournal(directory: path)
            let stored = try journal.property("number")?.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
            for number in ((stored ?? 0) + 1)... {
                try commit(number, to: journal)
                var acknowledged = number
                guard write(ProcessTests.acknowledgements, &acknowledged, 8) == 8 else { return }
                if number % 64 == 0 { _ = try journal.trim() }
                try journal.maintain()
            }
        } catch let error as JournalError {
            // Shorter than a number, so that the reader can tell them apart.
            let text = Array(error.kind.rawValue.utf8.prefix(7))
            _ = write(ProcessTests.acknowledgements, text, text.count)
        }
    }

    @Test(.enabled("only in the second process", { getenv(ProcessTests.variable) != nil }))
    func `the second process reads until it ends`() throws {
        let path = String(cString: try #require(getenv(ProcessTests.variable)))
        let connection = try SQLiteConnection(path: path + "/journal.sqlite")
        try connection.execute("BEGIN; SELECT count(*) FROM journal")
        var acknowledged: UInt64 = 1
        guard write(ProcessTests.acknowledgements, &acknowledged, 8) == 8 else { return }
        // Until it is killed.
        while withExtendedLifetime(connection, { pause() }) != 0 {}
    }

    @Test
    func `a journal that another program reads is not opened, and the program is named`() throws {
        let directory = try TestDirectory()
        let path = directory.path + "/state"
        try SQLiteJournal(directory: path).close()
        let child = try SecondProcess(path, shell: nil, test: "the second process reads until it ends")
        #expect(child.read(until: 1) == 1)
        let error = failure { _ = try SQLiteJournal(directory: path) }
        #expect(error?.kind == .held)
        #expect(
            error?.detail.hasPrefix("expected no other program to use \(path)/journal.sqlite, but process ") == true,
            "\(error?.detail ?? "no error")")
        child.kill()
        try SQLiteJournal(directory: path).append(.sample(1), rows: 1...1)
    }

    /// Commits rows of three sessions, and now and then a snapshot.
    private func commit(_ number: UInt64, to journal: SQLiteJournal) throws {
        try journal.commit(isFlushed: number % 8 == 0) { batch in
            for place in 0..<3 as Range<UInt64> {
                let id = StoredSessionID.sample(place)
                if number == 1 { batch.add(.store(.sample(id))) }
                let row = 3 * number + place
                batch.append(session: id, number: row, previous: number == 1 ? 0 : row - 3, wakesAt: nil) {
                    $0.append(contentsOf: [UInt8](repeating: 1, count: 300))
                }
                if number % 50 == place { batch.add(.store(.sample(id, covers: row))) }
            }
            batch.add(.set(property: "number", value: withUnsafeBytes(of: number) { Array($0) }))
        }
    }

    @Test
    func `every acknowledged batch survives kill -9`() throws {
        let directory = try TestDirectory()
        let path = directory.path + "/state"
        var acknowledged: UInt64 = 0
        for round in 0..<6 {
            let child = try SecondProcess(path, shell: nil)
            acknowledged = try #require(child.read(until: acknowledged + UInt64(50 + 333 * round)))
            child.kill()
            acknowledged = child.readRest() ?? acknowledged
            let journal = try SQLiteJournal(directory: path)
            let stored = try #require(
                try journal.property("number")?.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
            // The last commit may have ended before its acknowledgement was written.
            #expect(stored == acknowledged || stored == acknowledged + 1)
            for place in 0..<3 as Range<UInt64> {
                let entry = try #require(try journal.load(.sample(place)))
                let covers = try #require(entry.snapshot?.covers)
                let last = 3 * stored + place
                #expect(entry.rows.last?.number ?? covers == last)
                #expect(
                    entry.rows.map(\.number)
                        == Array(stride(from: covers == 0 ? 3 + place : covers + 3, through: last, by: 3)))
            }
            try journal.close()
            acknowledged = stored
        }
    }

    @Test
    func `a disk without space fails a commit, and what was acknowledged stays`() throws {
        let directory = try TestDirectory()
        let path = directory.path + "/state"
        // A limit of the file size, in units of 512 bytes, acts like a disk without space.
        let child = try SecondProcess(path, shell: "trap '' XFSZ; ulimit -f 1000; exec \"$0\" \"$@\"")
        let acknowledged = try #require(child.readRest())
        #expect(child.ending == "full")
        child.kill()
        let journal = try SQLiteJournal(directory: path)
        let stored = try #require(try journal.property("number")?.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
        #expect(stored == acknowledged)
    }
}
