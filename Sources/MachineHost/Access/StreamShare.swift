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

    /// The number of clients with streams.
    var clientCount: Int { counts.withLock { $0.count } }

    /// Counts a stream of a client. Returns nil if it has reached its limit.
    func reserve(_ client: ClientTable.Client, limit: Int) -> StreamShare? {
        let isReserved = counts.withLock { counts in
            guard counts[client, default: 0] < limit else { return false }
            counts[client, default: 0] += 1
            return true
        }
        return isReserved ? StreamShare(client, in: self) : nil
    }

    fileprivate func release(_ client: ClientTable.Client) {
        counts.withLock { counts in
            let rest = counts[client, default: 1] - 1
            counts[client] = rest > 0 ? rest : nil
        }
    }
}

extension SessionShard {
    /// Counts a stream for the requester. Returns nil if it is not limited.
    ///
    /// - Throws: The problem to respond with if the requester has reached its limit.
    func reserveShare(for request: HTTPRequest) throws(ProblemDetails) -> StreamShare? {
        guard let limit = access.configuration.quotas.streams,
            let client = host.client(of: requester, request.peer)
        else { return nil }
        if let share = host.streamCounts.reserve(client, limit: limit) { return share }
        audit(.quotaReached(.streams), by: requester, peer: request.peer)
        throw .overQuota(.streams, .tooMany(limit: limit))
    }
}
