import MachineHost

/// The sessions of a batch, and what a node must hold to store it.
struct HeldSessions {
    private var columns = [PostgreSQLArray(of: .id), PostgreSQLArray(of: .number)]
    /// The sessions with names: ids, owners, machines and names.
    private var named = [
        PostgreSQLArray(of: .id), PostgreSQLArray(of: .id), PostgreSQLArray(of: .bytes), PostgreSQLArray(of: .bytes),
    ]
    private let node: Int64

    /// - Parameter epochs: The number under which the node holds each session; 0 for one that the batch creates.
    init(_ batch: JournalBatch, under epochs: [StoredSessionID: Int64], of node: Int64) {
        self.node = node
        var seen: Set<StoredSessionID> = []
        for change in batch.changes {
            switch change {
            case .append(let row): add(row.session, epochs, &seen)
            case .update(let summary): add(summary.id, epochs, &seen)
            case .remove(let session): add(session, epochs, &seen)
            case .store(let snapshot):
                add(snapshot.summary.id, epochs, &seen)
                add(nameOf: snapshot.summary)
            case .set, .note, .removeNotes: break
            }
        }
    }

    /// The statement that fails unless the node holds the sessions.
    func check(isRepeated: Bool) -> PostgreSQLRequest { request(.rejectLost, isRepeated: isRepeated) }

    /// The statement that returns the sessions which the node does not hold.
    var lost: PostgreSQLRequest { request(.lost, isRepeated: false) }

    private func request(_ statement: PostgreSQLStatement, isRepeated: Bool) -> PostgreSQLRequest {
        let parameters = (columns + named).map(\.parameter)
        return PostgreSQLRequest(
            statement, all: parameters + [PostgreSQLParameter(node), PostgreSQLParameter(isRepeated ? 1 : 0)])
    }

    private mutating func add(
        _ session: StoredSessionID, _ epochs: [StoredSessionID: Int64], _ seen: inout Set<StoredSessionID>
    ) {
        guard seen.insert(session).inserted else { return }
        columns[0].append(session)
        // No session has a negative number.
        columns[1].append(epochs[session] ?? -1)
    }

    private mutating func add(nameOf summary: SessionSummary) {
        guard let name = summary.name, !summary.hasEnded else { return }
        named[0].append(summary.id)
        named[1].append(name.owner)
        named[2].append(summary.machine)
        named[3].append(name.text)
    }
}

extension PostgreSQLStatement {
    /// A session that a batch creates may exist if the batch is repeated, and one that it removes may be missing. A name may pass from one
    /// session to another of the same node only.
    private static let lostSessions = """
        SELECT n.id FROM unnest($1::uuid[], $2::bigint[]) n(id, epoch) LEFT JOIN sessions s ON s.id = n.id
        WHERE CASE WHEN s.id IS NULL THEN n.epoch <> 0 AND $8::bigint = 0
            ELSE s.node IS DISTINCT FROM $7::bigint OR s.node_epoch <> CASE n.epoch WHEN 0 THEN 1 ELSE n.epoch END END
        UNION SELECT n.id FROM unnest($3::uuid[], $4::uuid[], $5::bytea[], $6::bytea[]) n(id, owner, machine, name)
        JOIN sessions s ON s.owner = n.owner AND s.machine = n.machine AND s.name = n.name
        WHERE s.name IS NOT NULL AND NOT s.has_ended AND s.id <> n.id AND s.node IS DISTINCT FROM $7::bigint
        """

    fileprivate static let lost = PostgreSQLStatement(name: "lost sessions", text: lostSessions)

    fileprivate static let rejectLost = PostgreSQLStatement(
        name: "reject lost sessions", text: "SELECT reject() FROM (\(lostSessions) LIMIT 1) l")
}
