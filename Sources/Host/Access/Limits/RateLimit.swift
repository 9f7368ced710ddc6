package import HTTPModel

/// A rate: a number of requests in a time, which is also the size of a burst.
package struct RateLimit: Hashable, Sendable {
    // On the heap, so that a copy of the rate costs one reference: several are made for each request.
    private final class Storage: Sendable {
        let quota: Int
        let window: Duration
        let tokenCost: Int64
        let windowNanoseconds: UInt64
        let texts: Texts

        init(_ name: String, quota: Int, window: Duration) {
            self.quota = max(1, quota)
            self.window = .seconds(max(1, window.components.seconds))
            tokenCost = max(1, TokenBucket.capacity / Int64(self.quota))
            windowNanoseconds = UInt64(self.window.wholeNanoseconds)
            texts = Texts(name, quota: self.quota, window: self.window)
        }
    }

    /// The texts that responses and audit events contain, written once.
    final class Texts: Sendable {
        let name: String
        /// The field `RateLimit-Policy`, and the beginning of the value of `RateLimit`. The name is a string of a structured field
        /// (RFC 9651 §3.3.3). Letters, digits and hyphens need no escape.
        let policy: HTTPFields
        let start: [UInt8]
        /// The room that both fields need: their names have 16 and 9 bytes, and the rest of `RateLimit` at most two numbers of 20 digits.
        let byteCount: Int
        /// The content of the response to a request over the rate. A flood must not cost the server more than it costs its client.
        let problem: [UInt8]

        init(_ name: String, quota: Int, window: Duration) {
            let quotedName = "\"\(name)\""
            self.name = name
            start = Array("\(quotedName);r=".utf8)
            let policy = "\(quotedName);q=\(quota);w=\(window.components.seconds)"
            self.policy = [.rateLimitPolicy: HTTPFieldValue(policy) ?? ""]
            byteCount = policy.utf8.count + start.count + 68
            problem = ProblemDetails.tooManyRequests(name, quota, window).json
        }
    }

    private let storage: Storage

    /// Creates a rate. A quota or window of less than 1 becomes 1.
    package init(_ name: String, quota: Int, window: Duration) {
        storage = Storage(name, quota: quota, window: window)
    }

    package var quota: Int { storage.quota }
    /// The time, in whole seconds.
    package var window: Duration { storage.window }
    /// The part of the quota that a request takes. Rounded down, so that the whole quota can be taken.
    var tokenCost: Int64 { storage.tokenCost }
    var windowNanoseconds: UInt64 { storage.windowNanoseconds }
    var texts: Texts { storage.texts }

    /// The name, which clients see: `inputs`. Letters, digits and hyphens.
    package var name: String { texts.name }

    /// Returns whether both have the same name, quota and window.
    package static func == (left: RateLimit, right: RateLimit) -> Bool {
        left.quota == right.quota && left.window == right.window && left.name == right.name
    }

    /// Hashes the name, the quota and the window.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(quota)
        hasher.combine(window)
    }
}

extension ProblemDetails {
    /// The problem for a request over a rate, without the fields that describe the rate.
    fileprivate static func tooManyRequests(_ name: String, _ quota: Int, _ window: Duration) -> ProblemDetails {
        ProblemDetails(
            status: .tooManyRequests, kind: "too-many-requests", title: "Too many requests",
            detail: "Expected at most \(quota) \(name) in \(window.components.seconds) s, got more. "
                + "Wait for the time in Retry-After.")
    }

    /// The problem for a request over a rate.
    package static func tooManyRequests(_ limit: RateLimit, _ decision: RateDecision) -> ProblemDetails {
        var problem = tooManyRequests(limit.name, limit.quota, limit.window)
        RateLimitFields.appendRefusal(limit, decision, to: &problem.fields)
        return problem
    }
}

extension RateLimit {
    private static let problemFields = ProblemDetails(status: .tooManyRequests, kind: "", title: "", detail: "")
        .response.fields

    /// Returns the response to a request over the rate: the same as that of its problem, whose text was written before.
    package func refusal(_ decision: RateDecision) -> HTTPResponse {
        var response = HTTPResponse(
            status: .tooManyRequests, fields: RateLimit.problemFields, body: .bytes(texts.problem))
        RateLimitFields.appendRefusal(self, decision, to: &response.fields)
        return response
    }
}

/// The result of a request to a bucket.
package struct RateDecision: Equatable, Sendable {
    package let isAllowed: Bool
    /// The number of further requests that are permitted now.
    package let remaining: Int
    /// The time after which a rejected request is permitted; zero if it was permitted.
    package let retryAfter: Duration
    /// The time after which the whole quota is available again, in nanoseconds. Not a `Duration`, whose division by a second
    /// takes as long as the rest of a decision.
    let resetNanoseconds: Int64
    /// Whether the client does not wait for the stated time, so that its answers are delayed.
    package internal(set) var isInsistent = false

    /// ``resetNanoseconds`` in seconds, rounded up.
    var resetSeconds: Int64 { resetNanoseconds / 1_000_000_000 + (resetNanoseconds % 1_000_000_000 > 0 ? 1 : 0) }
}
