/// The number of things that each client holds at once, and how fast it takes new ones. The server counts connections with
/// it, the host sessions. A value without a lock: whoever shares one puts it behind a lock.
package struct ClientTable {
    /// Whom a table counts as one: an IPv4 address, or the /64 network that one IPv6 client gets.
    package struct Client: Hashable, Sendable {
        private let bits: UInt128

        /// The client with this address. Everything that is not a numeric address is one client.
        package init(_ address: String) {
            bits = NumericAddress(address)?.client ?? 0
        }
    }

    /// Why a client may not take another one.
    package enum Refusal: Equatable, Sendable {
        /// It holds as many as it may hold.
        case tooMany
        /// It took the last ones too fast.
        case tooFast
    }

    private struct Entry {
        var open = 0
        /// When the client has paid for all that it took, each of which costs a part of a second.
        var paidAt: UInt64 = 0
    }

    private static let second: UInt64 = 1_000_000_000

    private let most: Int
    private let newPerSecond: Int?
    private var entries: [Client: Entry] = [:]
    /// The latest time that a caller has named.
    private var latest: UInt64 = 0
    /// The size at which entries without content are removed; twice what was left the last time, so that the cost of a
    /// removal is spread over as many insertions.
    private var sweepSize = 1024

    /// A table that allows this many at once and this many new ones a second; `nil` for any number.
    package init(connections: Int?, newPerSecond: Int?) {
        most = connections ?? .max
        self.newPerSecond = newPerSecond.map { max(1, $0) }
    }

    /// The number of clients that are remembered.
    package var count: Int { entries.count }

    /// Counts one more. Returns `false`, and counts nothing, if the client may not have it.
    package mutating func enter(_ client: Client, now: UInt64) -> Bool { admit(client, now: now) == nil }

    /// Counts one more, or returns why the client may not have it. A refusal costs the client nothing, so that it gets in
    /// as soon as it would have without trying.
    package mutating func admit(_ client: Client, now: UInt64) -> Refusal? {
        latest = max(latest, now)
        if entries.count >= sweepSize { sweep() }
        var entry = entries[client] ?? Entry()
        guard entry.open < most else { return .tooMany }
        if let newPerSecond {
            let paidAt = max(entry.paidAt, now) + ClientTable.second / UInt64(newPerSecond)
            // A second's worth may be taken at once.
            guard paidAt - now <= ClientTable.second else { return .tooFast }
            entry.paidAt = paidAt
        }
        entry.open += 1
        entries[client] = entry
        return nil
    }

    /// Counts one less. A client that holds nothing and owes nothing is forgotten; what it still owes is remembered.
    package mutating func leave(_ client: Client, now: UInt64 = 0) {
        guard var entry = entries[client] else { return }
        latest = max(latest, now)
        entry.open -= 1
        entries[client] = holdsContent(entry) ? entry : nil
    }

    private func holdsContent(_ entry: Entry) -> Bool {
        entry.open > 0 || newPerSecond != nil && entry.paidAt > latest
    }

    private mutating func sweep() {
        entries = entries.filter { holdsContent($0.value) }
        sweepSize = max(1024, 2 * entries.count)
    }
}
