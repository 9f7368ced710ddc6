import CPostgreSQL
import Glibc
import MachineHost

/// A statement, which each connection prepares when it uses it first.
struct PostgreSQLStatement {
    /// The name, which no other statement has; empty for a statement that is prepared each time, because it is used once.
    let name: String
    let text: String
}

/// A statement with its parameters.
struct PostgreSQLRequest {
    let statement: PostgreSQLStatement
    let parameters: [PostgreSQLParameter]

    init(_ statement: PostgreSQLStatement, _ parameters: PostgreSQLParameter...) {
        self.init(statement, all: parameters)
    }

    init(_ statement: PostgreSQLStatement, all parameters: [PostgreSQLParameter]) {
        self.statement = statement
        self.parameters = parameters
    }
}

/// A connection to an engine, in pipeline mode. One thread at a time may use it.
final class PostgreSQLConnection {
    /// The version from which on engines notice the end of their clients while they wait for a standby.
    private static let minimumVersion: Int32 = 140_000

    private let handle: OpaquePointer
    private let wait: EngineWait
    private var prepared: Set<String> = []
    /// Whether the engine has sent a warning since the last pipeline began.
    private let hasWarning = UnsafeMutablePointer<Bool>.allocate(capacity: 1)

    /// Opens a connection. Blocks for `connect_timeout` of the address at most, for each of its hosts.
    ///
    /// - Throws: `PostgreSQLFailure.lost`.
    init(_ address: PostgreSQLAddress, _ wait: EngineWait) throws {
        hasWarning.initialize(to: false)
        self.wait = wait
        // What the address states comes later, and replaces these. A network that is cut is noticed within 10 seconds.
        let options = [
            ("fallback_application_name", "granary"), ("connect_timeout", "2"), ("keepalives_idle", "5"),
            ("keepalives_interval", "2"), ("keepalives_count", "3"), ("tcp_user_timeout", "10000"),
            ("client_encoding", "UTF8"), ("dbname", address.uri),
        ]
        let opened = PostgreSQLConnection.withPointers(options.map(\.0)) { keywords in
            PostgreSQLConnection.withPointers(options.map(\.1)) { PQconnectdbParams(keywords, $0, 1) }
        }
        guard let opened else {
            hasWarning.deallocate()
            throw PostgreSQLFailure.lost("out of memory")
        }
        handle = opened
        // A budget of the repository counts other ways to pass a reference. The memory lives as long as the connection.
        PQsetNoticeReceiver(handle, PostgreSQLConnection.receive, hasWarning)
        guard PQstatus(handle) == CONNECTION_OK, PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1
        else {
            throw lost()
        }
        guard PQserverVersion(handle) >= PostgreSQLConnection.minimumVersion else {
            throw PostgreSQLFailure.lost("the engine is older than PostgreSQL 14")
        }
    }

    deinit {
        PQfinish(handle)
        hasWarning.deallocate()
    }

    private static let receive: PQnoticeReceiver = { context, notice in
        guard let severity = PQresultErrorField(notice, Int32(UInt8(ascii: "V"))), strcmp(severity, "WARNING") == 0
        else {
            return
        }
        context?.assumingMemoryBound(to: Bool.self).pointee = true
    }

    private static func withPointers<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) throws -> Result
    ) rethrows -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return try (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { try body($0.baseAddress) }
    }

    /// Runs statements in one transaction and in one round trip. Returns their results.
    ///
    /// - Throws: `PostgreSQLFailure`, or `JournalError` if the journal should not wait any more. After an error, the connection must not
    ///   be used again, unless the engine has refused a statement.
    func run(_ requests: [PostgreSQLRequest]) throws -> [PostgreSQLResult] {
        hasWarning.pointee = false
        for request in requests { try send(request) }
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        var (results, refusal): ([PostgreSQLResult], PostgreSQLFailure?) = ([], nil)
        while let result = try nextResult(orThrow: refusal) {
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                if let refusal { throw refusal }
                // The engine commits although it could not wait for its standby, and says so in a warning.
                guard !hasWarning.pointee else {
                    throw PostgreSQLFailure.lost("the engine has stopped waiting for its standby")
                }
                return results
            case PGRES_TUPLES_OK: results.append(PostgreSQLResult(result))
            // The preparation of a statement, or a statement without a result.
            case PGRES_COMMAND_OK, PGRES_PIPELINE_ABORTED: PQclear(result)
            default:
                refusal = refusal ?? failure(result)
                PQclear(result)
            }
        }
        throw refusal ?? lost()
    }

    private func send(_ request: PostgreSQLRequest) throws {
        let statement = request.statement
        if statement.name.isEmpty || prepared.insert(statement.name).inserted {
            guard PQsendPrepare(handle, statement.name, statement.text, 0, nil) == 1 else { throw lost() }
        }
        let parameters = request.parameters
        let lengths = parameters.map { Int32(clamping: $0.bytes?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: parameters.count)
        let isSent = PostgreSQLParameter.withPointers(parameters[...]) { values in
            PQsendQueryPrepared(handle, statement.name, Int32(parameters.count), values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw lost() }
    }

    /// Returns the next result of the pipeline; nil if the connection was lost.
    private func nextResult(orThrow refusal: PostgreSQLFailure?) throws -> OpaquePointer? {
        // A statement's results end with nil, and so does a lost connection's last one.
        for _ in 0..<2 {
            do {
                try receiveResult()
            } catch let failure as PostgreSQLFailure {
                // An engine that ends says why, and then closes the connection.
                throw refusal ?? failure
            }
            if let result = PQgetResult(handle) { return result }
        }
        return nil
    }

    /// Sends what is left to send, and waits until a result can be read without blocking.
    private func receiveResult() throws {
        while true {
            let left = PQflush(handle)
            guard PQsocket(handle) >= 0 else { throw lost() }
            // After an error, the engine's reason may still have to be read.
            if left == 0, PQisBusy(handle) == 0 { return }
            try wait.wait(for: (PQsocket(handle), POLLIN | (left > 0 ? POLLOUT : 0))) {
                "the engine does not respond, or its standby does not"
            }
            guard PQconsumeInput(handle) == 1 else { throw lost() }
            if PQisBusy(handle) == 0 { return }
        }
    }

    private func failure(_ result: OpaquePointer) -> PostgreSQLFailure {
        guard let code = PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else {
            return .lost(PostgreSQLConnection.clause(PQresultErrorMessage(result)))
        }
        // Another node has stored a session with the same name at the same moment, and the next attempt sees it.
        if let constraint = PQresultErrorField(result, Int32(UInt8(ascii: "n"))), strcmp(constraint, "names") == 0 {
            return .lost("another node has stored a session with the same name")
        }
        return .refused(
            code: String(cString: code),
            message: PostgreSQLConnection.clause(PQresultErrorField(result, Int32(UInt8(ascii: "M")))))
    }

    private func lost() -> PostgreSQLFailure { .lost(PostgreSQLConnection.clause(PQerrorMessage(handle))) }

    /// Returns a message of libpq in one line.
    private static func clause(_ message: UnsafePointer<CChar>?) -> String {
        let lines = message.map { String(cString: $0) }?.split(whereSeparator: \.isNewline) ?? []
        guard !lines.isEmpty else { return "the connection was lost" }
        return lines.map { line in line.drop { $0 == "\t" || $0 == " " } }.joined(separator: "; ")
    }
}
