import Access
import CombineCore
import HTTPModel

/// Why the turns of stored sessions wait.
struct TurnHold: OptionSet {
    let rawValue: UInt8

    /// Too much waits for the journal.
    static let backlog = TurnHold(rawValue: 1)
    /// The process passes its sessions to another one, or has done so.
    static let suspension = TurnHold(rawValue: 2)
    /// What has waited is being done, in order.
    static let release = TurnHold(rawValue: 4)
}

/// A request, what it names, and who it comes from.
struct RoutedRequest {
    let request: HTTPRequest
    let route: Route
    let requester: Requester

    /// Creates a request that was authenticated when it arrived.
    init(_ request: HTTPRequest, _ route: Route, from requester: Requester) {
        (self.request, self.route, self.requester) = (request, route, requester)
    }
}

/// A request that waits.
struct WaitingRequest {
    let routed: RoutedRequest
    let promise: DeferredResponse

    /// Creates a request that waits, with the promise of its response.
    init(_ routed: RoutedRequest, promise: DeferredResponse = DeferredResponse()) {
        (self.routed, self.promise) = (routed, promise)
    }

    /// The request as it arrived.
    var request: HTTPRequest { routed.request }
    /// Who it comes from.
    var requester: Requester { routed.requester }
}

/// Requests and work of machines that wait until turns may run. Confined to its loop.
struct HeldWork {
    /// The maximum number of requests that wait on a loop, also for a session that is being loaded. One client may have half of it.
    static let mostRequests = 4096
    /// The maximum size of all these requests in bytes.
    static let mostBytes = 16 << 20
    /// The estimated size of a request without its body, in bytes.
    private static let requestOverhead = 1024

    /// What waits for one client or for all of them, here or elsewhere.
    private struct Load: Equatable {
        var requests = 0
        var bytes = 0
    }

    // Clients take turns, so that one with many requests does not delay the others.
    private var requests = FairQueue<WaitingRequest>()
    private var total = Load()
    private var shares: [WorkSource: Load] = [:]
    /// The schedulers of sessions with work that is ready.
    var schedulers: [SessionScheduler] = []
    /// The effects whose turns were stored.
    var effects: [(session: Session, sequence: UInt64)] = []

    /// The number of requests that wait, and their size in bytes.
    var requestCount: Int { total.requests }
    var byteCount: Int { total.bytes }

    /// Whether nothing waits here.
    var isEmpty: Bool { requests.isEmpty && schedulers.isEmpty && effects.isEmpty }

    /// Adds a request.
    ///
    /// - Returns: Whether there was room.
    mutating func add(_ waiting: WaitingRequest) -> Bool {
        guard reserve(for: waiting.request) else { return false }
        requests.append(waiting, of: WorkSource(waiting.request.peer))
        return true
    }

    /// Removes and returns the next request for which a client still waits.
    mutating func takeRequest() -> WaitingRequest? {
        while let first = requests.removeFirst() {
            release(first.request)
            if first.promise.isAwaited { return first }
        }
        return nil
    }

    /// Counts a request that waits elsewhere, until ``release(_:)``.
    ///
    /// - Returns: Whether there was room.
    mutating func reserve(for request: HTTPRequest) -> Bool {
        let (size, source) = (HeldWork.size(of: request), WorkSource(request.peer))
        if !hasRoom(for: size, of: source) { dropUnawaited() }
        guard hasRoom(for: size, of: source) else { return false }
        HeldWork.add(1, size, to: &total)
        HeldWork.add(1, size, to: &shares[source, default: Load()])
        return true
    }

    /// Stops counting a request.
    mutating func release(_ request: HTTPRequest) {
        let (size, source) = (HeldWork.size(of: request), WorkSource(request.peer))
        HeldWork.add(-1, -size, to: &total)
        HeldWork.add(-1, -size, to: &shares[source, default: Load()])
        if shares[source] == Load() { shares[source] = nil }
    }

    private static func add(_ requests: Int, _ bytes: Int, to load: inout Load) {
        load.requests += requests
        load.bytes += bytes
    }

    /// Drops the requests of clients that have left.
    private mutating func dropUnawaited() {
        var kept = FairQueue<WaitingRequest>()
        while let first = requests.removeFirst() {
            guard first.promise.isAwaited else {
                release(first.request)
                continue
            }
            kept.append(first, of: WorkSource(first.request.peer))
        }
        requests = kept
    }

    /// Returns whether there is room for another request of a client, which may have as much as it leaves to others.
    // So one client gets half of the room, several get equal parts of it, and there is always some for another one.
    private func hasRoom(for size: Int, of source: WorkSource) -> Bool {
        let own = shares[source] ?? Load()
        return own.requests + total.requests < HeldWork.mostRequests
            && own.bytes + total.bytes + size <= HeldWork.mostBytes
    }

    private static func size(of request: HTTPRequest) -> Int { request.body.count + requestOverhead }
}
