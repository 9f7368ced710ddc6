package import HTTPModel

/// The fields that describe rates to clients (draft-ietf-httpapi-ratelimit-headers-10).
package enum RateLimitFields {
    /// Returns the value of `RateLimit-Policy`: `"inputs";q=100;w=60`.
    package static func policy(_ limits: [RateLimit]) -> HTTPFieldValue {
        value(limits.map { "\(quoted($0.name));q=\($0.quota);w=\($0.window.components.seconds)" })
    }

    /// Returns the value of `RateLimit`: `"inputs";r=50;t=30`. The time is the one until the whole quota is available.
    package static func state(_ decisions: [(limit: RateLimit, decision: RateDecision)]) -> HTTPFieldValue {
        value(
            decisions.map { limit, decision in
                "\(quoted(limit.name));r=\(decision.remaining);t=\(wholeSeconds(decision.reset))"
            })
    }

    /// Returns the value of `RateLimit-Policy` for a quota, which has no window: `"stream-count";q=5;qu="concurrent-requests"`.
    static func policy(_ resource: QuotaResource, limit: Int) -> HTTPFieldValue {
        let unit = resource.unit.map { ";qu=\(quoted($0))" } ?? ""
        return value(["\(quoted(resource.policyName));q=\(limit)\(unit)"])
    }

    /// Returns the value of `RateLimit` for a quota that is used up: `"stream-count";r=0`. Nobody knows until when.
    static func exhausted(_ resource: QuotaResource) -> HTTPFieldValue {
        value(["\(quoted(resource.policyName));r=0"])
    }

    /// Returns a duration in seconds, rounded up, as `Retry-After` contains it. At least 1, so that clients wait.
    package static func retryAfter(_ duration: Duration) -> HTTPFieldValue {
        HTTPFieldValue(max(1, wholeSeconds(duration)))
    }

    private static func wholeSeconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds + (attoseconds > 0 ? 1 : 0)
    }

    // Names are letters, digits and hyphens, which need no escape in a string (RFC 9651 §3.3.3).
    private static func quoted(_ name: String) -> String { "\"\(name)\"" }

    private static func value(_ items: [String]) -> HTTPFieldValue {
        HTTPFieldValue(items.joined(separator: ", ")) ?? ""
    }
}

extension ProblemDetails {
    /// The problem for a request over a rate.
    package static func tooManyRequests(_ limit: RateLimit, _ decision: RateDecision) -> ProblemDetails {
        ProblemDetails(
            status: .tooManyRequests, kind: "too-many-requests", title: "Too many requests",
            detail: "Expected at most \(limit.quota) \(limit.name) in \(limit.window.components.seconds) s, got more. "
                + "Wait for the time in Retry-After.",
            fields: [
                .retryAfter: RateLimitFields.retryAfter(decision.retryAfter),
                .rateLimitPolicy: RateLimitFields.policy([limit]),
                .rateLimit: RateLimitFields.state([(limit, decision)]),
            ])
    }
}
