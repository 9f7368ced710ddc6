import Access
import HTTPModel

/// What a rate limits.
enum RateKind {
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

/// The buckets of the configured rates, for one loop.
struct RateTables {
    private var inputs: BucketTable?
    private var creations: BucketTable?
    private var streams: BucketTable?

    /// Creates full buckets. Returns nil if nothing is limited.
    init?(_ rates: HostAccess.Rates) {
        guard !rates.isEmpty else { return nil }
        inputs = rates.inputs.map { BucketTable($0) }
        creations = rates.creations.map { BucketTable($0) }
        streams = rates.streams.map { BucketTable($0) }
    }

    /// Takes a number of requests of one kind. Returns nil if they are not limited.
    mutating func take(
        _ count: Int, of kind: RateKind, for keys: LimitKeys, at now: MonotonicTime
    ) -> (limit: RateLimit, decision: RateDecision)? {
        switch kind {
        case .inputs: RateTables.take(count, from: &inputs, keys, now)
        case .creations: RateTables.take(count, from: &creations, keys, now)
        case .streams: RateTables.take(count, from: &streams, keys, now)
        }
    }

    private static func take(
        _ count: Int, from table: inout BucketTable?, _ keys: LimitKeys, _ now: MonotonicTime
    ) -> (limit: RateLimit, decision: RateDecision)? {
        guard let limit = table?.limit, let decision = table?.take(count, for: keys, at: now) ?? nil else { return nil }
        return (limit, decision)
    }
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
        guard !taken.decision.isAllowed else { return taken }
        audit(.rateExceeded(taken.limit), by: requester, peer: request.peer)
        throw .tooManyRequests(taken.limit, taken.decision)
    }
}
