import Locking

/// How many connections each client has and how fast it makes new ones, on all loops. A client is an IPv4 address, or the
/// /64 network that one IPv6 client gets.
///
/// Asked once a connection and not on the way of a request, so that one lock will do.
final class ClientLedger: Sendable {
    private let table: Lock<ClientTable>

    /// A ledger that allows so many connections at once and so many new ones a second; `nil` for any number.
    init(connections: Int?, newPerSecond: Int?) {
        table = Lock(ClientTable(connections: connections, newPerSecond: newPerSecond))
    }

    /// Counts a connection of that address in, for as long as the ticket is kept; `nil` if it is one too many.
    func admit(_ address: String, now: UInt64) -> ClientTicket? {
        let client = ClientTable.Client(address)
        return table.withLock { $0.enter(client, now: now) } ? ClientTicket(client: client, ledger: self) : nil
    }

    fileprivate func leave(_ client: ClientTable.Client) {
        table.withLock { $0.leave(client) }
    }
}

/// A connection that is counted. Letting go of it counts the connection out.
final class ClientTicket: Sendable {
    private let client: ClientTable.Client
    private let ledger: ClientLedger

    fileprivate init(client: ClientTable.Client, ledger: ClientLedger) {
        self.client = client
        self.ledger = ledger
    }

    deinit {
        ledger.leave(client)
    }
}

/// The numbers themselves.
struct ClientTable {
    struct Client: Hashable {
        private let bits: UInt128

        init(_ address: String) {
            let number = NetworkAddress(address) ?? NetworkAddress(bits: 0)
            bits = number.masked(to: number.isVersion4 ? 128 : 64)
        }
    }

    private struct Entry {
        var open = 0
        /// When the client has paid for all of its connections, each of which costs a part of a second.
        var paidAt: UInt64 = 0
    }

    private static let second: UInt64 = 1_000_000_000

    private let connections: Int
    private let newPerSecond: Int?
    private var entries: [Client: Entry] = [:]
    /// At which size those are looked for that can be forgotten; twice what was left the last time, so that it costs
    /// nothing to speak of.
    private var sweepSize = 1024

    init(connections: Int?, newPerSecond: Int?) {
        self.connections = connections ?? .max
        self.newPerSecond = newPerSecond.map { max(1, $0) }
    }

    /// How many clients are remembered.
    var count: Int { entries.count }

    /// Counts a connection in; false if it is one too many. One that is refused costs the client nothing, so that it gets in
    /// as soon as it would have without trying.
    mutating func enter(_ client: Client, now: UInt64) -> Bool {
        if entries.count >= sweepSize { sweep(now: now) }
        var entry = entries[client] ?? Entry()
        guard entry.open < connections else { return false }
        if let newPerSecond {
            let paidAt = max(entry.paidAt, now) + ClientTable.second / UInt64(newPerSecond)
            // A second's worth of connections may come at once.
            guard paidAt - now <= ClientTable.second else { return false }
            entry.paidAt = paidAt
        }
        entry.open += 1
        entries[client] = entry
        return true
    }

    /// Counts a connection out. What the client still has to pay is remembered.
    mutating func leave(_ client: Client) {
        guard var entry = entries[client] else { return }
        entry.open -= 1
        entries[client] = entry.open == 0 && newPerSecond == nil ? nil : entry
    }

    private mutating func sweep(now: UInt64) {
        entries = entries.filter { $0.value.open > 0 || $0.value.paidAt > now }
        sweepSize = max(1024, 2 * entries.count)
    }
}
