import Glibc
public import MachineHost

/// A journal in a database of PostgreSQL, which one process at a time uses, or several nodes together.
///
/// One thread at a time may use it. A call waits until the engine has performed it, also over lost connections (``EngineWait``): only the
/// engine can tell whether a batch was stored whose commit was not confirmed. A process that another one has replaced can store nothing
/// any more; its calls throw.
public final class PostgreSQLJournal: SharedJournal {
    /// The property with the place of the database.
    private static let placeProperty = "place"
    /// The longest pause between two attempts to connect.
    private static let longestPause = Duration.seconds(1)

    /// The durability of a committed batch, which the settings of the engine are known to keep.
    public let guarantee: Durability
    /// Whether the database is a copy, was restored, or belongs to an engine that has replaced another one, so that it may lack what was
    /// acknowledged. All sessions then get new epochs.
    public private(set) var mayLackCommits = false

    /// This process, if it shares the journal with others; nil if it uses the journal alone.
    public var node: NodeID? { sharedAddress == nil ? nil : NodeID(fence.epoch) }

    let address: PostgreSQLAddress
    /// The place of this process among those that have used the journal.
    private(set) var fence = Fence(epoch: 0, connection: 0)
    /// Where other nodes reach this one; nil if no other process may use the journal.
    private let sharedAddress: String?
    private let wait: EngineWait
    private let schema: String
    /// The connection; nil between two connections, and after an error.
    private var connection: PostgreSQLConnection?
    private var place: [UInt8] = []
    private var timeline: Int64 = 0
    /// The error that calls throw; nil while the journal is open.
    private var refusal: JournalError?
    /// The greatest number of a row or of a snapshot's last row.
    private var greatestNumber: UInt64 = 0

    /// Opens a journal, whose tables are created if they do not exist. Waits for the engine, and for the end of another process that is
    /// connected to it, as long as the policy says.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - guarantee: What a committed batch must survive: `.disk` or `.replicated`.
    ///   - wait: How long to wait.
    ///   - sharedAddress: Where other nodes reach this process, which then shares the journal with them; nil if it uses the journal alone.
    /// - Throws: `JournalError`: `.held` by another process, `.unsupported` if the engine's settings do not keep the promise, `.newer`,
    ///   `.damaged`, `.readOnly` or `.inputOutput`.
    public convenience init(
        _ address: PostgreSQLAddress, guarantee: Durability, wait: EngineWait, sharedAs sharedAddress: String? = nil
    ) throws {
        try self.init(address, schema: "granary", guarantee: guarantee, wait: wait, sharedAs: sharedAddress)
    }

    /// - Parameter schema: The schema of the tables, which needs no quotes.
    init(
        _ address: PostgreSQLAddress, schema: String, guarantee: Durability, wait: EngineWait,
        sharedAs sharedAddress: String? = nil
    ) throws {
        self.sharedAddress = sharedAddress
        precondition(guarantee >= .disk, "expected a durability of at least disk, got \(guarantee.rawValue)")
        (self.address, self.schema, self.guarantee, self.wait) = (address, schema, guarantee, wait)
        wait.begin()
        try retry(while: { !wait.isExhausted }) { try takeOver() }
        wait.succeed()
        try settle()
    }

    /// Releases the journal, so that another process need not wait for the end of this one's connection. Later calls throw.
    public func close() throws {
        guard refusal == nil else { return }
        defer { discard(JournalError(.closed, "expected an open journal, but it was closed")) }
        wait.begin()
        // What was committed is flushed. Without a connection, nothing needs to be released.
        let epoch = PostgreSQLParameter(fence.epoch)
        if node == nil {
            _ = try? connection?.run([PostgreSQLRequest(.release, epoch)])
        } else {
            // The other nodes need not wait until the lease has ended.
            _ = try? connection?.run([PostgreSQLRequest(.leave, epoch), PostgreSQLRequest(.recover, epoch)])
        }
    }

    /// Throws if another process has taken the sessions over.
    public func verify() throws {
        _ = try write { _ in [] }
    }

    /// Returns the greatest number of a row that was stored, also if it was removed since; 0 if none exists.
    public func lastNumber() throws -> UInt64 {
        try requireOpen()
        return greatestNumber
    }

    /// - Throws: `JournalError(.closed)` after an error and after closing.
    func requireOpen() throws {
        if let refusal { throw refusal }
    }

    func noteNumber(_ number: UInt64) { greatestNumber = max(greatestNumber, number) }
}

// Calls of the engine.
extension PostgreSQLJournal {
    /// Performs statements that only read. Returns a result of each.
    func read(_ requests: PostgreSQLRequest...) throws -> [PostgreSQLResult] {
        let results = try perform { _, _ in requests }
        guard results.count == requests.count else {
            throw JournalError(.inputOutput, "expected \(requests.count) results of \(address), got \(results.count)")
        }
        return results
    }

    /// Performs statements that write, in one transaction of the process that has the newest fence.
    ///
    /// - Parameters:
    ///   - isHeldFirst: Whether the fence is locked before the statements, or after the first of them.
    ///   - requests: Returns the statements, given whether the engine may have performed them already: the connection was lost before it
    ///     had confirmed that.
    /// - Throws: `PostgreSQLFailure` if other nodes hold sessions of a batch; the journal can be used further. `JournalError` otherwise.
    func write(isHeldFirst: Bool = true, _ requests: (_ isRepeated: Bool) -> [PostgreSQLRequest]) throws
        -> [PostgreSQLResult]
    {
        do {
            return try perform { fence, isRepeated in
                var all = requests(isRepeated)
                all.insert(fence.request, at: isHeldFirst ? 0 : 1)
                return all
            }
        } catch let rejection as PostgreSQLFailure {
            throw rejection
        } catch {
            discard(JournalError(.closed, "expected a usable journal, but an earlier call failed: \(error)"))
            throw error
        }
    }

    private func perform(_ requests: (Fence, _ isRepeated: Bool) -> [PostgreSQLRequest]) throws -> [PostgreSQLResult] {
        try requireOpen()
        wait.begin()
        var isRepeated = false
        let results = try retry {
            let connection = try connected()
            defer { isRepeated = true }
            return try connection.run(requests(fence, isRepeated))
        }
        wait.succeed()
        return results
    }

    /// Repeats a call until it succeeds, as long as a condition holds.
    private func retry<Result>(while isWaiting: () -> Bool = { true }, _ body: () throws -> Result) throws -> Result {
        var pause = Duration.milliseconds(20)
        while true {
            do {
                return try body()
            } catch let failure as PostgreSQLFailure {
                // After a refusal, the connection could be used, but its transaction has taken what the next one may need.
                connection = nil
                if !failure.isTemporary { wait.succeed() }
                if failure.isRejection { throw failure }
                guard failure.isTemporary, isWaiting() else { throw failure.error("\(address) to store sessions") }
                try wait.wait(for: nil, upTo: pause) { failure.reason }
                pause = min(pause * 2, PostgreSQLJournal.longestPause)
            }
        }
    }

    /// Returns the connection. A new one gets a number, so that nothing that was sent over an earlier one is performed any more.
    private func connected() throws -> PostgreSQLConnection {
        if let connection { return connection }
        let opened = try PostgreSQLConnection(address, wait)
        let state = try EngineState(opened, schema: schema)
        if let obstacle = state.obstacle(to: guarantee) { throw PostgreSQLFailure.lost(obstacle) }
        guard state.place == place, state.timeline >= timeline else {
            throw PostgreSQLFailure.lost("the engine is another one, or one that was replaced by its standby")
        }
        guard state.timeline == timeline || guarantee == .replicated else {
            throw JournalError(
                .closed,
                "expected the engine of the last commit at \(address), got one that has replaced it and may lack commits"
            )
        }
        // Waits for a transaction that is in progress on the connection before. Its own commit waits for the standby, so what is read
        // afterwards is replicated.
        // Each attempt has a number of its own, so that the engine ignores one that it receives late.
        fence = Fence(epoch: fence.epoch, connection: fence.connection + 1)
        let numbers = [PostgreSQLParameter(fence.epoch), PostgreSQLParameter(fence.connection)]
        guard try opened.run([PostgreSQLRequest(.reconnect, all: numbers)]).first?.count == 1 else {
            throw JournalError(
                .held, "expected no other process to use \(address), but another one has taken the sessions over")
        }
        timeline = state.timeline
        connection = opened
        return opened
    }

    private func discard(_ reason: JournalError) {
        guard refusal == nil else { return }
        refusal = reason
        connection = nil
    }
}

// Opening.
extension PostgreSQLJournal {
    private func takeOver() throws {
        let opened = try PostgreSQLConnection(address, wait)
        let state = try EngineState(opened, schema: schema)
        if let obstacle = state.obstacle(to: guarantee) {
            throw JournalError(
                .unsupported, "expected \(address) to keep the durability \(guarantee.rawValue), but \(obstacle)")
        }
        if try !PostgreSQLSchema.prepare(opened, schema) {
            // No other process may use the tables meanwhile, so a node does not join before.
            fence = try takeOver(opened, .takeOver)
            try PostgreSQLSchema.migrate(opened, schema, holding: fence)
            _ = try opened.run([PostgreSQLRequest(.release, PostgreSQLParameter(fence.epoch))])
        }
        if let sharedAddress {
            fence = try takeOver(opened, .join, PostgreSQLParameter(Array(sharedAddress.utf8)))
        } else {
            fence = try takeOver(opened, .takeOver)
        }
        (place, timeline, connection) = (state.place, state.timeline, opened)
        let recover = PostgreSQLRequest(.recover, PostgreSQLParameter(fence.epoch))
        guard let last = try opened.run([fence.request, recover, PostgreSQLRequest(.lastNumber)]).last else {
            throw PostgreSQLFailure.lost("the engine does not report the last row")
        }
        greatestNumber = UInt64(bitPattern: last.integer(0, 0))
    }

    private func takeOver(
        _ connection: PostgreSQLConnection, _ statement: PostgreSQLStatement, _ address: PostgreSQLParameter...
    ) throws -> Fence {
        let parameters = [PostgreSQLParameter(Array(PostgreSQLJournal.holder.utf8))] + address
        guard let result = try connection.run([PostgreSQLRequest(statement, all: parameters)]).first, result.count == 1
        else { throw PostgreSQLFailure.lost("the engine has not responded to a takeover") }
        guard !result.isNull(0, 0) else {
            throw PostgreSQLFailure.held("\(result.text(0, 1)) uses it; end that process first")
        }
        return Fence(epoch: result.integer(0, 0), connection: 1)
    }

    /// Requests new epochs for all sessions if clients may have seen what the database lacks, and marks the database.
    private func settle() throws {
        let known = try property(PostgreSQLJournal.placeProperty)
        let found = place + Array("/\(timeline)".utf8)
        guard known != found else { return }
        var batch = JournalBatch()
        batch.add(.set(property: PostgreSQLJournal.placeProperty, value: found))
        // A standby that has replaced the primary has everything, if a commit waits for it.
        let isSuccessor = guarantee == .replicated && known?.starts(with: place + [UInt8(ascii: "/")]) == true
        if known != nil, !isSuccessor {
            mayLackCommits = true
            batch.add(.set(property: JournalProperty.copied, value: [1]))
        }
        try commit(batch, isFlushed: true)
    }

    /// The text by which other processes name this one.
    private static var holder: String {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "process \(getpid()) on \(host)"
    }
}

extension PostgreSQLStatement {
    fileprivate static let takeOver = PostgreSQLStatement(
        name: "", text: "SELECT new_epoch, connected FROM take_over($1::text)")

    fileprivate static let join = PostgreSQLStatement(
        name: "", text: "SELECT new_epoch, connected FROM take_over($1::text, $2::text)")

    fileprivate static let reconnect = PostgreSQLStatement(
        name: "reconnect",
        text: """
            UPDATE fences f SET connection = $2::bigint, backend = a.pid, backend_started = a.backend_start
            FROM pg_stat_activity a WHERE f.epoch = $1::bigint AND f.connection < $2::bigint AND a.pid = pg_backend_pid()
            RETURNING f.connection
            """)

    fileprivate static let release = PostgreSQLStatement(
        name: "release", text: "UPDATE fences SET backend = NULL WHERE epoch = $1::bigint")

    fileprivate static let leave = PostgreSQLStatement(name: "", text: "DELETE FROM fences WHERE epoch = $1::bigint")

    /// Updates the times of sessions whose process has ended: their last rows determine when they must be woken. Rows without a session
    /// are removed, because the session may be stored again.
    static let recover = PostgreSQLStatement(
        name: "",
        text: """
            WITH strays AS (
                DELETE FROM journal j WHERE NOT EXISTS (SELECT FROM sessions s WHERE s.id = j.session)
            )
            UPDATE sessions s SET wakes_at = j.wakes_at, due_at = least(j.wakes_at, s.expires_at)
            FROM (SELECT DISTINCT ON (session) session, wakes_at FROM journal ORDER BY session, i DESC) j
            WHERE s.id = j.session AND s.wakes_at IS DISTINCT FROM j.wakes_at AND \(isWithoutOtherHolder("$1"))
            """)

    fileprivate static let lastNumber = PostgreSQLStatement(
        name: "",
        text: """
            SELECT coalesce(greatest((SELECT max(i) FROM journal), (SELECT max(covers) FROM sessions)), 0)
            """)
}
