import MachineHost
import StateCapture

/// One run of a check: the journal, and what was found.
final class JournalCheckRun {
    private(set) var journal: any Journal
    let storage: any JournalStorage
    let seed: UInt64
    var random: SeededGenerator
    private(set) var findings: [String] = []
    /// The number of the last row.
    var number: UInt64 = 0
    private var lastRows: [StoredSessionID: UInt64] = [:]

    init(_ journal: any Journal, _ storage: any JournalStorage, _ seed: UInt64) {
        self.journal = journal
        self.storage = storage
        self.seed = seed
        random = SeededGenerator(seed: seed)
    }

    func fail(_ message: String) {
        findings.append("\(message) (seed \(seed))")
    }

    func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { fail(message()) }
    }

    func expect<Value: Equatable>(_ found: Value, equals expected: Value, _ what: String) {
        guard found != expected else { return }
        fail("\(what): expected \(JournalCheckRun.text(expected)), got \(JournalCheckRun.text(found))")
    }

    /// Contents of megabytes make no readable message.
    private static func text(_ value: some Any) -> String {
        let text = "\(value)"
        return text.utf8.count <= 2000 ? text : "\(text.prefix(2000)) and \(text.utf8.count - 2000) more bytes"
    }

    /// The journal, if it needs maintenance.
    var maintainedJournal: (any MaintainedJournal)? { journal as? any MaintainedJournal }

    /// The journal, if it has files.
    var fileJournal: (any FileJournal)? { journal as? any FileJournal }

    /// Verifies the number of rows that no snapshot contains, if the journal counts them.
    func expectRows(_ expected: Int, _ what: String = "the number of rows") throws {
        guard let statistics = try fileJournal?.statistics() else { return }
        expect(statistics.rows, equals: expected, what)
    }

    /// Closes the journal and opens it again.
    func reopen() throws {
        try journal.close()
        journal = try storage.open()
    }

    /// Ends the process and opens the journal again.
    func crash(_ loss: JournalLoss) throws {
        try storage.crash(journal, loss: loss, seed: random.next())
        journal = try storage.open()
    }

    func commit(isFlushed: Bool = true, _ fill: (inout JournalBatch) throws -> Void) throws {
        var batch = JournalBatch()
        try fill(&batch)
        try journal.commit(batch, isFlushed: isFlushed)
    }

    /// Adds the next row of a session to a batch.
    @discardableResult
    func append(
        _ session: StoredSessionID, _ content: [UInt8], wakesAt: Int64? = nil, to batch: inout JournalBatch
    ) -> UInt64 {
        number += 1
        batch.append(session: session, number: number, previous: lastRows[session] ?? 0, wakesAt: wakesAt) {
            $0.append(contentsOf: content)
        }
        lastRows[session] = number
        return number
    }

    /// Continues a session after the row that is left of it.
    func continueAfter(_ row: UInt64?, _ session: StoredSessionID) {
        lastRows[session] = row
    }

    /// Removes a session in a batch.
    func remove(_ session: StoredSessionID, from batch: inout JournalBatch) {
        batch.add(.remove(session))
        lastRows[session] = nil
    }

    /// Returns the contents of a session's rows; nil if it is not stored.
    func rows(of session: StoredSessionID) throws -> [[UInt8]]? {
        try journal.load(session)?.rows.map(\.content)
    }
}

extension StoredSessionID {
    /// Returns an id whose place among others looks random.
    static func numbered(_ number: UInt64) -> StoredSessionID {
        var generator = SeededGenerator(seed: number)
        return StoredSessionID(high: generator.next(), low: generator.next())
    }
}

extension SessionSnapshot {
    /// Returns a snapshot with usual values.
    static func of(
        _ session: StoredSessionID, covers: UInt64 = 0, content: [UInt8] = [1, 2, 3], usedAt: Int64 = 2000,
        expiresAt: Int64? = nil, wakesAt: Int64? = nil, hasEnded: Bool = false, machine: String = "counter",
        owner: SessionOwner? = nil, name: SessionName? = nil
    ) -> SessionSnapshot {
        let summary = SessionSummary(
            id: session, machine: machine, version: covers, createdAt: 1000, usedAt: usedAt, expiresAt: expiresAt,
            wakesAt: wakesAt, hasEnded: hasEnded, owner: owner, name: name)
        return SessionSnapshot(summary: summary, covers: covers, content: content)
    }
}
