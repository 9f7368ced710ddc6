package import HTTPModel
import JSONText

/// The fields that describe rates to clients (draft-ietf-httpapi-ratelimit-headers-10).
package enum RateLimitFields {
    /// Appends `RateLimit-Policy` (`"inputs";q=100;w=60`) and `RateLimit` (`"inputs";r=50;t=30`) to the fields of a response.
    /// The time is the one until the whole quota is available.
    // Written without strings, because most responses of a server with rates have these fields.
    package static func append(_ limit: RateLimit, _ decision: RateDecision, to fields: inout HTTPFields) {
        let texts = limit.texts
        fields.reserve(bytes: texts.byteCount, fields: 2)
        fields.append(texts.policy)
        fields.append(.rateLimit) { bytes in
            bytes.append(copyOf: texts.start)
            JSONWriter.append(UInt64(clamping: decision.remaining), to: &bytes)
            bytes.append(contentsOf: RateLimitFields.timeStart)
            JSONWriter.append(UInt64(clamping: decision.resetSeconds), to: &bytes)
        }
    }

    private static let timeStart = Array(";t=".utf8)

    /// Appends `Retry-After`, in whole seconds of which clients wait at least one, and the fields of a rate that was exceeded.
    static func appendRefusal(_ limit: RateLimit, _ decision: RateDecision, to fields: inout HTTPFields) {
        fields.append(.retryAfter) {
            JSONWriter.append(UInt64(clamping: max(1, wholeSeconds(decision.retryAfter))), to: &$0)
        }
        append(limit, decision, to: &fields)
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
