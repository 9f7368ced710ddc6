package import Foundation

/// What is known of GitHub's rate limit, and whether a request may go now.
///
/// Two things can forbid a request: the window that the answers describe has nothing left (requests under way are
/// taken off, since each will be counted), or GitHub has refused one and said, or not said, how long to wait.
package struct RateLimit {
    /// Whether a request may be sent.
    package enum Decision: Equatable {
        /// It may, and is counted as under way.
        case go
        /// It would be refused until then, so it is not sent.
        case refused(until: Date)
    }

    private struct Window {
        var remaining: Int
        var resetsAt: Date
    }

    private var window: Window?
    private var refusedUntil: Date?
    /// How many refusals in a row came without a usable time.
    private var refusalsWithoutTime = 0
    package private(set) var underWay = 0

    /// The wait after the first refusal without a time, as GitHub asks; it doubles with each further one.
    private static let shortestWait: TimeInterval = 60
    private static let longestWait: TimeInterval = 3600

    /// Nothing is known yet, so requests may go.
    package init() {}

    /// Somebody wants to send a request. After ``Decision/go`` exactly one of ``answerArrived(_:isRefusal:at:)`` and
    /// ``requestFailed()`` has to follow.
    package mutating func requestWanted(at now: Date) -> Decision {
        forgetThePast(at: now)
        if let refusedUntil { return .refused(until: refusedUntil) }
        if let window, window.remaining <= underWay { return .refused(until: window.resetsAt) }
        underWay += 1
        return .go
    }

    /// An answer came.
    ///
    /// - Parameters:
    ///   - isRefusal: Whether it refuses the request because of a rate limit.
    /// - Returns: The time before which nothing is sent any more, if this is a refusal.
    package mutating func answerArrived(_ report: RateLimitReport, isRefusal: Bool, at now: Date) -> Date? {
        underWay -= 1
        forgetThePast(at: now)
        learn(report, at: now)
        guard isRefusal else {
            refusalsWithoutTime = 0
            return nil
        }
        let until = max(waitingTime(report, at: now), refusedUntil ?? .distantPast)
        refusedUntil = until
        return until
    }

    /// A request ended without an answer. GitHub may have counted it, so it is counted here.
    package mutating func requestFailed() {
        underWay -= 1
        window?.remaining -= 1
    }

    private mutating func forgetThePast(at now: Date) {
        if let refusedUntil, refusedUntil <= now { self.refusedUntil = nil }
        if let window, window.resetsAt <= now { self.window = nil }
    }

    /// Answers come in any order: of one window the lowest count is the newest, and an older window says nothing.
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
        return now + min(wait, Self.longestWait)
    }
}
