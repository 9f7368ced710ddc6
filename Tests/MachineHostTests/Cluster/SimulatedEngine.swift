import MachineHost

/// What several nodes share: fences, leases, and sessions with their rows. A transaction begins when its request arrives, and commits later.
struct SimulatedEngine {
    enum Request {
        case join
        /// Gets a new number for a connection that replaces a lost one.
        case reconnect
        case renew
        case fence(NodeLease)
        case claim(Int)
        case move(Int, epoch: Int64, to: NodeID)
        case append(Int, epoch: Int64, Row)
    }

    enum Response {
        case joined(NodeID)
        case done
        case leases([NodeLease])
        /// With the rows that the session has.
        case holder(SessionHolder?, rows: [Int])
        /// The node or its connection is not the newest.
        case fenced
        /// Another node holds the session.
        case rejected
    }

    /// A row: an input, and the number of those before it.
    struct Row {
        let number: Int
        let input: Int
    }

    struct Session {
        var holder: NodeID?
        var epoch: Int64 = 1
        var rows: [Int] = []
    }

    /// Whether appends lock the fence of their node, and verify what they need under this lock.
    let hasFences: Bool
    var sessions: [Session]
    private(set) var violations: [String] = []
    private var lastNode: Int64 = 0
    /// The number of the newest connection of each node that is not fenced.
    private var connections: [NodeID: Int] = [:]
    private var counters: [NodeID: Int64] = [:]
    /// The transactions in progress that share the lock of a node's fence.
    private var shares: [NodeID: Int] = [:]
    private var waiting: [(node: NodeID, grant: () -> Void)] = []

    init(sessions: Int, hasFences: Bool) {
        self.sessions = Array(repeating: Session(), count: sessions)
        self.hasFences = hasFences
    }

    /// The fence that a request locks alone, so that it waits for the transactions in progress there.
    func lock(_ request: Request, of node: NodeID) -> NodeID? {
        switch request {
        case .reconnect: node
        case .fence(let lease): lease.node
        default: nil
        }
    }

    /// Whether a lock must be waited for.
    func isShared(_ node: NodeID) -> Bool { hasFences && shares[node, default: 0] > 0 }

    mutating func wait(for node: NodeID, _ grant: @escaping () -> Void) { waiting.append((node, grant)) }

    /// Begins a transaction: takes the shared lock, and then verifies the session. Returns why it is rejected; nil if it is not.
    mutating func begin(_ request: Request, of node: NodeID, connection: Int) -> Response? {
        switch request {
        case .join: return nil
        case .reconnect: return connections[node].map { $0 < connection } == true ? nil : .fenced
        case .append where !hasFences: return nil
        default: break
        }
        guard connections[node] == connection else { return .fenced }
        if case .append(let index, let epoch, _) = request {
            guard sessions[index].holder == node, sessions[index].epoch == epoch else { return .rejected }
        }
        shares[node, default: 0] += 1
        return nil
    }

    /// Commits a transaction that was begun, and returns its result with the lock requests that are granted now.
    mutating func commit(_ request: Request, of node: NodeID, connection: Int) -> (Response, granted: [() -> Void]) {
        let response = perform(request, of: node, connection: connection)
        if let count = shares[node], lock(request, of: node) != node { shares[node] = count > 1 ? count - 1 : nil }
        guard shares[node] == nil else { return (response, []) }
        let granted = waiting.filter { $0.node == node }.map(\.grant)
        waiting.removeAll { $0.node == node }
        return (response, granted)
    }

    private mutating func perform(_ request: Request, of node: NodeID, connection: Int) -> Response {
        switch request {
        case .join:
            lastNode += 1
            connections[NodeID(lastNode)] = 1
            counters[NodeID(lastNode)] = 1
            return .joined(NodeID(lastNode))
        case .reconnect:
            connections[node] = connection
            return .done
        case .renew:
            counters[node, default: 0] += 1
            let leases = counters.map { NodeLease(node: $0.key, counter: $0.value, address: "") }
            return .leases(leases.sorted { $0.node < $1.node })
        case .fence(let lease):
            if counters[lease.node] == lease.counter {
                connections[lease.node] = nil
                counters[lease.node] = nil
            }
            return .done
        case .claim(let index):
            if sessions[index].holder.map({ connections[$0] == nil }) != false { pass(index, to: node) }
            return .holder(holder(of: index), rows: sessions[index].rows)
        case .move(let index, let epoch, let target):
            if sessions[index].holder == node, sessions[index].epoch == epoch { pass(index, to: target) }
            return .holder(holder(of: index), rows: [])
        case .append(let index, let epoch, let row):
            append(row, to: index, under: epoch)
            return .done
        }
    }

    private mutating func pass(_ index: Int, to node: NodeID) {
        sessions[index].holder = node
        sessions[index].epoch += 1
    }

    private func holder(of index: Int) -> SessionHolder? {
        guard let node = sessions[index].holder, connections[node] != nil else { return nil }
        return SessionHolder(node: node, epoch: sessions[index].epoch, address: "")
    }

    private mutating func append(_ row: Row, to index: Int, under epoch: Int64) {
        let stored = sessions[index].rows
        // A node repeats what it may have stored.
        if row.number < stored.count, stored[row.number] == row.input { return }
        if epoch != sessions[index].epoch {
            violations.append("session \(index): epoch \(epoch) stores after \(sessions[index].epoch) has begun")
        }
        if row.number != stored.count {
            violations.append("session \(index): row \(row.number) after \(stored.count) others")
        }
        sessions[index].rows.append(row.input)
    }
}
