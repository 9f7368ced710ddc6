import JournalTesting
import MachineHost

@testable import PostgreSQLJournal

/// Schemas of the engine for the conformance kit. A crash ends the connection of the journal.
///
/// A storage for nodes opens each journal as a node, which fences the one before if that has not closed the journal.
final class PostgreSQLStorage: JournalStorage {
    let abilities: JournalAbilities = [.reopening, .processLoss]
    private let engine: TestEngine
    private let proxy: FaultyProxy?
    private let schema: String
    private let isForNodes: Bool

    /// - Parameters:
    ///   - seed: With which the connection breaks at random; nil if it does not.
    ///   - isForNodes: Whether journals are opened as those of nodes.
    init(seed: UInt64? = nil, isForNodes: Bool = false) throws {
        self.isForNodes = isForNodes
        engine = try TestEngine.shared
        schema = engine.makeSchema()
        proxy = try seed.map { [engine] seed in try FaultyProxy(to: engine.socket, seed: seed) }
    }

    deinit {
        proxy?.end()
        _ = try? engine.run("DROP SCHEMA IF EXISTS \(schema) CASCADE")
    }

    /// The number of requests that have failed.
    var faults: Int { proxy?.faults ?? 0 }

    func open() throws -> any Journal {
        let journal = try PostgreSQLJournal(
            try engine.address(proxy), schema: schema, guarantee: .disk, wait: EngineWait(limit: .seconds(120)),
            sharedAs: isForNodes ? "node" : nil)
        guard let node = journal.node else { return journal }
        for lease in try journal.renewLease() where lease.node != node { _ = try journal.fence(lease) }
        return NodeJournal(journal)
    }

    func crash(_ journal: any Journal, loss: JournalLoss, seed: UInt64) throws {
        try engine.endOwner(of: schema)
    }
}

/// The journal of a node that claims each session before it stores something of it.
final class NodeJournal: Journal {
    private let journal: PostgreSQLJournal

    init(_ journal: PostgreSQLJournal) { self.journal = journal }

    func commit(_ batch: JournalBatch, isFlushed: Bool) throws {
        var epochs: [StoredSessionID: Int64] = [:]
        for change in batch.changes {
            switch change {
            case .append(let row): try claim(row.session, &epochs)
            case .update(let summary): try claim(summary.id, &epochs)
            case .remove(let session): try claim(session, &epochs)
            case .store(let snapshot):
                try claim(snapshot.summary.id, &epochs)
                guard let name = snapshot.summary.name,
                    let named = try journal.session(named: name, of: snapshot.summary.machine)
                else { continue }
                // It loses the name.
                try claim(named, &epochs)
            case .set, .note, .removeNotes: break
            }
        }
        let lost = try journal.commit(batch, under: epochs)
        guard lost.isEmpty else { throw JournalError(.held, "expected to hold all sessions, lost \(lost)") }
    }

    private func claim(_ session: StoredSessionID, _ epochs: inout [StoredSessionID: Int64]) throws {
        guard epochs[session] == nil else { return }
        epochs[session] = try journal.claim(session)?.epoch ?? 0
    }

    var guarantee: Durability { journal.guarantee }
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
    func property(_ name: String) throws -> [UInt8]? { try journal.property(name) }
    func note(_ key: JournalNoteKey) throws -> JournalNote? { try journal.note(key) }
    func close() throws { try journal.close() }
}
