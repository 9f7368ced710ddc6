import HTTPModel
import Locking

/// How many connections each client has and how fast it makes new ones, on all loops. A client is an IPv4 address, or the
/// /64 network that one IPv6 client gets.
///
/// Asked once a connection and not on the way of a request, so that one lock will do.
final class ClientLimiter: Sendable {
    private let table: Lock<ClientTable>

    /// A ledger that allows so many connections at once and so many new ones a second; `nil` for any number.
    init(connections: Int?, newPerSecond: Int?) {
        table = Lock(ClientTable(connections: connections, newPerSecond: newPerSecond))
    }

    /// Counts a connection of that address in, for as long as the ticket is kept; `nil` if it is one too many.
    func admit(_ address: String, now: UInt64) -> ClientLease? {
        let client = ClientTable.Client(address)
        return table.withLock { $0.enter(client, now: now) } ? ClientLease(client: client, clientLimiter: self) : nil
    }

    fileprivate func leave(_ client: ClientTable.Client) {
        table.withLock { $0.leave(client) }
    }
}

/// A connection that is counted. Letting go of it counts the connection out.
final class ClientLease: Sendable {
    private let client: ClientTable.Client
    private let clientLimiter: ClientLimiter

    fileprivate init(client: ClientTable.Client, clientLimiter: ClientLimiter) {
        self.client = client
        self.clientLimiter = clientLimiter
    }

    deinit {
        clientLimiter.leave(client)
    }
}
