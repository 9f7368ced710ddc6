import Foundation
import GitHubAPI
import Testing

struct RateLimitTests {
    private let start = Date(timeIntervalSince1970: 1_700_000_000)

    private func report(remaining: Int? = nil, reset: Int? = nil, retryAfter: String? = nil) -> RateLimitReport {
        var fields: [(String, String)] = []
        if let remaining { fields.append(("X-RateLimit-Remaining", "\(remaining)")) }
        if let reset { fields.append(("X-RateLimit-Reset", "\(1_700_000_000 + reset)")) }
        if let retryAfter { fields.append(("Retry-After", retryAfter)) }
        return RateLimitReport(fields: ResponseFields(fields))
    }

    /// Returns a limit that has received one response.
    private func limit(remaining: Int, reset: Int) -> RateLimit {
        var limit = RateLimit()
        #expect(limit.requestWanted(at: start) == .go)
        #expect(
            limit.responseReceived(report(remaining: remaining, reset: reset), isRateLimitError: false, at: start)
                == nil)
        return limit
    }

    @Test func `requests are allowed while the limit is unknown`() {
        var limit = RateLimit()
        for _ in 0..<50 { #expect(limit.requestWanted(at: start) == .go) }
        #expect(limit.requestsInFlight == 50)
    }

    @Test func `responses without rate limit fields do not limit requests`() {
        var limit = RateLimit()
        for _ in 0..<5 {
            #expect(limit.requestWanted(at: start) == .go)
            #expect(limit.responseReceived(report(), isRateLimitError: false, at: start) == nil)
        }
        #expect(limit.requestsInFlight == 0)
    }

    @Test func `requests are refused after the last one of a window until its reset`() {
        var limit = limit(remaining: 0, reset: 40)
        #expect(limit.requestWanted(at: start) == .refused(until: start + 40))
        #expect(limit.requestWanted(at: start + 39.9) == .refused(until: start + 40))
        #expect(limit.requestsInFlight == 0)
        #expect(limit.requestWanted(at: start + 40) == .go)
    }

    @Test func `requests in flight are subtracted from the remaining count`() {
        var limit = limit(remaining: 2, reset: 40)
        #expect(limit.requestWanted(at: start) == .go)
        #expect(limit.requestWanted(at: start) == .go)
        #expect(limit.requestWanted(at: start) == .refused(until: start + 40))
        _ = limit.responseReceived(report(remaining: 1, reset: 40), isRateLimitError: false, at: start)
        #expect(limit.requestWanted(at: start) == .refused(until: start + 40))
        _ = limit.responseReceived(report(remaining: 0, reset: 40), isRateLimitError: false, at: start)
        #expect(limit.requestWanted(at: start) == .refused(until: start + 40))
    }

    @Test func `a request that ended without a response counts as used`() {
        var limit = limit(remaining: 1, reset: 40)
        #expect(limit.requestWanted(at: start) == .go)
        limit.requestFailed()
        #expect(limit.requestWanted(at: start) == .refused(until: start + 40))
        #expect(limit.requestWanted(at: start + 40) == .go)
    }

    @Test func `the lowest remaining count applies when responses arrive out of order`() {
        var limit = limit(remaining: 5, reset: 40)
        for _ in 0..<2 { #expect(limit.requestWanted(at: start) == .go) }
        _ = limit.responseReceived(report(remaining: 0, reset: 40), isRateLimitError: false, at: start)
        _ = limit.responseReceived(report(remaining: 1, reset: 40), isRateLimitError: false, at: start)
        #expect(limit.requestWanted(at: start) == .refused(until: start + 40))
    }

    @Test func `a later window replaces an earlier one, but not the reverse`() {
        var limit = limit(remaining: 3, reset: 40)
        for _ in 0..<2 { #expect(limit.requestWanted(at: start) == .go) }
        _ = limit.responseReceived(report(remaining: 9, reset: 100), isRateLimitError: false, at: start)
        _ = limit.responseReceived(report(remaining: 0, reset: 40), isRateLimitError: false, at: start)
        for _ in 0..<9 { #expect(limit.requestWanted(at: start) == .go) }
        #expect(limit.requestWanted(at: start) == .refused(until: start + 100))
    }

    @Test func `a window that has already ended is ignored`() {
        var limit = limit(remaining: 0, reset: 0)
        #expect(limit.requestWanted(at: start) == .go)
    }

    @Test func `a refusal with a retry time is honoured to the second`() {
        var limit = RateLimit()
        #expect(limit.requestWanted(at: start) == .go)
        let until = limit.responseReceived(
            report(remaining: 7, reset: 40, retryAfter: "90"), isRateLimitError: true, at: start)
        #expect(until == start + 90)
        #expect(limit.requestWanted(at: start + 89) == .refused(until: start + 90))
        #expect(limit.requestWanted(at: start + 90) == .go)
    }

    @Test func `a refusal in a used-up window lasts until the reset of the window`() {
        var limit = RateLimit()
        #expect(limit.requestWanted(at: start) == .go)
        #expect(
            limit.responseReceived(report(remaining: 0, reset: 25), isRateLimitError: true, at: start) == start + 25)
        #expect(limit.requestWanted(at: start + 24) == .refused(until: start + 25))
        #expect(limit.requestWanted(at: start + 25) == .go)
    }

    @Test func `refusals without a retry time back off from a minute, doubling up to an hour`() {
        var limit = RateLimit()
        var now = start
        for wait in [60.0, 120, 240, 480, 960, 1920, 3600, 3600] {
            #expect(limit.requestWanted(at: now) == .go)
            #expect(limit.responseReceived(report(), isRateLimitError: true, at: now) == now + wait)
            #expect(limit.requestWanted(at: now + wait - 1) == .refused(until: now + wait))
            now += wait
        }
        #expect(limit.requestWanted(at: now) == .go)
        #expect(limit.responseReceived(report(), isRateLimitError: false, at: now) == nil)
        #expect(limit.requestWanted(at: now) == .go)
        #expect(limit.responseReceived(report(), isRateLimitError: true, at: now) == now + 60)
    }

    @Test func `a refusal with a past reset still delays the next request`() {
        var limit = RateLimit()
        #expect(limit.requestWanted(at: start) == .go)
        #expect(
            limit.responseReceived(report(remaining: 0, reset: -5), isRateLimitError: true, at: start) == start + 60)
    }

    @Test func `a second refusal never shortens the wait of the first`() {
        var limit = RateLimit()
        for _ in 0..<2 { #expect(limit.requestWanted(at: start) == .go) }
        _ = limit.responseReceived(report(retryAfter: "100"), isRateLimitError: true, at: start)
        #expect(limit.responseReceived(report(retryAfter: "5"), isRateLimitError: true, at: start) == start + 100)
    }

    @Test(arguments: ["", "-1", "soon", "1.5", "99999999999999999999", "Wed, 21 Oct 2015 07:28:00 GMT"])
    func `a field with an invalid number is ignored`(text: String) {
        let fields: ResponseFields = [
            "x-ratelimit-remaining": text, "x-ratelimit-reset": text, "retry-after": text,
        ]
        let report = RateLimitReport(fields: fields)
        #expect(report == RateLimitReport(fields: [:]))
        #expect(report.retryAfter == nil)
    }

    @Test func `field names are not case-sensitive`() {
        let report = RateLimitReport(fields: [
            "X-Ratelimit-Remaining": "3", "x-ratelimit-reset": "1700000040", "RETRY-AFTER": "7",
        ])
        #expect(report.remaining == 3)
        #expect(report.resetsAt == start + 40)
        #expect(report.retryAfter == 7)
    }
}
