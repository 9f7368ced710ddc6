import Access
import HTTPModel

/// What a rate limits.
enum RateKind: Int, CaseIterable {
    case inputs
    case creations
    case streams
    case rejections

    /// Returns what a request counts for by its route; nil if it is not limited.
    init?(_ request: HTTPRequest, _ route: Route) {
        switch route {
        case .input, .inputs:
            guard request.method == .post else { return nil }
            self = .inputs
        case .sessions:
            guard request.method == .post else { return nil }
            self = .creations
        case .outputs:
            let preference = MediaPreference(request.fields.list(.accept))
            guard request.method == .get, preference.prefers("text/event-stream", to: "application/json") else {
                return nil
            }
            self = .streams
        case .combinedOutputs:
            guard request.method == .get else { return nil }
            self = .streams
        default: return nil
        }
    }
}

extension HostAccess.Rates {
    /// Returns the rate of a kind; nil if it is not limited.
    subscript(kind: RateKind) -> RateLimit? {
        switch kind {
        case .inputs: inputs
        case .creations: creations
        case .streams: streams
        case .rejections: rejections
        }
    }
}

/// The tables of the configured rates, which all loops share.
struct RateTables: Sendable {
    // By the raw values of the kinds.
    private var tables: [RateTable?] = Array(repeating: nil, count: RateKind.allCases.count)

    /// Whether requests are limited by their routes.
    var limitRoutes: Bool { RateKind.allCases.contains { $0 != .rejections && self[$0] != nil } }

    /// The table of a kind; nil if it is not limited.
    subscript(kind: RateKind) -> RateTable? { tables[kind.rawValue] }

    /// Uses other rates. Clients keep what they have used.
    mutating func replace(with rates: HostAccess.Rates) {
        for kind in RateKind.allCases {
            guard let limit = rates[kind] else {
                tables[kind.rawValue] = nil
                continue
            }
            if let table = tables[kind.rawValue] {
                table.replace(limit)
            } else {
                tables[kind.rawValue] = RateTable(limit)
            }
        }
    }
}

// Rates of requests.
extension SessionShard {
    /// How late a client gets its answer that continues to exceed a rate.
    static let refusalDelay = Duration.milliseconds(10)
    /// The number of answers of a loop that are late at the same time.
    private static let mostDelayed = 1024

    /// Counts a request for its rate. Returns an answer if it is over its rate.
    func limit(_ request: HTTPRequest, _ context: inout RequestContext) -> HTTPAnswer? {
        guard access.rates != nil, let kind = RateKind(request, context.route),
            let taken = take(1, of: kind, for: request, from: context.requester)
        else { return nil }
        guard taken.decision.isAllowed else { return refuse(request, context, taken) }
        context.rate = taken
        return nil
    }

    /// Returns the answer to a request over its rate, which is late if the client does not wait.
    ///
    /// A client with one request at a time would otherwise send as many as the processors permit, and take their time from others.
    private func refuse(
        _ request: HTTPRequest, _ context: RequestContext, _ taken: RateTable.Result
    ) -> HTTPAnswer {
        let response =
            RateKind(request, context.route) == .streams
            ? self.response(.tooManyRequests(taken.limit, taken.decision), to: request, context.route)
            : taken.limit.refusal(taken.decision)
        guard taken.decision.isInsistent, delayedRefusals < SessionShard.mostDelayed else {
            return .response(response)
        }
        let waiting = PendingRequest(request, context, resumingAt: .perform)
        delayedRefusals += 1
        _ = loop.schedule(after: SessionShard.refusalDelay) { [backReference] in
            guard let shard = backReference.shard else { return waiting.promise.fulfil(response) }
            shard.delayedRefusals -= 1
            shard.respond(to: waiting, with: response)
        }
        return .deferred(waiting.promise)
    }

    /// Returns the answer to a request whose credentials are rejected and too many; nil if the problem is only with them.
    func refusal(
        of request: HTTPRequest, _ context: RequestContext, _ authentication: Authentication
    ) -> HTTPAnswer? {
        switch authentication {
        case .anonymous, .principal, .ticket, .undecided: return nil
        case .rejected, .limited: break
        }
        guard let table = access.rejections, let taken = take(1, from: table, for: request, from: .anonymous),
            !taken.decision.isAllowed
        else { return nil }
        return refuse(request, context, taken)
    }

    /// Takes the inputs of a batch after the first one, with which the request was counted.
    func takeRest(
        ofBatch count: Int, _ request: HTTPRequest, of requester: Requester
    ) throws(ProblemDetails) {
        guard access.rates != nil, count > 1,
            let taken = take(count - 1, of: .inputs, for: request, from: requester),
            !taken.decision.isAllowed
        else { return }
        throw .tooManyRequests(taken.limit, taken.decision)
    }

    /// Takes a number of requests of one kind. Returns nil if they are not limited.
    private func take(
        _ count: Int, of kind: RateKind, for request: HTTPRequest, from requester: Requester
    ) -> RateTable.Result? {
        access.rates?[kind].flatMap { take(count, from: $0, for: request, from: requester) }
    }

    private func take(
        _ count: Int, from table: RateTable, for request: HTTPRequest, from requester: Requester
    ) -> RateTable.Result? {
        let keys = LimitKeys(requester, peer: request.peer)
        guard let taken = table.take(count, for: keys, at: loop.now) else { return nil }
        if !taken.decision.isAllowed { audit(.rateExceeded(taken.limit), by: requester, peer: request.peer) }
        return taken
    }
}
