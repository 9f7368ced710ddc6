import Glibc
import Locking
import MachineHost
import Testing

@testable import SQLiteJournal

/// What happens to the files of a journal while it is open.
struct OpenFileTests {
    /// Something that makes the next process miss what is stored from then on.
    enum Loss: CaseIterable {
        case log, database, both, copiedLog, copiedDatabase, cutLog, halvedLog, cutDatabase
        case renamedDirectory, removedDirectory, copiedDirectory

        /// The file whose loss is reported.
        var file: String {
            [.log, .copiedLog, .cutLog, .halvedLog].contains(self) ? "journal.sqlite-wal" : "journal.sqlite"
        }

        /// What is found in its place.
        var found: String {
            switch self {
            case .copiedLog, .copiedDatabase, .copiedDirectory: "got another file (inode "
            case .cutLog, .halvedLog, .cutDatabase: " bytes; it was cut"
            default: "got: No such file or directory; the file or its directory was removed or renamed"
            }
        }

        func occur(in path: String) {
            let (database, log) = (path + "/journal.sqlite", path + "/journal.sqlite-wal")
            switch self {
            case .log: unlink(log)
            case .database: unlink(database)
            case .both: for file in [database, log] { unlink(file) }
            case .copiedLog: Loss.replaceByCopy(log)
            case .copiedDatabase: Loss.replaceByCopy(database)
            case .cutLog: truncate(log, 0)
            case .halvedLog: truncate(log, off_t((TestDirectory.read(log)?.count ?? 0) / 2))
            case .cutDatabase: truncate(database, 0)
            case .renamedDirectory: rename(path, path + "-old")
            case .removedDirectory: TestDirectory.remove(path)
            case .copiedDirectory:
                rename(path, path + "-old")
                mkdir(path, 0o700)
                for name in TestDirectory.names(in: path + "-old") {
                    TestDirectory.write(TestDirectory.read("\(path)-old/\(name)") ?? [], to: "\(path)/\(name)")
                }
            }
        }

        private static func replaceByCopy(_ file: String) {
            TestDirectory.write(TestDirectory.read(file) ?? [], to: file + ".copy")
            rename(file + ".copy", file)
        }
    }

    private let directory: TestDirectory
    private var path: String { directory.path + "/state" }
    private let session = StoredSessionID.sample(1)

    init() throws {
        directory = try TestDirectory()
    }

    private func makeJournal() throws -> SQLiteJournal {
        let journal = try SQLiteJournal(directory: path)
        try journal.append(session, rows: 1...3)
        return journal
    }

    private func expect(_ loss: Loss, in error: JournalError?) {
        #expect(error?.kind == .inputOutput, "\(loss)")
        #expect(error?.detail.hasPrefix("expected \(path)/\(loss.file) to be the open file (inode ") == true, "\(loss)")
        #expect(error?.detail.contains(loss.found) == true, "\(loss), \(error?.detail ?? "no error")")
    }

    @Test(arguments: Loss.allCases, [true, false])
    func `a commit into lost files fails, and everything after it is refused`(loss: Loss, isFlushed: Bool) throws {
        let journal = try makeJournal()
        loss.occur(in: path)
        expect(loss, in: failure { try journal.append(session, rows: 4...4, isFlushed: isFlushed) })
        let refusal = failure { try journal.append(session, rows: 5...5) }
        #expect(refusal?.kind == .closed)
        #expect(refusal?.detail.contains("an earlier call failed: expected \(path)/\(loss.file) to be") == true)
        #expect(failure { _ = try journal.load(session) }?.kind == .closed)
    }

    @Test(arguments: Loss.allCases)
    func `lost files are found without a commit, by a look, by maintenance and when the journal is closed`(
        loss: Loss
    ) throws {
        let calls: [(SQLiteJournal) throws -> Void] = [
            { try $0.verify() }, { try $0.maintain() }, { _ = try $0.trim() }, { _ = try $0.tidy() },
            { try $0.close() },
        ]
        for (number, call) in calls.enumerated() {
            let place = "\(path)\(number)"
            let journal = try SQLiteJournal(directory: place)
            try journal.append(session, rows: 1...3)
            try call(try SQLiteJournal(directory: place + "-untouched"))
            loss.occur(in: place)
            let error = failure { try call(journal) }
            #expect(error?.detail.hasPrefix("expected \(place)/\(loss.file) to be the open file") == true, "\(number)")
        }
    }

    @Test
    func `what a removed log contains is moved into the database`() throws {
        let journal = try makeJournal()
        Loss.log.occur(in: path)
        let error = failure { try journal.append(session, rows: 4...4) }
        #expect(error?.detail.hasSuffix("; what it contained was moved into the database") == true)
        try journal.close()
        let next = try SQLiteJournal(directory: path)
        #expect(try next.numbers(of: session) == [1, 2, 3])
        #expect(try next.database().connection.text("PRAGMA integrity_check") == "ok")
        // Nothing is lost, so that the sessions keep their epochs.
        #expect(next.loss == nil)
        #expect(try next.property(JournalProperty.copied) == nil)
    }

    @Test
    func `a renamed log that gets its name back does no harm`() throws {
        let journal = try makeJournal()
        let log = path + "/journal.sqlite-wal"
        rename(log, log + "-old")
        #expect(failure { try journal.append(session, rows: 4...4) } != nil)
        #expect(TestDirectory.read(log + "-old") == [] && TestDirectory.read(log) == [])
        try journal.close()
        rename(log + "-old", log)
        let next = try SQLiteJournal(directory: path)
        #expect(try next.numbers(of: session) == [1, 2, 3])
        #expect(try next.database().connection.text("PRAGMA integrity_check") == "ok")
    }

    @Test
    func `the log is not moved into the database if there is another one`() throws {
        let journal = try makeJournal()
        Loss.copiedLog.occur(in: path)
        let content = TestDirectory.read(path + "/journal.sqlite")
        #expect(failure { try journal.append(session, rows: 4...4) } != nil)
        #expect(TestDirectory.read(path + "/journal.sqlite") == content)
        try journal.close()
        #expect(try SQLiteJournal(directory: path).numbers(of: session) == [1, 2, 3])
    }

    @Test(arguments: Loss.allCases)
    func `a server acknowledges nothing that went into lost files, and its process ends`(loss: Loss) throws {
        let process = try StoringProcess { [path] in try SQLiteJournal(directory: path) }
        let session = try #require(process.makeSession())
        #expect(process.write("a", to: session) == #"{"version":1,"changes":{"text":"a"}}"#)
        loss.occur(in: path)
        #expect(process.write("b", to: session) == nil)
        #expect(process.write("c", to: session) == nil)
        #expect(process.makeSession() == nil)
        let failures = process.failures.withLock { $0 }
        #expect(failures.count == 1)
        #expect(failures.first?.hasPrefix("expected \(path)/\(loss.file) to be the open file") == true)
    }

    @Test(arguments: Loss.allCases)
    func `a server without anything to store finds lost files within ten seconds`(loss: Loss) throws {
        let process = try StoringProcess { [path] in try SQLiteJournal(directory: path) }
        process.advance(by: .seconds(120))
        #expect(process.failures.withLock { $0 } == [])
        loss.occur(in: path)
        process.advance(by: .seconds(10))
        #expect(process.failures.withLock { $0.count } == 1)
        #expect(process.makeSession() == nil)
    }

    @Test
    func `commits, checkpoints, copies and a changed content leave a journal in its place`() throws {
        let journal = try makeJournal()
        for number in 4...40 as ClosedRange<UInt64> {
            try journal.append(session, rows: number...number, isFlushed: number % 2 == 0)
            if number % 10 == 0 { try journal.database().checkpointCompletely() }
        }
        let backup = try journal.beginBackup(to: directory.path + "/copy")
        while try !backup.step(pages: 1) { try journal.verify() }
        try journal.verify()
        try journal.append(session, rows: 41...41)
        try journal.close()
        let next = try SQLiteJournal(directory: path)
        try next.verify()
        #expect(try next.numbers(of: session) == Array(1...41))
    }

    @Test
    func `files that are back in their place were not lost`() throws {
        let journal = try makeJournal()
        let log = path + "/journal.sqlite-wal"
        #expect(rename(log, log + "-old") == 0 && rename(log + "-old", log) == 0)
        #expect(rename(path, path + "-old") == 0 && rename(path + "-old", path) == 0)
        try journal.append(session, rows: 4...4)
        // Another name of the same file, through which the next process finds it as well.
        #expect(rename(path, path + "-old") == 0 && symlink(path + "-old", path) == 0)
        try journal.append(session, rows: 5...5)
    }

    @Test
    func `a journal that was opened in a renamed directory looks there`() throws {
        try makeJournal().close()
        #expect(rename(path, path + "-new") == 0)
        let journal = try SQLiteJournal(directory: path + "-new")
        try journal.append(session, rows: 4...4)
    }
}
