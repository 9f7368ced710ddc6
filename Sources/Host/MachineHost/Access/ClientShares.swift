import HTTPModel

/// The number of entries that each client has in a table that is bounded for all clients together. A value.
///
/// When the table is full, the client with the most entries makes room. So a client can neither keep others out, nor displace
/// their entries.
struct ClientShares {
    private var counts: [ClientTable.Client: Int] = [:]
    /// The number of clients by the number of their entries, up to the largest one.
    // So it is known without a search that a client has the most, which is asked for each of its further requests.
    private var clients = [0]

    /// Counts an entry of a client.
    mutating func add(_ client: ClientTable.Client) {
        let count = counts[client, default: 0]
        if count > 0 { clients[count] -= 1 }
        if clients.count == count + 1 { clients.append(0) }
        clients[count + 1] += 1
        assert(clients[count] >= 0, "expected to count each client once, got \(clients[count]) with \(count) entries")
        counts[client] = count + 1
    }

    /// Counts an entry less.
    mutating func remove(_ client: ClientTable.Client) {
        guard let count = counts[client] else { return }
        clients[count] -= 1
        if count > 1 { clients[count - 1] += 1 }
        while clients.count > 1, clients.last == 0 { clients.removeLast() }
        counts[client] = count > 1 ? count - 1 : nil
        assert((clients.count > 1) == !counts.isEmpty, "expected the same clients in both tables, got \(counts.count)")
    }

    /// Returns the client that makes room for an entry of another one; nil if that one would then have as many.
    func donor(for client: ClientTable.Client) -> ClientTable.Client? {
        let most = clients.count - 1
        guard most > counts[client, default: 0] + 1 else { return nil }
        return counts.first { $0.value == most }?.key
    }
}

extension ClientTable.Client {
    /// All clients that cannot be told apart, such as those of a proxy on the same machine.
    static let others = ClientTable.Client(bits: 0)
}
