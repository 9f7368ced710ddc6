import HTTPModel
import Testing

@testable import Access

@Suite struct RateLimitFieldsTests {
    private let inputs = RateLimit("inputs", quota: 100, window: .seconds(60))
    private let sessions = RateLimit("sessions", quota: 5, window: .seconds(1))

    private func decision(of limit: RateLimit, taking count: Int) -> RateDecision {
        var bucket = TokenBucket()
        return bucket.take(count, of: limit, at: MonotonicTime(nanoseconds: 1))
    }

    @Test func `policies and states are structured fields`() {
        #expect(fields(inputs, taking: 50) == [#""inputs";q=100;w=60"#, #""inputs";r=50;t=30"#])
        #expect(fields(inputs, taking: 1) == [#""inputs";q=100;w=60"#, #""inputs";r=99;t=1"#])
        #expect(fields(sessions, taking: 5) == [#""sessions";q=5;w=1"#, #""sessions";r=0;t=1"#])
    }

    private func fields(_ limit: RateLimit, taking count: Int) -> [String?] {
        var fields: HTTPFields = [.allow: "GET"]
        RateLimitFields.append(limit, decision(of: limit, taking: count), to: &fields)
        return [fields.value(.rateLimitPolicy), fields.value(.rateLimit)]
    }

    @Test func `a wait is in whole seconds and at least one`() {
        #expect(retryAfter(.zero) == "1")
        #expect(retryAfter(.milliseconds(600)) == "1")
        #expect(retryAfter(.milliseconds(1001)) == "2")
        #expect(retryAfter(.seconds(12)) == "12")
    }

    private func retryAfter(_ wait: Duration) -> String? {
        var fields = HTTPFields()
        let decision = RateDecision(isAllowed: false, remaining: 0, retryAfter: wait, resetNanoseconds: 0)
        RateLimitFields.appendRefusal(inputs, decision, to: &fields)
        return fields.value(.retryAfter)
    }

    @Test func `a rejected request gets 429 with all fields`() {
        var bucket = TokenBucket()
        _ = bucket.take(100, of: inputs, at: MonotonicTime(nanoseconds: 1))
        let problem = ProblemDetails.tooManyRequests(
            inputs, bucket.take(5, of: inputs, at: MonotonicTime(nanoseconds: 1)))
        #expect(problem.status == .tooManyRequests)
        #expect(problem.fields.value(.retryAfter) == "3")
        #expect(problem.fields.value("ratelimit") == #""inputs";r=0;t=60"#)
        #expect(problem.fields.value("ratelimit-policy") == #""inputs";q=100;w=60"#)
        #expect(problem.detail.contains("100 inputs in 60 s"))
        let response = inputs.refusal(bucket.take(5, of: inputs, at: MonotonicTime(nanoseconds: 1)))
        #expect(
            response.status == problem.response.status && response.fields == problem.response.fields)
        #expect(response.body.bytes == problem.response.body.bytes)
    }
}
