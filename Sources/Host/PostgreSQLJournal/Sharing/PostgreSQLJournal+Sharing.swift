public import MachineHost

extension PostgreSQLJournal {
    /// Renews the lease of this node. Returns the leases of all nodes that are not fenced.
    public func renewLease() throws -> [NodeLease] {
        let results = try write { _ in [PostgreSQLRequest(.renew, own), PostgreSQLRequest(.leases)] }
        guard let found = results.last else { return [] }
        return (0..<found.count).map { row in
            NodeLease(
                node: NodeID(found.integer(row, 0)), counter: found.integer(row, 1), address: found.text(row, 2))
        }
    }

    /// Fences a node, unless it has renewed its lease since. Returns whether it is fenced.
    public func fence(_ lease: NodeLease) throws -> Bool {
        precondition(lease.node != node, "expected the lease of another node")
        let fence = PostgreSQLRequest(
            .fence, PostgreSQLParameter(lease.node.number), PostgreSQLParameter(lease.counter))
        let requests = [fence, PostgreSQLRequest(.recover, own)]
        // Two nodes that fence each other lock the rows in the same order.
        let isOlder = lease.node.number < self.fence.epoch
        let results = try write(isHeldFirst: !isOlder) { _ in requests }
        return results.count == 2 && results[isOlder ? 0 : 1].boolean(0, 0)
    }

    /// Claims a session for this node if no node holds it. Returns the holder; nil if the session is not stored.
    public func claim(_ session: StoredSessionID) throws -> SessionHolder? {
        let id = PostgreSQLParameter(high: session.high, low: session.low)
        return holder(try write { _ in [PostgreSQLRequest(.claim, id, own), PostgreSQLRequest(.holder, id)] })
    }

    /// Returns the node that holds a session; nil if the session is not stored, or no node holds it.
    public func holder(of session: StoredSessionID) throws -> SessionHolder? {
        holder(try read(PostgreSQLRequest(.holder, PostgreSQLParameter(high: session.high, low: session.low))))
    }

    /// Passes a session of this node to another one. Returns the holder from now on.
    public func move(_ session: StoredSessionID, epoch: Int64, to node: NodeID) throws -> SessionHolder? {
        let id = PostgreSQLParameter(high: session.high, low: session.low)
        let move = PostgreSQLRequest(.move, id, own, PostgreSQLParameter(epoch), PostgreSQLParameter(node.number))
        return holder(try write { _ in [move, PostgreSQLRequest(.holder, id)] })
    }

    /// Stores a batch, completely or not at all, if this node holds its sessions. Returns the sessions that keep it from being stored.
    public func commit(_ batch: JournalBatch, under epochs: [StoredSessionID: Int64]) throws -> [StoredSessionID] {
        try requireOpen()
        guard !batch.isEmpty else { return [] }
        let (plan, held) = (try BatchPlan(batch), HeldSessions(batch, under: epochs, of: fence.epoch))
        while true {
            do {
                _ = try write { [held.check(isRepeated: $0)] + plan.requests(of: fence.epoch, isRepeated: $0) }
                noteNumber(plan.greatestNumber)
                return []
            } catch let failure as PostgreSQLFailure where failure.isRejection {
                let found = try read(held.lost)[0]
                let lost = (0..<found.count).compactMap { row in
                    found.id(row, 0).map { StoredSessionID(high: $0.high, low: $0.low) }
                }
                // A session that had the same name may have ended meanwhile.
                if !lost.isEmpty { return lost }
            }
        }
    }

    private var own: PostgreSQLParameter { PostgreSQLParameter(fence.epoch) }

    private func holder(_ results: [PostgreSQLResult]) -> SessionHolder? {
        guard let found = results.last, found.count == 1 else { return nil }
        return SessionHolder(
            node: NodeID(found.integer(0, 0)), epoch: found.integer(0, 1), address: found.text(0, 2))
    }
}

extension PostgreSQLStatement {
    fileprivate static let renew = PostgreSQLStatement(
        name: "renew", text: "UPDATE leases SET counter = counter + 1 WHERE node = $1::bigint")

    fileprivate static let leases = PostgreSQLStatement(
        name: "leases",
        text: "SELECT node, counter, address FROM leases JOIN fences ON epoch = node ORDER BY node")

    fileprivate static let fence = PostgreSQLStatement(name: "fence", text: "SELECT fence($1::bigint, $2::bigint)")

    fileprivate static let claim = PostgreSQLStatement(name: "claim", text: "SELECT claim($1::uuid, $2::bigint)")

    fileprivate static let holder = PostgreSQLStatement(
        name: "holder",
        text: """
            SELECT s.node, s.node_epoch, f.address FROM sessions s JOIN fences f ON f.epoch = s.node WHERE s.id = $1::uuid
            """)

    fileprivate static let move = PostgreSQLStatement(
        name: "move",
        text: """
            UPDATE sessions SET node = $4::bigint, node_epoch = node_epoch + 1
            WHERE id = $1::uuid AND node = $2::bigint AND node_epoch = $3::bigint
            """)
}
