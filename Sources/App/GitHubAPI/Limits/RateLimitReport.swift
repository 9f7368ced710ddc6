package import Foundation

/// The rate limit that a response states, in the fields that GitHub documents for its REST API.
package struct RateLimitReport: Equatable {
    /// `x-ratelimit-remaining`: the number of requests that are left in the window.
    package var remaining: Int?
    /// `x-ratelimit-reset`: the end of the window.
    package var resetsAt: Date?
    /// `retry-after`: the time to wait, in seconds.
    package var retryAfter: TimeInterval?

    /// Reads the fields of a response. Missing fields and values that are not numbers of a plausible size are `nil`.
    package init(fields: ResponseFields) {
        remaining = fields["x-ratelimit-remaining"].flatMap(Self.number)
        resetsAt = fields["x-ratelimit-reset"].flatMap(Self.number).map { Date(timeIntervalSince1970: Double($0)) }
        retryAfter = fields["retry-after"].flatMap(Self.number).map(Double.init)
    }

    // The bound keeps sums with a time from losing precision or overflowing.
    private static func number(_ text: String) -> Int? {
        guard let number = Int(text), (0...0xFFFF_FFFF_FFFF).contains(number) else { return nil }
        return number
    }
}
