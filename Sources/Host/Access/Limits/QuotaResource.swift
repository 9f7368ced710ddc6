package import HTTPModel

package enum QuotaResource: String, CaseIterable, Sendable {
    /// Sessions that exist, in memory or stored.
    case sessions
    case streams
    /// Bytes of stored sessions.
    case bytes

    /// The name in `RateLimit-Policy`. Not that of a rate, because a response may have both.
    var policyName: String {
        switch self {
        case .sessions: "session-count"
        case .streams: "stream-count"
        case .bytes: "stored-bytes"
        }
    }

    /// The unit of the quota (draft-ietf-httpapi-ratelimit-headers-10, section 3.1); nil for requests.
    var unit: String? {
        switch self {
        case .sessions: nil
        case .streams: "concurrent-requests"
        case .bytes: "content-bytes"
        }
    }
}

extension ProblemDetails {
    /// The problem for a request over a quota: 429.
    package static func overQuota(_ resource: QuotaResource, _ refusal: QuotaTable.Refusal) -> ProblemDetails {
        let detail: String
        var fields: HTTPFields = [.retryAfter: "30"]
        switch refusal {
        case .tooMany(let limit):
            let limited = resource == .bytes ? "bytes of stored sessions" : resource.rawValue
            detail = "This client has reached its limit of \(limit) \(limited). Delete some, or try again later."
            fields.append(.rateLimitPolicy, RateLimitFields.policy(resource, limit: limit))
            fields.append(.rateLimit, RateLimitFields.exhausted(resource))
        case .overShare:
            detail =
                "The server is nearly full, and this client has more than its share of \(resource.rawValue). Delete some, "
                + "or try again later."
        }
        return ProblemDetails(
            status: .tooManyRequests, kind: "over-quota", title: "Over quota", detail: detail, fields: fields)
    }
}
