import MachineHost

/// The tables and functions of a journal, in a schema of their own.
enum PostgreSQLSchema {
    /// The version that this build writes.
    static let version: Int64 = 2

    /// The statements that migrate each version to the next one.
    private static func migrations(_ schema: String) -> [Int64: [String]] {
        [
            1: [
                "ALTER TABLE \(schema).fences ADD address text",
                "ALTER TABLE \(schema).sessions ADD node bigint, ADD node_epoch bigint NOT NULL DEFAULT 1",
                leases(schema), "DROP FUNCTION \(schema).take_over(text)",
            ] + functions(schema)
        ]
    }

    /// The statements that create the schema.
    ///
    /// Text is stored as `bytea`: `text` depends on a collation and has no zero byte. Contents are not compressed, which would take the
    /// engine longer than storing them.
    private static func creation(_ schema: String) -> [String] {
        [
            "CREATE TABLE \(schema).version(version bigint NOT NULL)",
            "INSERT INTO \(schema).version VALUES(\(version))",
            """
            CREATE TABLE \(schema).fences(
                epoch bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, connection bigint NOT NULL DEFAULT 1, holder text NOT NULL,
                backend integer, backend_started timestamptz, address text)
            """,
            leases(schema),
            """
            CREATE TABLE \(schema).journal(
                session uuid NOT NULL, i bigint NOT NULL, wakes_at bigint, content bytea NOT NULL, PRIMARY KEY(session, i))
            """,
            """
            CREATE TABLE \(schema).sessions(
                id uuid PRIMARY KEY, machine bytea NOT NULL, version bigint NOT NULL, created_at bigint NOT NULL,
                used_at bigint NOT NULL, expires_at bigint, wakes_at bigint, due_at bigint, has_ended boolean NOT NULL,
                covers bigint NOT NULL, owner uuid, name bytea, content bytea NOT NULL, node bigint,
                node_epoch bigint NOT NULL DEFAULT 1)
            """,
            "CREATE INDEX due ON \(schema).sessions(due_at, id) WHERE due_at IS NOT NULL",
            """
            CREATE UNIQUE INDEX names ON \(schema).sessions(owner, machine, name)
            WHERE name IS NOT NULL AND NOT has_ended
            """,
            "CREATE TABLE \(schema).properties(name bytea PRIMARY KEY, value bytea NOT NULL)",
            "CREATE TABLE \(schema).notes(key uuid PRIMARY KEY, until bigint NOT NULL, content bytea NOT NULL)",
            "CREATE INDEX notes_until ON \(schema).notes(until)",
            "ALTER TABLE \(schema).journal ALTER content SET STORAGE EXTERNAL",
            "ALTER TABLE \(schema).sessions ALTER content SET STORAGE EXTERNAL",
            hold(schema),
        ] + functions(schema)
    }

    /// A row of its own, because the fence row of a node is locked while it stores something.
    private static func leases(_ schema: String) -> String {
        """
        CREATE TABLE \(schema).leases(
            node bigint PRIMARY KEY REFERENCES \(schema).fences(epoch) ON DELETE CASCADE, counter bigint NOT NULL)
        """
    }

    /// The functions of this version that older ones lack.
    private static func functions(_ schema: String) -> [String] {
        [takeOver(schema), fence(schema), claim(schema), reject(schema)]
    }

    /// The first statement of each transaction that writes: locks the fence row of the process until the transaction has ended, so that
    /// whoever takes over waits for it and then sees what it stored.
    // FOR SHARE and not an update: versions of a row that is updated by each batch would pile up while a backup is made.
    private static func hold(_ schema: String) -> String {
        """
        CREATE FUNCTION \(schema).hold(held_epoch bigint, held_connection bigint) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM 1 FROM \(schema).fences WHERE epoch = held_epoch AND connection = held_connection FOR SHARE;
            IF NOT FOUND THEN
                RAISE EXCEPTION 'another process has taken the sessions over' USING ERRCODE = '\(PostgreSQLFailure.fenced)';
            END IF;
        END $$
        """
    }

    /// Replaces the fence rows of the processes before, unless one of them is connected. Waits for their last transactions. Returns the
    /// new epoch, or the process that is connected. A node, which has an address, shares the journal with other nodes.
    private static func takeOver(_ schema: String) -> String {
        """
        CREATE FUNCTION \(schema).take_over(
            new_holder text, new_address text DEFAULT NULL, OUT new_epoch bigint, OUT connected text) LANGUAGE plpgsql AS $$
        BEGIN
            LOCK TABLE \(schema).fences IN SHARE ROW EXCLUSIVE MODE;
            SELECT f.holder INTO connected FROM \(schema).fences f JOIN pg_stat_activity a ON a.pid = f.backend
                WHERE a.datname = current_database() AND (a.backend_start IS NULL OR a.backend_start = f.backend_started)
                    AND (f.address IS NULL OR new_address IS NULL)
                LIMIT 1;
            IF FOUND THEN RETURN; END IF;
            PERFORM 1 FROM \(schema).fences f WHERE f.address IS NULL OR new_address IS NULL FOR UPDATE;
            DELETE FROM \(schema).fences f WHERE f.address IS NULL OR new_address IS NULL;
            INSERT INTO \(schema).fences(holder, address, backend, backend_started)
                SELECT new_holder, new_address, pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()
                RETURNING epoch INTO new_epoch;
            IF new_address IS NOT NULL THEN INSERT INTO \(schema).leases VALUES(new_epoch, 1); END IF;
        END $$
        """
    }

    /// Removes the fence row of a node, unless it has renewed its lease since a counter was seen. Waits for its last transaction. Returns
    /// whether the row is removed.
    private static func fence(_ schema: String) -> String {
        """
        CREATE FUNCTION \(schema).fence(old_node bigint, seen bigint) RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM 1 FROM \(schema).fences WHERE epoch = old_node FOR UPDATE;
            IF EXISTS (SELECT FROM \(schema).leases WHERE node = old_node AND counter <> seen) THEN RETURN false; END IF;
            DELETE FROM \(schema).fences WHERE epoch = old_node;
            RETURN true;
        END $$
        """
    }

    /// Makes a node the holder of a session that no node holds.
    // Not one statement: after it has waited for the row, it would see the new row, and the fences as they were before.
    private static func claim(_ schema: String) -> String {
        """
        CREATE FUNCTION \(schema).claim(claimed uuid, new_node bigint) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM 1 FROM \(schema).sessions s WHERE id = claimed
                AND NOT EXISTS (SELECT FROM \(schema).fences f WHERE f.epoch = s.node);
            IF NOT FOUND THEN RETURN; END IF;
            PERFORM 1 FROM \(schema).sessions WHERE id = claimed FOR UPDATE;
            UPDATE \(schema).sessions s SET node = new_node, node_epoch = node_epoch + 1 WHERE id = claimed
                AND NOT EXISTS (SELECT FROM \(schema).fences f WHERE f.epoch = s.node);
        END $$
        """
    }

    /// Fails, so that nothing of the transaction is stored.
    private static func reject(_ schema: String) -> String {
        """
        CREATE FUNCTION \(schema).reject() RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'another node holds a session' USING ERRCODE = '\(PostgreSQLFailure.rejected)';
        END $$
        """
    }

    /// Creates what is missing. Does nothing to a schema that has a version.
    ///
    /// - Returns: Whether the schema has the version of this build.
    /// - Throws: `JournalError(.newer)`, or the failure of the engine.
    static func prepare(_ connection: PostgreSQLConnection, _ schema: String) throws -> Bool {
        if let found = try storedVersion(connection, schema) { return found == version }
        let exists = PostgreSQLStatement(name: "", text: "SELECT to_regnamespace('\(schema)') IS NOT NULL")
        let isMissing = try connection.run([PostgreSQLRequest(exists)]).first?.boolean(0, 0) != true
        do {
            // Not with IF NOT EXISTS, which needs the privilege also if the administrator has created the schema.
            let creation = (isMissing ? ["CREATE SCHEMA \(schema)"] : []) + creation(schema)
            _ = try connection.run(requests(creation))
            return true
        } catch PostgreSQLFailure.refused(let code, let message) where ["23505", "42P06", "42P07"].contains(code) {
            // Another process has created it at the same moment.
            throw PostgreSQLFailure.lost(message)
        }
    }

    /// Gives the tables of an older version the form of this one, in one transaction. Call with the fence of this process.
    static func migrate(_ connection: PostgreSQLConnection, _ schema: String, holding fence: Fence) throws {
        guard let found = try storedVersion(connection, schema), found < version else { return }
        let steps = (found..<version).flatMap { migrations(schema)[$0] ?? [] }
        let note = "UPDATE \(schema).version SET version = \(version)"
        _ = try connection.run([fence.request] + requests(steps + [note]))
    }

    /// Returns the version of the stored schema; nil if none exists.
    private static func storedVersion(_ connection: PostgreSQLConnection, _ schema: String) throws -> Int64? {
        let exists = PostgreSQLStatement(name: "", text: "SELECT to_regclass('\(schema).version') IS NOT NULL")
        guard try connection.run([PostgreSQLRequest(exists)]).first?.boolean(0, 0) == true else { return nil }
        let query = PostgreSQLStatement(name: "", text: "SELECT version FROM \(schema).version")
        guard let result = try connection.run([PostgreSQLRequest(query)]).first, result.count == 1 else {
            throw JournalError(.damaged, "expected one row in the table \(schema).version, got another number")
        }
        let found = result.integer(0, 0)
        guard found <= version else {
            throw JournalError(
                .newer, "expected the schema \(schema) to have version \(version) or older, got version \(found)")
        }
        return found
    }

    static func requests(_ texts: [String]) -> [PostgreSQLRequest] {
        texts.map { PostgreSQLRequest(PostgreSQLStatement(name: "", text: $0)) }
    }
}

/// The place of a process in the order of those that have used a journal.
struct Fence {
    /// The number of the process start.
    let epoch: Int64
    /// The number of its connection.
    let connection: Int64

    /// The statement that fails unless this is the newest fence, and keeps it until the end of the transaction.
    var request: PostgreSQLRequest {
        PostgreSQLRequest(.hold, PostgreSQLParameter(epoch), PostgreSQLParameter(connection))
    }
}

extension PostgreSQLStatement {
    fileprivate static let hold = PostgreSQLStatement(name: "hold", text: "SELECT hold($1::bigint, $2::bigint)")
}
