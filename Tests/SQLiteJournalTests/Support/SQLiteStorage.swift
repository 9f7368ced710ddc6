import Glibc
import JournalTesting
import MachineHost
import StateCapture

@testable import SQLiteJournal

/// Directories of SQLite journals for the conformance kit. A crash is a copy of the files as they are.
final class SQLiteStorage: JournalStorage {
    let abilities: JournalAbilities = [.reopening, .processLoss, .powerLoss, .blockedTrimming]
    private let root: TestDirectory
    private var crashes = 0
    private let usesRowLog: Bool

    /// - Parameter usesRowLog: Whether rows go past the database from the beginning.
    init(usesRowLog: Bool = false) throws {
        root = try TestDirectory()
        self.usesRowLog = usesRowLog
    }

    private var directory: String { "\(root.path)/\(crashes)" }
    private var database: String { directory + "/journal.sqlite" }

    func open() throws -> any Journal {
        let journal = try SQLiteJournal(directory: directory)
        if usesRowLog { try journal.beginRowLog() }
        return WatchedJournal(journal, log: database + "-wal")
    }

    func crash(_ journal: any Journal, loss: JournalLoss, seed: UInt64) throws {
        guard let journal = journal as? WatchedJournal else {
            throw TestDirectory.Failure(description: "another journal")
        }
        let content = TestDirectory.read(database) ?? []
        let log = WriteAheadLog(path: database + "-wal")
        let rows = TestDirectory.read(database + "-rows")
        crashes += 1
        mkdir(directory, 0o700)
        TestDirectory.write(content, to: database)
        var size = log.usedSize
        if loss == .power {
            var random = SeededGenerator(seed: seed)
            let flushed = log.salt == journal.flushedSalt ? journal.flushedSize : 0
            size = Int.random(in: flushed...size, using: &random)
        }
        TestDirectory.write(Array(log.bytes[..<size]), to: database + "-wal")
        // Each of its records was flushed.
        if let rows { TestDirectory.write(rows, to: database + "-rows") }
    }
}

/// A journal that knows how much of its log was flushed.
private final class WatchedJournal: MaintainedJournal, FileJournal {
    private let journal: SQLiteJournal
    private let log: String
    private(set) var flushedSalt: [UInt8] = []
    private(set) var flushedSize = 0

    init(_ journal: SQLiteJournal, log: String) {
        self.journal = journal
        self.log = log
        noteFlush()
    }

    var guarantee: Durability { journal.guarantee }

    private func noteFlush() {
        let log = WriteAheadLog(path: log)
        flushedSalt = log.salt
        flushedSize = log.usedSize
    }

    func commit(_ batch: JournalBatch, isFlushed: Bool) throws {
        let rowLog = try? journal.database().rowLog
        let (head, tail) = (rowLog?.head, rowLog?.tail)
        try journal.commit(batch, isFlushed: isFlushed)
        // A batch in the row log flushes the log only if it has moved rows into the table.
        if isFlushed, head == nil || rowLog?.head == head || rowLog?.tail != tail { noteFlush() }
    }

    func maintain() throws {
        try journal.maintain()
        // It may have run a checkpoint, which begins with a flush.
        noteFlush()
    }

    func load(_ session: StoredSessionID) throws -> JournalEntry? { try journal.load(session) }
    func summary(of session: StoredSessionID) throws -> SessionSummary? { try journal.summary(of: session) }
    func lastNumber() throws -> UInt64 { try journal.lastNumber() }
    func sessions(after id: StoredSessionID?, limit: Int) throws -> [SessionSummary] {
        try journal.sessions(after: id, limit: limit)
    }
    func session(named name: SessionName, of machine: String) throws -> StoredSessionID? {
        try journal.session(named: name, of: machine)
    }
    func sessions(dueAt time: Int64, limit: Int) throws -> [SessionSummary] {
        try journal.sessions(dueAt: time, limit: limit)
    }
    func nextDueTime() throws -> Int64? { try journal.nextDueTime() }
    func trim() throws -> StoredSessionID? { try journal.trim() }
    func tidy() throws -> Bool { try journal.tidy() }
    func note(_ key: JournalNoteKey) throws -> JournalNote? { try journal.note(key) }
    func property(_ name: String) throws -> [UInt8]? { try journal.property(name) }
    func verify() throws { try journal.verify() }
    func freeBytes() throws -> Int64 { try journal.freeBytes() }
    func statistics() throws -> JournalStatistics { try journal.statistics() }
    func close() throws { try journal.close() }
}

/// Journals in memory for the conformance kit.
final class MemoryStorage: JournalStorage {
    let abilities: JournalAbilities = []

    func open() throws -> any Journal { MemoryJournal() }
    func crash(_ journal: any Journal, loss: JournalLoss, seed: UInt64) throws {}
}

/// Simulated journals without faults for the conformance kit.
final class SimulatedStorage: JournalStorage {
    let abilities: JournalAbilities = [.reopening, .processLoss, .powerLoss]
    private var journal: SimulatedJournal?
    private var loss = JournalLoss.process
    private let faults: JournalFaults

    init(faults: JournalFaults = JournalFaults(seed: 7)) {
        self.faults = faults
    }

    func open() throws -> any Journal {
        let opened = try journal?.reopened(after: loss) ?? SimulatedJournal(faults: faults)
        journal = opened
        loss = .process
        return opened
    }

    func crash(_ journal: any Journal, loss: JournalLoss, seed: UInt64) throws {
        self.journal?.crash()
        self.loss = loss
    }
}
