import JournalTesting
import MachineHost

@testable import PostgreSQLJournal

/// Schemas of the engine for the conformance kit. A crash ends the connection of the journal.
final class PostgreSQLStorage: JournalStorage {
    let abilities: JournalAbilities = [.reopening, .processLoss]
    private let engine: TestEngine
    private let proxy: FaultyProxy?
    private let schema: String

    /// - Parameter seed: With which the connection breaks at random; nil if it does not.
    init(seed: UInt64? = nil) throws {
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
        try PostgreSQLJournal(
            try engine.address(proxy), schema: schema, guarantee: .disk, wait: EngineWait(limit: .seconds(120)))
    }

    func crash(_ journal: any Journal, loss: JournalLoss, seed: UInt64) throws {
        try engine.endOwner(of: schema)
    }
}
