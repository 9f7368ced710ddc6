import Access
import HTTPModel

/// What a rate limits.
enum RateKind: Int, CaseIterable {
    case inputs
    case creations
    case streams

    /// Returns what a request counts for; nil if it is not limited.
    init?(_ request: HTTPRequest) {
        switch Route(target: request.target) {
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
        }
    }
}

/// The buckets of the configured rates, for one loop.
struct RateTables {
    // By the raw values of the kinds.
    private var tables: [BucketTable?] = Array(repeating: nil, count: RateKind.allCases.count)

    /// Whether nothing is limited.
    var isEmpty: Bool { tables.allSatisfy { $0 == nil } }

    /// Whether a client needs more of its rate on this loop.
    var needsMore: Bool { tables.contains { $0?.needsMore == true } }

    /// Takes a number of requests of one kind. Returns nil if they are not limited.
    mutating func take(
        _ count: Int, of kind: RateKind, for keys: LimitKeys, at now: MonotonicTime
    ) -> (limit: RateLimit, decision: RateDecision)? {
        guard let limit = tables[kind.rawValue]?.limit,
            let decision = tables[kind.rawValue]?.take(count, for: keys, at: now) ?? nil
        else { return nil }
        return (limit, decision)
    }

    /// Passes the table of a kind to a closure, which may replace it.
    mutating func change(_ kind: RateKind, _ body: (inout BucketTable?) -> Void) { body(&tables[kind.rawValue]) }
}

// Rates of requests.
extension SessionShard {
    /// Responds to a request of the current requester, if it is within its rate.
    func routeLimited(_ request: HTTPRequest) -> HTTPAnswer {
        guard access.rates != nil, let kind = RateKind(request) else { return route(request) }
        let taken: (limit: RateLimit, decision: RateDecision)?
        do throws(ProblemDetails) {
            taken = try take(1, of: kind, for: request)
        } catch {
            return .response(response(error, to: request))
        }
        guard let taken else { return route(request) }
        return route(request).changed { response in
            response.fields.append(.rateLimitPolicy, RateLimitFields.policy([taken.limit]))
            response.fields.append(.rateLimit, RateLimitFields.state([taken]))
        }
    }

    /// Takes the inputs of a batch after the first one, with which the request was counted.
    func takeRest(ofBatch count: Int, _ request: HTTPRequest) throws(ProblemDetails) {
        guard access.rates != nil, count > 1 else { return }
        _ = try take(count - 1, of: .inputs, for: request)
    }

    @discardableResult
    private func take(
        _ count: Int, of kind: RateKind, for request: HTTPRequest
    ) throws(ProblemDetails) -> (limit: RateLimit, decision: RateDecision)? {
        let keys = LimitKeys(requester, peer: request.peer)
        guard let taken = access.rates?.take(count, of: kind, for: keys, at: loop.now) else { return nil }
        exchangeRatesIfNeeded()
        guard !taken.decision.isAllowed else { return taken }
        auditLimit(.rateExceeded(taken.limit), by: requester, peer: request.peer)
        throw .tooManyRequests(taken.limit, taken.decision)
    }
}
