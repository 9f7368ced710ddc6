import Access
import HTTPModel
import Locking

/// The place of an open stream among those of its client. Released with the last reference.
final class StreamShare: Sendable {
    private let client: ClientTable.Client
    private let counts: StreamCounts

    fileprivate init(_ client: ClientTable.Client, in counts: StreamCounts) {
        self.client = client
        self.counts = counts
    }

    deinit { counts.release(client) }
}

/// The number of open streams of each client that is limited. Shared by all loops.
final class StreamCounts: Sendable {
    private let counts = Lock<[ClientTable.Client: Int]>([:])

    var clientCount: Int { counts.withLock { $0.count } }

    /// Counts a stream of a client.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of streams of a client.
    ///   - total: The maximum number of streams of the server.
    ///   - open: The number of open streams of the server.
    /// - Throws: The reason, if the client has reached its limit, or has more than an even share of the last tenth.
    func reserve(
        _ client: ClientTable.Client, limit: Int, total: Int, open: Int
    ) throws(QuotaTable.Refusal) -> StreamShare {
        try counts.withLock { counts throws(QuotaTable.Refusal) in
            let count = counts[client, default: 0]
            guard count < limit else { throw .tooMany(limit: limit) }
            if open >= total - total / 10, count > total / max(1, counts.count) { throw .overShare }
            counts[client] = count + 1
        }
        return StreamShare(client, in: self)
    }

    fileprivate func release(_ client: ClientTable.Client) {
        counts.withLock { counts in
            assert(counts[client] != nil, "expected to release each stream of a client once")
            let rest = counts[client, default: 1] - 1
            counts[client] = rest > 0 ? rest : nil
        }
    }
}
