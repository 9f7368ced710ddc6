import Foundation
import Testing

@testable import GitHubAPI

struct RateLimitTests {
    private let start = Date(timeIntervalSince1970: 1_700_000_000)

    /// Returns a limit that has received one response.
    private func limit(remaining: Int, reset: Int) -> RateLimit {
        var limit = RateLimit()
        #expect(limit.requestWanted(at: start) == nil)
        #expect(limit.receive(remaining: remaining, reset: reset, at: start) == nil)
        return limit
    }

    @Test func `requests are allowed while the limit is unknown`() {
        var limit = RateLimit()
        for _ in 0..<50 { #expect(limit.requestWanted(at: start) == nil) }
    }

    @Test func `responses without rate limit fields do not limit requests`() {
        var limit = RateLimit()
        for _ in 0..<5 {
            #expect(limit.requestWanted(at: start) == nil)
            #expect(limit.receive(at: start) == nil)
        }
    }

    @Test func `requests are refused after the last one of a window until its reset`() {
        var limit = limit(remaining: 0, reset: 40)
        #expect(limit.requestWanted(at: start) == start + 40)
        #expect(limit.requestWanted(at: start + 39.9) == start + 40)
        #expect(limit.requestWanted(at: start + 40) == nil)
    }

    @Test func `requests in flight are subtracted from the remaining count`() {
        var limit = limit(remaining: 2, reset: 40)
        #expect(limit.requestWanted(at: start) == nil)
        #expect(limit.requestWanted(at: start) == nil)
        #expect(limit.requestWanted(at: start) == start + 40)
        _ = limit.receive(remaining: 1, reset: 40, at: start)
        #expect(limit.requestWanted(at: start) == start + 40)
        _ = limit.receive(remaining: 0, reset: 40, at: start)
        #expect(limit.requestWanted(at: start) == start + 40)
    }

    @Test func `a request that ended without a response counts as used`() {
        var limit = limit(remaining: 1, reset: 40)
        #expect(limit.requestWanted(at: start) == nil)
        limit.requestFailed()
        #expect(limit.requestWanted(at: start) == start + 40)
        #expect(limit.requestWanted(at: start + 40) == nil)
    }

    @Test func `the lowest remaining count applies when responses arrive out of order`() {
        var limit = limit(remaining: 5, reset: 40)
        for _ in 0..<2 { #expect(limit.requestWanted(at: start) == nil) }
        _ = limit.receive(remaining: 0, reset: 40, at: start)
        _ = limit.receive(remaining: 1, reset: 40, at: start)
        #expect(limit.requestWanted(at: start) == start + 40)
    }

    @Test func `a later window replaces an earlier one, but not the reverse`() {
        var limit = limit(remaining: 3, reset: 40)
        for _ in 0..<2 { #expect(limit.requestWanted(at: start) == nil) }
        _ = limit.receive(remaining: 9, reset: 100, at: start)
        _ = limit.receive(remaining: 0, reset: 40, at: start)
        for _ in 0..<9 { #expect(limit.requestWanted(at: start) == nil) }
        #expect(limit.requestWanted(at: start) == start + 100)
    }

    @Test func `a window that has already ended is ignored`() {
        var limit = limit(remaining: 0, reset: 0)
        #expect(limit.requestWanted(at: start) == nil)
    }

    @Test func `a refusal with a retry time is honoured to the second`() {
        var limit = RateLimit()
        #expect(limit.requestWanted(at: start) == nil)
        let until = limit.receive(remaining: 7, reset: 40, retryAfter: "90", isError: true, at: start)
        #expect(until == start + 90)
        #expect(limit.requestWanted(at: start + 89) == start + 90)
        #expect(limit.requestWanted(at: start + 90) == nil)
    }

    @Test func `a refusal in a used-up window lasts until the reset of the window`() {
        var limit = RateLimit()
        #expect(limit.requestWanted(at: start) == nil)
        #expect(
            limit.receive(remaining: 0, reset: 25, isError: true, at: start) == start + 25)
        #expect(limit.requestWanted(at: start + 24) == start + 25)
        #expect(limit.requestWanted(at: start + 25) == nil)
    }

    @Test func `refusals without a retry time back off from a minute, doubling up to an hour`() {
        var limit = RateLimit()
        var now = start
        for wait in [60.0, 120, 240, 480, 960, 1920, 3600, 3600] {
            #expect(limit.requestWanted(at: now) == nil)
            #expect(limit.receive(isError: true, at: now) == now + wait)
            #expect(limit.requestWanted(at: now + wait - 1) == now + wait)
            now += wait
        }
        #expect(limit.requestWanted(at: now) == nil)
        #expect(limit.receive(at: now) == nil)
        #expect(limit.requestWanted(at: now) == nil)
        #expect(limit.receive(isError: true, at: now) == now + 60)
    }

    @Test func `a refusal with a past reset still delays the next request`() {
        var limit = RateLimit()
        #expect(limit.requestWanted(at: start) == nil)
        #expect(
            limit.receive(remaining: 0, reset: -5, isError: true, at: start) == start + 60)
    }

    @Test func `a second refusal never shortens the wait of the first`() {
        var limit = RateLimit()
        for _ in 0..<2 { #expect(limit.requestWanted(at: start) == nil) }
        _ = limit.receive(retryAfter: "100", isError: true, at: start)
        #expect(limit.receive(retryAfter: "5", isError: true, at: start) == start + 100)
    }

    @Test(arguments: ["", "-1", "soon", "1.5", "99999999999999999999", "Wed, 21 Oct 2015 07:28:00 GMT"])
    func `a field with an invalid number is ignored`(text: String) {
        var limit = RateLimit()
        #expect(limit.requestWanted(at: start) == nil)
        #expect(limit.responseReceived(isRateLimitError: false, at: start) { _ in text } == nil)
        #expect(limit.requestWanted(at: start) == nil)
        #expect(limit.responseReceived(isRateLimitError: true, at: start) { _ in text } == start + 60)
    }
}

extension RateLimit {
    fileprivate mutating func receive(
        remaining: Int? = nil, reset: Int? = nil, retryAfter: String? = nil, isError: Bool = false, at now: Date
    ) -> Date? {
        let fields = [
            "x-ratelimit-remaining": remaining.map { "\($0)" }, "retry-after": retryAfter,
            "x-ratelimit-reset": reset.map { "\(1_700_000_000 + $0)" },
        ]
        return responseReceived(isRateLimitError: isError, at: now) { fields[$0] ?? nil }
    }
}
