import Access
import HTTPModel
import Locking

/// The requests that wait for a program's own authentication, and those behind them. Confined to its loop.
struct UndecidedRequests {
    /// The requests of one connection for one session, which run in the order of their arrival.
    struct Line: Hashable {
        /// The peer of the connection, which its waiting requests retain.
        fileprivate let peer: ObjectIdentifier
        fileprivate let session: SessionID

        init?(_ request: HTTPRequest, _ route: Route) {
            guard let session = route.session else { return nil }
            peer = ObjectIdentifier(request.peer.proxy ?? request.peer)
            self.session = session
        }
    }

    /// A request that waits.
    final class Entry {
        let request: HTTPRequest
        let route: Route
        let promise = DeferredResponse()
        let line: Line?
        /// The result; nil while it is not known.
        var result: Result<Authentication, ProblemDetails>?
        /// Gives up after some time.
        var timer: (any EventLoopTimer)?

        init(_ request: HTTPRequest, _ route: Route) {
            (self.request, self.route) = (request, route)
            line = Line(request, route)
        }
    }

    private var lines: [Line: [Entry]] = [:]

    /// Returns the line of a request if others wait in it.
    func line(of request: HTTPRequest, _ route: Route) -> Line? {
        // Hardly any server has a closure that decides later.
        guard !lines.isEmpty, let line = Line(request, route), lines[line] != nil else { return nil }
        return line
    }

    /// Adds a request to its line.
    mutating func add(_ entry: Entry) {
        if let line = entry.line { lines[line, default: []].append(entry) }
    }

    /// Removes and returns the requests that may be answered, now that an entry is decided.
    mutating func takeDecided(after entry: Entry) -> [Entry] {
        guard let line = entry.line else { return [entry] }
        var waiting = lines[line] ?? []
        let count = waiting.firstIndex { $0.result == nil } ?? waiting.count
        let decided = Array(waiting[..<count])
        waiting.removeFirst(count)
        lines[line] = waiting.isEmpty ? nil : waiting
        return decided
    }
}

// The program's own authentication.
extension SessionShard {
    /// Responds when the program has decided who a request comes from.
    func decide(_ pending: PendingAuthentication, _ request: HTTPRequest, _ route: Route) -> HTTPAnswer {
        guard held.reserve(for: request) else {
            return .response(response(SessionShard.tooManyUndecided, to: request))
        }
        let entry = UndecidedRequests.Entry(request, route)
        undecided.add(entry)
        entry.timer = loop.schedule(after: pending.timeout) { [backReference] in
            let problem = ProblemDetails.unavailable("the authentication takes too long", retryAfter: 5)
            backReference.shard?.decided(entry, .failure(problem))
        }
        // The shard may no longer exist when the closure returns.
        let waiting = UnsafeTransfer((entry: entry, shard: backReference))
        Task(executorPreference: loop.taskExecutor ?? AuthenticationExecutor.shared) { [loop] in
            let result = await pending.result()
            loop.execute(for: WorkSource(waiting.value.entry.request.peer)) {
                waiting.value.shard.shard?.decided(waiting.value.entry, .success(result))
            }
        }
        return .deferred(entry.promise)
    }

    /// Has a request wait behind others of its connection for the same session.
    func wait(
        in line: UndecidedRequests.Line, _ request: HTTPRequest, _ route: Route, _ authentication: Authentication
    ) -> HTTPAnswer {
        guard held.reserve(for: request) else {
            return .response(response(SessionShard.tooManyUndecided, to: request))
        }
        let entry = UndecidedRequests.Entry(request, route)
        entry.result = .success(authentication)
        undecided.add(entry)
        return .deferred(entry.promise)
    }

    private func decided(_ entry: UndecidedRequests.Entry, _ result: Result<Authentication, ProblemDetails>) {
        guard entry.result == nil else { return }
        entry.result = result
        entry.timer?.cancel()
        entry.timer = nil
        for entry in undecided.takeDecided(after: entry) {
            held.release(entry.request)
            guard entry.promise.isAwaited else { continue }
            switch entry.result {
            case .success(let authentication):
                fulfil(entry.promise, with: respond(to: entry.request, entry.route, from: authentication))
            case .failure(let problem): entry.promise.fulfil(response(problem, to: entry.request))
            case nil: break
            }
        }
    }

    private static let tooManyUndecided = ProblemDetails.unavailable(
        "too many requests wait to be authenticated", retryAfter: 1)
}
