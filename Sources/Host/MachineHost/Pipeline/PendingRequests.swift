import Access
import HTTPModel

/// A request that waits. Confined to its loop.
final class PendingRequest {
    /// The request as it arrived.
    let request: HTTPRequest
    /// The context of the request. Sessions that were found in memory are looked up again when it continues.
    private(set) var context: RequestContext
    /// The stage at which it continues.
    let stage: RequestStage
    /// The promise of its response.
    let promise: DeferredResponse
    /// The result of its authentication; nil if it is not known, or was checked.
    private(set) var decision: Result<Authentication, ProblemDetails>?

    init(_ request: HTTPRequest, _ context: RequestContext, resumingAt stage: RequestStage) {
        var context = context
        promise = context.promised()
        context.session = nil
        context.asleep = nil
        (self.request, self.context, self.stage) = (request, context, stage)
    }

    /// The requester of the request.
    var requester: Requester { context.requester }

    /// Whether a client still waits for it.
    var isAwaited: Bool { context.opening?.isAwaited ?? promise.isAwaited }

    /// Its place among all requests of the loop that have waited; 0 before it waits for the first time.
    var arrival: UInt64 { context.arrival }

    /// Notes its place. Later calls are ignored.
    func arrive(_ number: UInt64) {
        if context.arrival == 0 { context.arrival = number }
    }

    /// Whether it is not known who it comes from.
    var isUndecided: Bool { stage == .authenticate && decision == nil }

    /// Notes the result of the authentication. Later calls are ignored.
    func decide(_ result: Result<Authentication, ProblemDetails>) {
        if isUndecided { decision = result }
    }
}

/// The requests of a loop that wait, whatever they wait for. Confined to the loop.
///
/// One bound applies to all of them. Where several wait for the same, clients take turns, so that one with many requests does not delay the
/// others.
struct PendingRequests {
    /// The cause for which requests wait.
    enum Cause: Hashable {
        /// The turns of stored sessions, which do not run at the moment.
        case turns
        /// A session that is being loaded.
        case loading(StoredSessionID)
        /// The requests that a session was loaded for.
        case arrivals(SessionID)
        /// The look-up of a session for a client.
        case lookUp(SessionID, WorkSource)
        /// The authentication of the first request of a connection for a session.
        case connection(ObjectIdentifier, SessionID)
        /// The end of a session, which is not stored yet.
        case commit
        /// One read of the journal.
        case read(UInt64)
        /// One answer: of another loop, or of the program's own authentication.
        case answer(UInt64)

        /// Whether the request cannot continue without the journal.
        var needsJournal: Bool {
            switch self {
            case .turns, .loading, .arrivals, .lookUp, .commit, .read: true
            case .connection, .answer: false
            }
        }
    }

    /// The maximum number of requests that wait on a loop. One client may have half of it.
    static let maxRequests = 4096
    /// The maximum size of all these requests in bytes.
    static let maxBytes = 16 << 20
    /// The estimated size of a request without its body, in bytes.
    private static let requestOverhead = 1024
    /// The number of refusals after which requests without clients are looked for again.
    private static let refusalsPerDrop = 64

    /// The number and size of the requests that wait, for one client or for all of them.
    private struct Load {
        var requests = 0
        var bytes = 0

        mutating func add(_ requests: Int, _ bytes: Int) {
            self.requests += requests
            self.bytes += bytes
        }
    }

    private var queues: [Cause: FairQueue<PendingRequest>] = [:]
    private var total = Load()
    private var shares: [WorkSource: Load] = [:]
    private var lastAnswer: UInt64 = 0
    private var lastArrival: UInt64 = 0
    private var refusals = 0

    /// The number of requests that wait, and their size in bytes.
    var count: Int { total.requests }
    var byteCount: Int { total.bytes }
    var isEmpty: Bool {
        assert(total.requests > 0 || queues.isEmpty, "expected no queue without requests, got \(queues.count)")
        return total.requests == 0
    }

    /// Returns the cause of a request that waits for an answer which nobody else waits for.
    mutating func nextAnswer() -> Cause {
        lastAnswer += 1
        return .answer(lastAnswer)
    }

    /// Returns the cause of a request that waits for a read of the journal for itself.
    mutating func nextRead() -> Cause {
        lastAnswer += 1
        return .read(lastAnswer)
    }

    /// Returns whether requests wait for a cause.
    func contains(_ cause: Cause) -> Bool { !isEmpty && queues[cause] != nil }

    /// Adds a request.
    ///
    /// - Returns: Whether there was room.
    mutating func add(_ pending: PendingRequest, for cause: Cause) -> Bool {
        guard hasRoom(for: pending) || dropUnawaited() && hasRoom(for: pending) else { return false }
        lastArrival += 1
        pending.arrive(lastArrival)
        enter(pending, for: cause)
        return true
    }

    /// Removes and returns the next request that waits for a cause; nil if no request waits. Requests whose clients have left are dropped.
    mutating func take(_ cause: Cause) -> PendingRequest? {
        while let first = removeFirst(of: cause) {
            if first.isAwaited { return first }
        }
        return nil
    }

    /// Removes and returns the requests that wait for a cause, without those whose clients have left.
    mutating func takeAll(_ cause: Cause) -> [PendingRequest] {
        var taken: [PendingRequest] = []
        while let first = take(cause) { taken.append(first) }
        assert(queues[cause] == nil, "expected to take all requests")
        return taken
    }

    /// Removes and returns the requests that cannot continue without the journal.
    mutating func takeThoseForJournal() -> [PendingRequest] {
        queues.keys.filter(\.needsJournal).flatMap { takeAll($0) }
    }

    /// Removes and returns the first request of a connection, if it is known who it comes from.
    mutating func takeDecided(_ cause: Cause) -> PendingRequest? {
        while let first = queues[cause]?.first, !first.isUndecided {
            if let taken = removeFirst(of: cause), taken.isAwaited { return taken }
        }
        return nil
    }

    private mutating func removeFirst(of cause: Cause) -> PendingRequest? {
        assert(queues[cause]?.isEmpty != true, "expected a queue with a request")
        guard let first = queues[cause]?.removeFirst() else { return nil }
        if queues[cause]?.isEmpty == true { queues[cause] = nil }
        count(first, -1)
        return first
    }

    private mutating func enter(_ pending: PendingRequest, for cause: Cause) {
        count(pending, 1)
        // The requests of a connection keep their order, whoever they come from.
        let turn = if case .connection = cause { WorkSource.server } else { WorkSource(pending.request.peer) }
        // One that has waited for something else may be older than those that wait here.
        queues[cause, default: FairQueue()].append(pending, of: turn) { $0.arrival < $1.arrival }
    }

    /// Drops the requests of clients that have left. Returns whether it has tried.
    // Not for each refusal: a flood of requests must not have all that wait examined for each of them.
    private mutating func dropUnawaited() -> Bool {
        defer { refusals &+= 1 }
        guard refusals.isMultiple(of: PendingRequests.refusalsPerDrop) else { return false }
        for cause in Array(queues.keys) {
            for pending in takeAll(cause) { enter(pending, for: cause) }
        }
        return true
    }

    /// Counts a request that has been added, or one that was removed.
    private mutating func count(_ pending: PendingRequest, _ change: Int) {
        let (bytes, source) = (change * PendingRequests.size(of: pending.request), WorkSource(pending.request.peer))
        var share = shares[source] ?? Load()
        share.add(change, bytes)
        total.add(change, bytes)
        shares[source] = share.requests > 0 ? share : nil
        assert(total.requests >= 0 && total.bytes >= 0 && share.requests >= 0, "expected to count each request once")
        assert(
            total.requests > 0 || total.bytes == 0 && shares.isEmpty,
            "expected nothing to be counted without requests, got \(total.bytes) bytes of \(shares.count) clients")
    }

    /// Returns whether there is room for another request of a client, which may have as much as it leaves to others.
    // So one client gets half of the room, several get equal parts of it, and there is always some for another one.
    private func hasRoom(for pending: PendingRequest) -> Bool {
        let own = shares[WorkSource(pending.request.peer)] ?? Load()
        return own.requests + total.requests < PendingRequests.maxRequests
            && own.bytes + total.bytes + PendingRequests.size(of: pending.request) <= PendingRequests.maxBytes
    }

    private static func size(of request: HTTPRequest) -> Int { request.body.count + requestOverhead }
}
