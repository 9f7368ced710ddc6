package import Foundation

/// Tracks GitHub's rate limit and decides whether a request may be sent.
///
/// A request is refused if the current window has no requests left, or while GitHub rejects requests. Requests in
/// flight count as used. GitHub states how long it rejects requests in most responses, but not in all.
package struct RateLimit {
    /// The decision about a request.
    package enum Decision: Equatable {
        /// The request may be sent. It counts as in flight.
        case go
        /// GitHub would reject the request before that time, so it must not be sent.
        case refused(until: Date)
    }

    private struct Window {
        var remaining: Int
        var resetsAt: Date
    }

    private var window: Window?
    private var refusedUntil: Date?
    /// The number of consecutive rate limit errors without a usable time.
    private var refusalsWithoutTime = 0
    /// The number of requests in flight.
    package private(set) var requestsInFlight = 0

    // GitHub asks clients to wait for a minute after a rate limit error without a time, and then exponentially longer.
    private static let shortestWait: TimeInterval = 60
    private static let maxWait: TimeInterval = 3600

    /// Creates a tracker without any knowledge of the limit, which lets requests through.
    package init() {}

    /// Decides whether a request may be sent. After ``Decision/go``, the caller must call exactly one of
    /// ``responseReceived(_:isRateLimitError:at:)`` and ``requestFailed()``.
    package mutating func requestWanted(at now: Date) -> Decision {
        forgetThePast(at: now)
        if let refusedUntil { return .refused(until: refusedUntil) }
        if let window, window.remaining <= requestsInFlight { return .refused(until: window.resetsAt) }
        requestsInFlight += 1
        return .go
    }

    /// Records a response.
    ///
    /// - Parameters:
    ///   - report: The rate limit that the response states.
    ///   - isRateLimitError: Whether the response is a rate limit error.
    ///   - now: The current time.
    /// - Returns: The time until which no request is sent, if the response is a rate limit error.
    package mutating func responseReceived(_ report: RateLimitReport, isRateLimitError: Bool, at now: Date) -> Date? {
        requestsInFlight -= 1
        forgetThePast(at: now)
        learn(report, at: now)
        guard isRateLimitError else {
            refusalsWithoutTime = 0
            return nil
        }
        let until = max(waitingTime(report, at: now), refusedUntil ?? .distantPast)
        refusedUntil = until
        return until
    }

    /// Records a request that ended without a response. It counts as used, because GitHub may have counted it.
    package mutating func requestFailed() {
        requestsInFlight -= 1
        window?.remaining -= 1
    }

    private mutating func forgetThePast(at now: Date) {
        if let refusedUntil, refusedUntil <= now { self.refusedUntil = nil }
        if let window, window.resetsAt <= now { self.window = nil }
    }

    // Responses arrive in any order: within a window, the lowest count is the newest, and an older window is outdated.
    private mutating func learn(_ report: RateLimitReport, at now: Date) {
        guard let remaining = report.remaining, let resetsAt = report.resetsAt, resetsAt > now else { return }
        guard let known = window, known.resetsAt >= resetsAt else {
            window = Window(remaining: remaining, resetsAt: resetsAt)
            return
        }
        if known.resetsAt == resetsAt { window?.remaining = min(known.remaining, remaining) }
    }

    private mutating func waitingTime(_ report: RateLimitReport, at now: Date) -> Date {
        if let retryAfter = report.retryAfter, retryAfter > 0 {
            refusalsWithoutTime = 0
            return now + retryAfter
        }
        if report.remaining == 0, let resetsAt = report.resetsAt, resetsAt > now {
            refusalsWithoutTime = 0
            return resetsAt
        }
        let wait = Self.shortestWait * Double(1 << min(refusalsWithoutTime, 6))
        refusalsWithoutTime += 1
        return now + min(wait, Self.maxWait)
    }
}
