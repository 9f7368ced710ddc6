import Testing

@testable import GranaryClient

struct RetriedRequestTests {
    private let lost = TransportFailure("the connection was lost")
    private let refused = TransportFailure("refused", isUnsent: true)

    private func request(
        _ repetition: RetriedRequest.Repetition = .withKey(retention: .seconds(100)), attempts: Int = 5
    ) -> RetriedRequest {
        let policy = RetryPolicy(firstDelay: .seconds(1), longestDelay: .seconds(8), maxAttempts: attempts)
        var request = RetriedRequest(policy: policy, repetition: repetition)
        #expect(request.begin(at: .zero) == .send)
        return request
    }

    private func response(
        _ status: Int, _ body: String = "{}", _ fields: [String: String] = [:]
    ) -> ClientResponse {
        ClientResponse(status: status, fields: fields, body: Array(body.utf8))
    }

    private func problem(_ kind: String, detail: String = "") -> String {
        #"{"type":"/problems/\#(kind)","detail":"\#(detail)"}"#
    }

    private func isUnknown(_ action: RetriedRequest.Action) -> Bool {
        if case .fail(.outcomeUnknown) = action { true } else { false }
    }

    @Test func `a complete response ends the request`() {
        var request = request()
        let response = response(200, #"{"version":1}"#)
        #expect(request.received(response, at: .zero, jitter: 1) == .succeed(response))
        #expect(request.received(response, at: .zero, jitter: 1) == .ignore)
        #expect(request.lost(lost, at: .zero, jitter: 1) == .ignore)
        #expect(request.waited(at: .zero) == .ignore)
    }

    @Test(arguments: ["", "{", #"{"version":1"#, "[]", "{}HTTP/1.1 200 OK", "<html>"])
    func `a response that is not a complete object was lost, and is requested again`(body: String) {
        var request = request()
        #expect(request.received(response(200, body), at: .zero, jitter: 1) == .wait(.seconds(1)))
        #expect(request.mayHaveRun)
        #expect(request.waited(at: .seconds(1)) == .send)
    }

    @Test func `the pauses double up to the longest, and the attempts are limited`() {
        var request = request(attempts: 6)
        var waits: [Duration] = []
        for _ in 1...5 {
            guard case .wait(let delay) = request.lost(refused, at: .zero, jitter: 1) else { break }
            waits.append(delay)
            #expect(request.waited(at: .zero) == .send)
        }
        #expect(waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(8)])
        guard case .fail(.unreachable(let reason)) = request.lost(refused, at: .zero, jitter: 1) else {
            Issue.record("expected an end after six attempts")
            return
        }
        #expect(reason == "6 attempts failed, the last one because refused")
    }

    @Test func `a request that may have run and is given up has an unknown outcome`() {
        var request = request(attempts: 2)
        #expect(request.lost(lost, at: .zero, jitter: 0) == .wait(.milliseconds(500)))
        #expect(request.waited(at: .seconds(1)) == .send)
        #expect(isUnknown(request.lost(refused, at: .seconds(1), jitter: 0)))
    }

    @Test func `a key is not used when the server may have forgotten it`() {
        var request = request(.withKey(retention: .seconds(100)), attempts: 100)
        #expect(request.lost(lost, at: .seconds(98), jitter: 1) == .wait(.seconds(1)))
        // The system slept in the meantime.
        #expect(isUnknown(request.waited(at: .seconds(100))))
    }

    @Test func `a pause that would outlast the key is not begun`() {
        var request = request(.withKey(retention: .seconds(100)))
        let patience = response(503, problem("unavailable"), ["retry-after": "200"])
        #expect(request.lost(lost, at: .zero, jitter: 1) == .wait(.seconds(1)))
        #expect(request.waited(at: .seconds(1)) == .send)
        #expect(isUnknown(request.received(patience, at: .seconds(1), jitter: 1)))
    }

    @Test func `the retention of a key begins with the first attempt that may have arrived`() {
        var request = request(.withKey(retention: .seconds(10)), attempts: 100)
        #expect(request.lost(refused, at: .zero, jitter: 1) == .wait(.seconds(1)))
        #expect(request.waited(at: .seconds(60)) == .send)
        #expect(request.lost(lost, at: .seconds(61), jitter: 1) == .wait(.seconds(2)))
        #expect(request.waited(at: .seconds(69)) == .send)
        #expect(isUnknown(request.lost(lost, at: .seconds(69), jitter: 1)))
    }

    @Test func `a request that is safe by itself is repeated without a limit of time`() {
        var request = request(.always)
        #expect(request.lost(lost, at: .seconds(100_000), jitter: 1) == .wait(.seconds(1)))
        #expect(request.waited(at: .seconds(200_000)) == .send)
    }

    @Test func `a rejected credential is renewed, but not for ever`() {
        var request = request()
        let rejection = response(401, problem("invalid-credentials", detail: "The token has expired."))
        for _ in 1...RetriedRequest.maxRejections {
            #expect(request.received(rejection, at: .zero, jitter: 1) == .renewCredential)
            #expect(request.credentialRenewed(true, at: .zero, jitter: 1) == .send)
        }
        #expect(request.received(rejection, at: .zero, jitter: 1) == .fail(.unauthorized("The token has expired.")))
    }

    @Test func `a credential that cannot be renewed at the moment is a failed attempt`() {
        var request = request(attempts: 2)
        #expect(request.received(response(401), at: .zero, jitter: 1) == .renewCredential)
        #expect(request.credentialRenewed(false, at: .zero, jitter: 1) == .wait(.seconds(1)))
        #expect(request.waited(at: .seconds(1)) == .send)
        #expect(request.received(response(401), at: .zero, jitter: 1) == .renewCredential)
        guard case .fail(.unreachable) = request.credentialRenewed(false, at: .zero, jitter: 1) else {
            Issue.record("expected an end after two attempts")
            return
        }
    }

    @Test(arguments: [408, 421, 425, 429, 503])
    func `a temporary refusal is repeated after the pause that the server asks for`(status: Int) {
        var request = request()
        let refusal = response(status, problem("some-kind"), ["retry-after": "7"])
        #expect(request.received(refusal, at: .zero, jitter: 1) == .wait(.seconds(7)))
        #expect(!request.mayHaveRun)
        #expect(request.waited(at: .seconds(7)) == .send)
        #expect(request.mayHaveRun)
    }

    @Test func `a server cannot ask for more patience than the policy has`() {
        var request = request()
        let refusal = response(503, problem("unavailable"), ["retry-after": "4294967295"])
        #expect(request.received(refusal, at: .zero, jitter: 1) == .wait(.seconds(300)))
        var other = self.request()
        let date = response(503, problem("unavailable"), ["retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"])
        #expect(other.received(date, at: .zero, jitter: 1) == .wait(.seconds(1)))
    }

    @Test(arguments: [500, 502, 503, 504, 429, 404, 410])
    func `a proxy's error says nothing about whether the request ran`(status: Int) {
        var request = request()
        #expect(request.received(response(status, "<html>"), at: .zero, jitter: 1) == .wait(.seconds(1)))
        #expect(request.mayHaveRun)
        var last = self.request(attempts: 1)
        #expect(isUnknown(last.received(response(status, "<html>"), at: .zero, jitter: 1)))
    }

    @Test func `a key whose first request still runs is asked for again`() {
        var request = request()
        let conflict = response(409, problem("idempotency-conflict"))
        #expect(request.received(conflict, at: .zero, jitter: 1) == .wait(.seconds(1)))
        #expect(request.mayHaveRun)
    }

    @Test(arguments: [
        (409, "input-refused"), (412, "version-mismatch"), (413, "body-too-large"), (422, "invalid-value"),
        (500, "internal-error"), (507, "session-full"),
    ])
    func `a refusal of the server is final, even after a lost response`(status: Int, kind: String) {
        var request = request()
        _ = request.lost(lost, at: .zero, jitter: 1)
        #expect(request.waited(at: .seconds(1)) == .send)
        let refusal = response(status, problem(kind, detail: "no"))
        #expect(
            request.received(refusal, at: .seconds(1), jitter: 1)
                == .fail(.refused(ServerProblem(status: status, kind: kind, detail: "no"))))
    }

    @Test(arguments: [301, 400, 403, 404, 410])
    func `a refusal that does not know the key leaves the outcome of an earlier attempt open`(status: Int) {
        let response = response(status, problem("some-kind"))
        let refused = GranaryError.refused(ServerProblem(status: status, kind: "some-kind"))
        var fresh = request()
        #expect(fresh.received(response, at: .zero, jitter: 1) == .fail(refused))
        var repeated = request()
        _ = repeated.lost(lost, at: .zero, jitter: 1)
        #expect(repeated.waited(at: .seconds(1)) == .send)
        #expect(isUnknown(repeated.received(response, at: .seconds(1), jitter: 1)))
    }

    @Test func `jitter halves a pause at most`() {
        let policy = RetryPolicy(firstDelay: .seconds(2), longestDelay: .seconds(60))
        #expect(policy.delay(afterFailure: 1, jitter: 0) == .seconds(1))
        #expect(policy.delay(afterFailure: 1, jitter: 0.5) == .milliseconds(1500))
        #expect(policy.delay(afterFailure: 1, jitter: 1) == .seconds(2))
        #expect(policy.delay(afterFailure: 1_000_000, jitter: 1) == .seconds(60))
        #expect(policy.delay(afterFailure: 0, jitter: 7) == .seconds(2))
    }
}
