/// The number of items that each client holds, and the rate at which the client acquires new ones. The server counts
/// connections with it, and the host counts sessions. A value without a lock, so a shared table must be protected by
/// its owner.
package struct ClientTable {
    /// The unit of counting: an IPv4 address, or the /64 network that an IPv6 client usually gets.
    package struct Client: Hashable, Sendable {
        package let bits: UInt128

        /// Creates the client with other bits than those of an address, such as a digest of them.
        package init(bits: UInt128) {
            self.bits = bits
        }

        /// Creates the client with an address. All texts that are not numeric addresses are one client.
        package init(_ address: String) {
            bits = NumericAddress(address)?.client ?? 0
        }

        /// The address, or the first one of the network.
        package var text: String { NumericAddress(bits: bits).text }
    }

    /// The reason why a client cannot take another item.
    package enum Refusal: Equatable, Sendable {
        /// The client holds the maximum number of items.
        case tooMany
        /// The client exceeds the rate.
        case tooFast
    }

    private struct Entry {
        var open = 0
        /// The time until which the client's recent items use up its rate. Each item uses a fraction of a second.
        var paidAt: UInt64 = 0
    }

    private static let second: UInt64 = 1_000_000_000

    private let most: Int
    private let newPerSecond: Int?
    private var entries: [Client: Entry] = [:]
    /// The latest time that was passed in.
    private var latest: UInt64 = 0
    /// The size at which empty entries are removed: twice the number that remained the last time, so that the cost of a
    /// removal is spread over as many insertions.
    private var sweepSize = 1024

    /// Creates a table with a maximum number of items at once and of new items per second; `nil` means unlimited.
    package init(connections: Int?, newPerSecond: Int?) {
        most = connections ?? .max
        self.newPerSecond = newPerSecond.map { max(1, $0) }
    }

    package var count: Int { entries.count }

    /// Returns the number of items that a client holds.
    package func held(by client: Client) -> Int { entries[client]?.open ?? 0 }

    /// Counts one more item. Returns `false` and counts nothing if the client has reached a limit.
    package mutating func enter(_ client: Client, now: UInt64) -> Bool { admit(client, now: now) == nil }

    /// Counts one more item, or returns the reason why the client is refused. A refusal does not count towards the
    /// rate, so that refused attempts do not delay the next admission.
    package mutating func admit(_ client: Client, now: UInt64) -> Refusal? {
        latest = max(latest, now)
        if entries.count >= sweepSize { sweep() }
        var entry = entries[client] ?? Entry()
        guard entry.open < most else { return .tooMany }
        if let newPerSecond {
            let paidAt = max(entry.paidAt, now) + ClientTable.second / UInt64(newPerSecond)
            // A burst may use up the rate of a whole second.
            guard paidAt - now <= ClientTable.second else { return .tooFast }
            entry.paidAt = paidAt
        }
        entry.open += 1
        entries[client] = entry
        return nil
    }

    /// Counts one item more that the client holds already, whatever the limits are.
    package mutating func rejoin(_ client: Client) {
        if entries.count >= sweepSize { sweep() }
        entries[client, default: Entry()].open += 1
    }

    /// Counts one item less. A client is removed when it holds no items and its recent items no longer affect its rate.
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
