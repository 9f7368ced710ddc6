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

/// A request that waits, and who it comes from: it was authenticated when it arrived.
struct WaitingRequest {
    let request: HTTPRequest
    let promise: DeferredResponse
    let requester: Requester
}

/// Requests and work of machines that wait until turns may run. Confined to its loop.
struct HeldWork {
    /// The maximum number of requests that wait on a loop, also for a session that is being loaded.
    static let mostRequests = 4096
    /// The maximum size of all these requests in bytes.
    static let mostBytes = 16 << 20
    /// The estimated size of a request without its body, in bytes.
    private static let requestOverhead = 1024

    private var requests = Queue<WaitingRequest>()
    private(set) var requestCount = 0
    private(set) var byteCount = 0
    /// The schedulers of sessions with work that is ready.
    var schedulers: [SessionScheduler] = []
    /// The effects whose turns were stored.
    var effects: [(session: Session, sequence: UInt64)] = []

    /// Whether nothing waits here.
    var isEmpty: Bool { requests.isEmpty && schedulers.isEmpty && effects.isEmpty }

    /// Adds a request.
    ///
    /// - Returns: Whether there was room.
    mutating func add(_ waiting: WaitingRequest) -> Bool {
        guard reserve(for: waiting.request) else { return false }
        requests.append(waiting)
        return true
    }

    /// Removes and returns the first request for which a client still waits.
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
        let size = HeldWork.size(of: request)
        if !hasRoom(for: size) { dropUnawaited() }
        guard hasRoom(for: size) else { return false }
        requestCount += 1
        byteCount += size
        return true
    }

    /// Stops counting a request.
    mutating func release(_ request: HTTPRequest) {
        requestCount -= 1
        byteCount -= HeldWork.size(of: request)
    }

    /// Drops the requests of clients that have left.
    private mutating func dropUnawaited() {
        var kept = Queue<WaitingRequest>()
        while let first = requests.removeFirst() {
            if first.promise.isAwaited { kept.append(first) } else { release(first.request) }
        }
        requests = kept
    }

    private func hasRoom(for size: Int) -> Bool {
        requestCount < HeldWork.mostRequests && byteCount + size <= HeldWork.mostBytes
    }

    private static func size(of request: HTTPRequest) -> Int { request.body.count + requestOverhead }
}
