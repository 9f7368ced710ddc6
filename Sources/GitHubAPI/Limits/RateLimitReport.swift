package import Foundation

/// What one answer says about the rate limit, in the fields that GitHub documents for its REST API.
package struct RateLimitReport: Equatable {
    /// `x-ratelimit-limit`: how many requests a window takes.
    package var limit: Int?
    /// `x-ratelimit-remaining`: how many are left in the window.
    package var remaining: Int?
    /// `x-ratelimit-reset`: when the window ends.
    package var resetsAt: Date?
    /// `retry-after`: how long to wait, in seconds.
    package var retryAfter: TimeInterval?

    /// Reads the fields of an answer; what is missing or no number of a sensible size is left out.
    package init(fields: AnswerFields) {
        limit = fields["x-ratelimit-limit"].flatMap(Self.number)
        remaining = fields["x-ratelimit-remaining"].flatMap(Self.number)
        resetsAt = fields["x-ratelimit-reset"].flatMap(Self.number).map { Date(timeIntervalSince1970: Double($0)) }
        retryAfter = fields["retry-after"].flatMap(Self.number).map(Double.init)
    }

    /// Whole, not negative, and small enough to be added to a time.
    private static func number(_ text: String) -> Int? {
        guard let number = Int(text), (0...0xFFFF_FFFF_FFFF).contains(number) else { return nil }
        return number
    }
}
