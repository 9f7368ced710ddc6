import MachineHost

/// What an engine says about itself on a new connection, and whether it keeps the promise of the journal.
struct EngineState {
    /// The identifier of the cluster, and of the database in it.
    let place: [UInt8]
    /// The number of times that a standby of the cluster has become the primary, or a backup was restored.
    let timeline: Int64
    let isStandby: Bool
    let settings: [String: String]

    private static let names = ["fsync", "full_page_writes", "synchronous_commit", "synchronous_standby_names"]

    private static let settings = PostgreSQLStatement(
        name: "settings",
        // An engine that does not notice the end of its client would keep the next process from taking over.
        text: """
            SELECT set_config('search_path', $1::text, false),
                set_config('client_connection_check_interval', '2s', false), set_config('tcp_keepalives_idle', '5', false),
                set_config('tcp_keepalives_interval', '2', false), set_config('tcp_keepalives_count', '3', false),
                set_config('tcp_user_timeout', '10s', false), set_config('default_transaction_isolation', 'read committed', false),
                set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false),
                set_config('idle_session_timeout', '0', false)
            """)

    private static let state = PostgreSQLStatement(
        name: "state",
        text: """
            SELECT pg_is_in_recovery(), system_identifier::text || '/' || d.oid,
                CASE WHEN pg_is_in_recovery() THEN 0
                ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint END,
                \(names.map { "current_setting('\($0)')" }.joined(separator: ", "))
            FROM pg_control_system(), pg_database d WHERE d.datname = current_database()
            """)

    /// Returns why the engine is not one that keeps a promise; nil if it is.
    func obstacle(to durability: Durability) -> String? {
        if isStandby {
            return
                "the engine is a standby; name the hosts of all servers in sessions.journal, with target_session_attrs=read-write"
        }
        for setting in ["fsync", "full_page_writes"] where settings[setting] != "on" {
            return "the engine's setting \(setting) must be on, and is \(settings[setting] ?? "missing")"
        }
        let commit = settings["synchronous_commit"] ?? ""
        let isReplicated = durability == .replicated
        let sufficient = isReplicated ? ["on", "remote_apply"] : ["on", "remote_apply", "remote_write", "local"]
        guard sufficient.contains(commit) else {
            return
                "the engine's setting synchronous_commit must be \(isReplicated ? "on or remote_apply" : "at least local") for the "
                + "durability \(durability.rawValue), and is \(commit)"
        }
        if isReplicated, settings["synchronous_standby_names"]?.allSatisfy(\.isWhitespace) != false {
            return
                "the engine's setting synchronous_standby_names must name a standby for the durability replicated, and is empty"
        }
        return nil
    }
}

extension EngineState {
    /// Prepares a new connection, and asks for its engine's state.
    ///
    /// - Throws: `PostgreSQLFailure`.
    init(_ connection: PostgreSQLConnection, schema: String) throws {
        let results = try connection.run([
            PostgreSQLRequest(EngineState.settings, PostgreSQLParameter(Array(schema.utf8))),
            PostgreSQLRequest(EngineState.state),
        ])
        guard let found = results.last, found.count == 1 else {
            throw PostgreSQLFailure.lost("the engine does not report its state")
        }
        let settings: [String: String] = EngineState.names.enumerated().reduce(into: [:]) {
            $0[$1.element] = found.text(0, Int32($1.offset) + 3)
        }
        self.init(
            place: found.array(0, 1), timeline: found.integer(0, 2), isStandby: found.boolean(0, 0), settings: settings)
    }
}
