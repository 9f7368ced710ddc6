import MachineHost

/// The columns of changes that share a statement.
struct ChangeGroup {
    enum Kind: Hashable {
        case append, store, update, remove, set, note, removeNotes
    }

    private let kind: Kind
    private var columns: [PostgreSQLArray]
    /// The sessions of snapshots that contain rows, and the last of these.
    private var covered = [PostgreSQLArray(of: .id), PostgreSQLArray(of: .number)]
    private var coversRows = false
    /// The sessions of snapshots with names: ids, owners, machines and names.
    private var named = [
        PostgreSQLArray(of: .id), PostgreSQLArray(of: .id), PostgreSQLArray(of: .bytes), PostgreSQLArray(of: .bytes),
    ]
    private var hasNames = false

    init(_ kind: Kind) {
        self.kind = kind
        let summary: [PostgreSQLArray.Element] = [
            .id, .bytes, .number, .number, .number, .number, .number, .number, .boolean,
        ]
        let elements: [PostgreSQLArray.Element] =
            switch kind {
            case .append: [.id, .number, .number, .bytes]
            case .store: summary + [.number, .id, .bytes, .bytes]
            case .update: summary
            case .remove: [.id]
            case .set: [.bytes, .bytes]
            case .note: [.id, .number, .bytes]
            case .removeNotes: [.number]
            }
        columns = elements.map { PostgreSQLArray(of: $0) }
    }

    mutating func append(_ row: JournalBatch.JournalRow, _ content: ArraySlice<UInt8>) throws {
        columns[0].append(row.session)
        columns[1].append(try stored(row.number))
        columns[2].append(row.wakesAt)
        columns[3].append(content)
    }

    mutating func append(_ snapshot: SessionSnapshot) throws {
        let (summary, covers) = (snapshot.summary, try stored(snapshot.covers))
        append(summary)
        columns[9].append(covers)
        columns[10].append(summary.owner)
        if let name = summary.name { columns[11].append(name.text) } else { columns[11].appendNull() }
        columns[12].append(snapshot.content[...])
        if covers > 0 {
            coversRows = true
            covered[0].append(summary.id)
            covered[1].append(covers)
        }
        guard let name = summary.name, !summary.hasEnded else { return }
        hasNames = true
        named[0].append(summary.id)
        named[1].append(name.owner)
        named[2].append(summary.machine)
        named[3].append(name.text)
    }

    mutating func append(_ summary: SessionSummary) {
        columns[0].append(summary.id)
        columns[1].append(summary.machine)
        columns[2].append(Int64(bitPattern: summary.version))
        columns[3].append(summary.createdAt)
        columns[4].append(summary.usedAt)
        columns[5].append(summary.expiresAt)
        columns[6].append(summary.wakesAt)
        columns[7].append(summary.dueAt)
        columns[8].append(summary.hasEnded)
    }

    mutating func append(_ session: StoredSessionID) { columns[0].append(session) }

    mutating func append(property name: String, _ value: [UInt8]) {
        columns[0].append(name)
        columns[1].append(value[...])
    }

    mutating func append(_ note: JournalNote) {
        columns[0].append(high: note.key.high, low: note.key.low)
        columns[1].append(note.until)
        columns[2].append(note.content[...])
    }

    mutating func append(until time: Int64) { columns[0].append(time) }

    /// Returns the statements that make the changes, in order.
    func requests(of node: Int64, isRepeated: Bool) -> [PostgreSQLRequest] {
        let parameters = columns.map(\.parameter)
        switch kind {
        case .append: return [PostgreSQLRequest(isRepeated ? .appendMissingRows : .appendRows, all: parameters)]
        case .store:
            let node = PostgreSQLParameter(node)
            var requests = [PostgreSQLRequest(.storeSessions, all: parameters + [node])]
            // Before: no two sessions have a name, not even for a moment.
            if hasNames {
                requests.insert(PostgreSQLRequest(.releaseNames, all: named.map(\.parameter) + [node]), at: 0)
            }
            if coversRows { requests.append(PostgreSQLRequest(.removeCovered, all: covered.map(\.parameter))) }
            return requests
        case .update: return [PostgreSQLRequest(.updateSessions, all: parameters)]
        case .remove:
            return [
                PostgreSQLRequest(.removeRows, all: parameters), PostgreSQLRequest(.removeSessions, all: parameters),
            ]
        case .set: return [PostgreSQLRequest(.setProperties, all: parameters)]
        case .note: return [PostgreSQLRequest(.setNotes, all: parameters)]
        case .removeNotes: return [PostgreSQLRequest(.removeNotes, all: parameters)]
        }
    }
}

/// Returns the number of a row as it is stored.
///
/// - Throws: `JournalError` if the number is too large for a `bigint`.
private func stored(_ number: UInt64) throws -> Int64 {
    guard let key = Int64(exactly: number) else {
        throw JournalError(.unsupported, "expected the number of a row to be at most \(Int64.max), got \(number)")
    }
    return key
}

extension PostgreSQLStatement {
    private static let appending = """
        INSERT INTO journal(session, i, wakes_at, content)
        SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bytea[])
        """

    fileprivate static let appendRows = PostgreSQLStatement(name: "append rows", text: appending)

    // Not for all batches: an insertion that expects conflicts costs the engine twice as much.
    fileprivate static let appendMissingRows = PostgreSQLStatement(
        name: "append missing rows", text: "\(appending) ON CONFLICT DO NOTHING")

    private static let summary = [
        "id uuid", "machine bytea", "version bigint", "created_at bigint", "used_at bigint", "expires_at bigint",
        "wakes_at bigint", "due_at bigint", "has_ended boolean",
    ]
    private static let snapshot = summary + ["covers bigint", "owner uuid", "name bytea", "content bytea"]

    /// Returns the names of columns.
    private static func names(_ columns: [String]) -> [String] {
        columns.map { String($0.prefix { $0 != " " }) }
    }

    /// Returns a list of assignments of all columns but the first, from the columns of a row.
    private static func assignments(_ columns: [String], from row: String) -> String {
        names(columns).dropFirst().map { "\($0) = \(row).\($0)" }.joined(separator: ", ")
    }

    /// Returns the parameters as the columns of a table.
    private static func table(_ columns: [String]) -> String {
        let types = columns.enumerated().map { index, column in
            "$\(index + 1)::\(column.drop { $0 != " " }.dropFirst())[]"
        }
        return "unnest(\(types.joined(separator: ", "))) n(\(names(columns).joined(separator: ", ")))"
    }

    fileprivate static let storeSessions = PostgreSQLStatement(
        name: "store sessions",
        text: """
            INSERT INTO sessions(\(names(snapshot).joined(separator: ", ")), node)
            SELECT n.*, $\(snapshot.count + 1)::bigint FROM \(table(snapshot))
            ON CONFLICT (id) DO UPDATE SET \(assignments(snapshot, from: "excluded"))
            """)

    // Another node may have stored its session since the batch was checked. Then the insertion fails, and the next attempt finds that.
    fileprivate static let releaseNames = PostgreSQLStatement(
        name: "release names",
        text: """
            UPDATE sessions s SET name = NULL FROM \(table(["id uuid", "owner uuid", "machine bytea", "name bytea"]))
            WHERE s.owner = n.owner AND s.machine = n.machine AND s.name = n.name AND s.name IS NOT NULL AND NOT s.has_ended
                AND s.id <> n.id AND \(isWithoutOtherHolder("$5"))
            """)

    fileprivate static let removeCovered = PostgreSQLStatement(
        name: "remove covered rows",
        text: """
            DELETE FROM journal j USING \(table(["id uuid", "covers bigint"]))
            WHERE j.session = n.id AND j.i <= n.covers
            """)

    fileprivate static let updateSessions = PostgreSQLStatement(
        name: "update sessions",
        text: """
            UPDATE sessions s SET \(assignments(summary, from: "n")) FROM \(table(summary))
            WHERE s.id = n.id AND s.has_ended <= n.has_ended
            """)

    fileprivate static let removeRows = PostgreSQLStatement(
        name: "remove rows", text: "DELETE FROM journal WHERE session = ANY($1::uuid[])")

    fileprivate static let removeSessions = PostgreSQLStatement(
        name: "remove sessions", text: "DELETE FROM sessions WHERE id = ANY($1::uuid[])")

    fileprivate static let setProperties = PostgreSQLStatement(
        name: "set properties",
        text: """
            INSERT INTO properties(name, value) SELECT * FROM unnest($1::bytea[], $2::bytea[])
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """)

    fileprivate static let setNotes = PostgreSQLStatement(
        name: "set notes",
        text: """
            INSERT INTO notes(key, until, content) SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bytea[])
            ON CONFLICT (key) DO UPDATE SET until = excluded.until, content = excluded.content
            """)

    fileprivate static let removeNotes = PostgreSQLStatement(
        name: "remove notes", text: "DELETE FROM notes WHERE until <= ANY($1::bigint[])")
}
