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
        #expect(restored.loss == nil)
        #expect(try journal.property(JournalProperty.copied) == nil)
        #expect(try journal.numbers(of: session) == Array(1...110))
    }

    @Test
    func `a backup has the properties that are added, in place of those of the journal`() throws {
        let journal = try SQLiteJournal(directory: directory.path + "/state")
        try journal.commit { batch in
            batch.add(.set(property: "a", value: [1]))
            batch.add(.set(property: "b", value: [2]))
        }
        let large = [UInt8](repeating: 9, count: 20_000)
        let backup = try journal.beginBackup(to: copy, adding: ["b": [3], "c": large])
        while try !backup.step(pages: 1) {}
        #expect(TestDirectory.names(in: directory.path + "/restored") == ["journal.sqlite"])
        let restored = try restored()
        #expect(try restored.property("a") == [1] && restored.property("b") == [3])
        #expect(try restored.property("c") == large && restored.property(JournalProperty.copied) == [1])
        #expect(try journal.property("b") == [2] && journal.property("c") == nil)
        // The copy of a copy has all of them.
        try restored.backUp(to: directory.path + "/again")
        let again = directory.path + "/second"
        _ = try JournalDirectory(again)
        TestDirectory.write(try #require(TestDirectory.read(directory.path + "/again")), to: again + "/journal.sqlite")
        #expect(try SQLiteJournal(directory: again).property("c") == large)
    }

    @Test
    func `properties that are erased are in no file any more`() throws {
        func secret(_ byte: UInt8, _ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 8) &* 16 &+ byte } }
        // In a page with others, and in pages of its own.
        let secrets = ["small": secret(1, 64), "large": secret(2, 20_000)]
        let journal = try SQLiteJournal(directory: directory.path + "/state")
        for number in 0..<50 {
            try journal.commit { $0.add(.set(property: "other \(number)", value: [UInt8](repeating: 5, count: 60))) }
        }
        let backup = try journal.beginBackup(to: copy, adding: secrets)
        while try !backup.step(pages: 1000) {}
        let restored = try restored()
        func files() -> [UInt8] {
            (TestDirectory.read(copy) ?? []) + (TestDirectory.read(copy + "-wal") ?? [])
        }
        func contains(_ byte: UInt8) -> Bool { files().contains(secret(byte, 32)) }
        #expect(contains(1) && contains(2))
        try restored.erase(["small", "large", "missing"])
        #expect(!contains(1) && !contains(2))
        #expect(try restored.property("small") == nil && restored.property("large") == nil)
        #expect(try restored.property("other 7")?.count == 60)
        // It can be used as before.
        #expect(try restored.database().connection.text("PRAGMA secure_delete") == "0")
        try restored.append(session, rows: 1...3)
        #expect(try restored.numbers(of: session) == [1, 2, 3])
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

extension SQLiteJournal {
    /// Writes a copy, and returns when it is complete.
    fileprivate func backUp(to path: String) throws {
        let backup = try beginBackup(to: path)
        while try !backup.step(pages: 4096) {}
    }
}
