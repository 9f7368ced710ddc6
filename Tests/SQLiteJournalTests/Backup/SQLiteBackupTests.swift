import MachineHost
import Testing

@testable import SQLiteJournal

struct SQLiteBackupTests {
    private let directory: TestDirectory
    private let session = StoredSessionID.sample(1)
    private var copy: String { directory.path + "/restored/journal.sqlite" }

    init() throws {
        directory = try TestDirectory()
        _ = try JournalDirectory(directory.path + "/restored")
    }

    private func restored() throws -> SQLiteJournal { try SQLiteJournal(directory: directory.path + "/restored") }

    @Test
    func `a backup is complete, and only its owner may read it`() throws {
        let journal = try SQLiteJournal(directory: directory.path + "/state")
        try journal.append(session, rows: 1...100)
        try journal.commit { $0.add(.set(property: "format", value: [4])) }
        try journal.backUp(to: copy)
        try journal.append(session, rows: 101...110)
        #expect(TestDirectory.mode(of: copy) == 0o600)
        #expect(TestDirectory.names(in: directory.path + "/restored") == ["journal.sqlite"])
        let restored = try restored()
        #expect(try restored.numbers(of: session) == Array(1...100))
        #expect(try restored.property("format") == [4])
        // The host gives the sessions of a copy new epochs.
        #expect(try restored.property(JournalProperty.copied) == [1])
        #expect(restored.missingFile == nil)
        #expect(try journal.property(JournalProperty.copied) == nil)
        #expect(try journal.numbers(of: session) == Array(1...110))
    }

    @Test
    func `a backup contains what was committed while it was written`() throws {
        let journal = try SQLiteJournal(directory: directory.path + "/state")
        try journal.commit { $0.add(.store(.sample(session, content: [UInt8](repeating: 1, count: 1 << 20)))) }
        let backup = try journal.beginBackup(to: copy)
        #expect(failure { _ = try journal.beginBackup(to: copy + "2") }?.kind == .unsupported)
        var last: UInt64 = 0
        while try !backup.step(pages: 8) {
            last += 1
            try journal.commit(isFlushed: false) { batch in
                batch.append(session: session, number: last, previous: last - 1, wakesAt: nil) { $0.append(1) }
            }
            try journal.database().checkpoint(from: 20)
        }
        #expect(last > 20)
        #expect(failure { _ = try backup.step(pages: 1) }?.kind == .closed)
        #expect(try restored().numbers(of: session) == Array(1...last))
        _ = try journal.beginBackup(to: copy + "2")
    }

    @Test
    func `a backup replaces no file`() throws {
        let journal = try SQLiteJournal(directory: directory.path + "/state")
        TestDirectory.write([7], to: copy)
        #expect(failure { try journal.backUp(to: copy) }?.kind == .unsupported)
        #expect(TestDirectory.read(copy) == [7])
        // A file that appears while the copy is written is not replaced either.
        let backup = try journal.beginBackup(to: copy + "2")
        TestDirectory.write([8], to: copy + "2")
        #expect(failure { _ = try backup.step(pages: 1000) }?.kind == .unsupported)
        #expect(TestDirectory.read(copy + "2") == [8])
        #expect(TestDirectory.names(in: directory.path + "/restored") == ["journal.sqlite", "journal.sqlite2"])
        try journal.append(session, rows: 1...1)
    }

    @Test
    func `a backup that cannot be written leaves the journal usable`() throws {
        let journal = try SQLiteJournal(directory: directory.path + "/state")
        #expect(failure { try journal.backUp(to: directory.path + "/missing/copy") }?.kind == .inputOutput)
        try journal.append(session, rows: 1...1)
    }

    @Test
    func `closing the journal ends a backup and removes its file`() throws {
        let journal = try SQLiteJournal(directory: directory.path + "/state")
        let backup = try journal.beginBackup(to: copy)
        #expect(try !backup.step(pages: 1))
        try journal.close()
        #expect(failure { _ = try backup.step(pages: 1) }?.kind == .closed)
        #expect(TestDirectory.names(in: directory.path + "/restored") == [])
        // Nothing holds the database any more.
        _ = try SQLiteJournal(directory: directory.path + "/state")
    }
}
