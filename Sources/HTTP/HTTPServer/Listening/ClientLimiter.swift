import HTTPModel
import Locking

/// Limits how many connections each client has and how fast it opens new ones, on all loops together. A client is an
/// IPv4 address or the /64 network of an IPv6 address, which is what one IPv6 client usually gets.
///
/// It is used once per connection and not per request, so one lock is enough.
final class ClientLimiter: Sendable {
    private let table: Lock<ClientTable>

    /// Creates a limiter for a number of simultaneous connections and of new connections per second; `nil` means
    /// unlimited.
    init(connections: Int?, newPerSecond: Int?) {
        table = Lock(ClientTable(connections: connections, newPerSecond: newPerSecond))
    }

    /// Counts a connection from an address until the lease is released. Returns `nil` if the client has reached a
    /// limit.
    func admit(_ address: String, now: UInt64) -> ClientLease? {
        let client = ClientTable.Client(address)
        return table.withLock { $0.enter(client, now: now) } ? ClientLease(client: client, clientLimiter: self) : nil
    }

    fileprivate func leave(_ client: ClientTable.Client) {
        table.withLock { $0.leave(client) }
    }
}

/// A counted connection. Deallocating the lease ends the count.
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
