import Foundation

/// Tracks GitHub's rate limit and decides whether a request may be sent.
///
/// A request is refused if the current window has no requests left, or while GitHub rejects requests. Requests in flight count as used.
struct RateLimit {
    private var window: (remaining: Int, resetsAt: Date)?
    private var refusedUntil: Date?
    /// The number of consecutive rate limit errors without a usable time.
    private var refusalsWithoutTime = 0
    private var requestsInFlight = 0

    /// Returns the time before which GitHub would reject a request, or `nil` if the request may be sent. Then it counts as in flight,
    /// and the caller must call exactly one of ``responseReceived(isRateLimitError:at:field:)`` and ``requestFailed()``.
    mutating func requestWanted(at now: Date) -> Date? {
        forgetThePast(at: now)
        if let refusedUntil { return refusedUntil }
        if let window, window.remaining <= requestsInFlight { return window.resetsAt }
        requestsInFlight += 1
        return nil
    }

    /// Records a response. `field` returns the value of a field whose name is in lower case.
    ///
    /// - Returns: The time until which no request is sent, if the response is a rate limit error.
    mutating func responseReceived(isRateLimitError: Bool, at now: Date, field: (String) -> String?) -> Date? {
        func number(_ name: String) -> Double? {
            // The bound keeps sums with a time from losing precision or overflowing.
            field(name).flatMap { Int($0) }.flatMap { (0...0xFFFF_FFFF_FFFF).contains($0) ? Double($0) : nil }
        }
        requestsInFlight -= 1
        forgetThePast(at: now)
        let remaining = number("x-ratelimit-remaining").map { Int($0) }
        let resetsAt = number("x-ratelimit-reset").map { Date(timeIntervalSince1970: $0) }
        if let remaining, let resetsAt, resetsAt > now {
            // Responses arrive in any order: within a window, the lowest count is the newest, and an older window is outdated.
            let known = window ?? (remaining, resetsAt)
            if known.resetsAt < resetsAt { window = (remaining, resetsAt) }
            if known.resetsAt == resetsAt { window = (min(known.remaining, remaining), resetsAt) }
        }
        guard isRateLimitError else {
            refusalsWithoutTime = 0
            return nil
        }
        let stated = [number("retry-after").map { now + $0 }, remaining == 0 ? resetsAt : nil]
        let end = stated.compactMap(\.self).first { $0 > now }
        // GitHub asks clients to wait for a minute after a rate limit error without a time, and then exponentially longer.
        let wait = min(60 * Double(1 << min(refusalsWithoutTime, 6)), 3600)
        refusalsWithoutTime = end == nil ? refusalsWithoutTime + 1 : 0
        refusedUntil = max(end ?? now + wait, refusedUntil ?? .distantPast)
        return refusedUntil
    }

    /// Records a request that ended without a response. It counts as used, because GitHub may have counted it.
    mutating func requestFailed() {
        requestsInFlight -= 1
        window?.remaining -= 1
    }

    private mutating func forgetThePast(at now: Date) {
        if let refusedUntil, refusedUntil <= now { self.refusedUntil = nil }
        if let window, window.resetsAt <= now { self.window = nil }
    }
}
