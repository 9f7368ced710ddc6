import Access
import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// Streams that cannot be opened for the time being.
struct StreamRefusalTests {
    private static let stream: HTTPFields = [.accept: "text/event-stream"]
    private let peer = HTTPPeer(address: "192.0.2.1", port: 1)

    /// Returns the reconnection time in a refusal; nil if the response is not one.
    private func retry(_ answer: HarnessAnswer) -> Int? {
        let parts = answer.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard answer.status == .ok, answer.fields.value(.contentType) == "text/event-stream", answer.stream == nil,
            answer.fields.value(.cacheControl) == "no-store, no-transform", parts.count == 5,
            parts[0].hasPrefix("retry: "),
            parts[1...] == ["event: end", #"data: {"reason":"busy"}"#, "", ""]
        else { return nil }
        return Int(parts[0].dropFirst(7))
    }

    @Test func `a stream over a limit ends with busy, after which an EventSource returns`() throws {
        let harness = try HostHarness.counting { $0.maxStreamsPerSession = 1 }
        let session = harness.makeSession()
        let first = harness.follow(session)
        let refused = harness.send(.get, session + "/outputs", fields: Self.stream)
        // Not before the 5 s of `Retry-After`.
        #expect(retry(refused).map { (5000...7500).contains($0) } == true, "\(refused.text)")
        #expect(!refused.fields.contains(.retryAfter))
        #expect(harness.host.streamCount == 1)
        first.cut()
        #expect(harness.send(.get, session + "/outputs", fields: Self.stream).stream != nil)
    }

    @Test(arguments: [
        ("status", HTTPStatus.tooManyRequests), ("Status", .tooManyRequests), ("wait=5, status", .tooManyRequests),
        ("wait=5 ,\tstatus; reason", .tooManyRequests), ("status=yes", .tooManyRequests), ("respond-async", .ok),
        ("status-less", .ok), ("wait=status", .ok), ("", .ok),
    ])
    func `a client that uses fetch can request the status`(preference: String, status: HTTPStatus) throws {
        let harness = try HostHarness.counting { $0.maxStreamsPerSession = 0 }
        let session = harness.makeSession()
        var fields = Self.stream
        if let value = HTTPFieldValue(preference) { fields.append(.prefer, value) }
        let answer = harness.send(.get, session + "/outputs", fields: fields)
        #expect(answer.status == status)
        #expect(answer.text.contains("/problems/too-many-streams") == (status != .ok))
    }

    @Test func `a refusal over a rate has the fields of the rate`() throws {
        var access = try TestAccess()
        access.access.rates.streams = RateLimit("streams", quota: 1, window: .seconds(60))
        let harness = try access.harness()
        let session = harness.makeSession()
        func open(_ target: String) -> HarnessAnswer {
            harness.send(.get, target, fields: Self.stream, from: peer)
        }
        #expect(open(session + "/outputs").stream != nil)
        for target in [session + "/outputs", "/v1/outputs?session=\(session.suffix(22))"] {
            let refused = open(target)
            #expect(retry(refused).map { $0 >= 60_000 } == true, "\(refused.text)")
            #expect(refused.fields.value(.rateLimit) == "\"streams\";r=0;t=60")
            #expect(refused.fields.value(.rateLimitPolicy) == "\"streams\";q=1;w=60")
        }
        // Neither is a stream.
        #expect(harness.send(.get, session + "/outputs", from: peer).status == .ok)
        #expect(harness.send(.head, session + "/outputs", fields: Self.stream, from: peer).text.isEmpty)
    }

    @Test func `a stranger gets 404 and not a refusal`() throws {
        let access = try TestAccess()
        let harness = try access.harness { $0.maxStreamsPerSession = 0 }
        let session = harness.makeSession(as: access.ada)
        func open(_ fields: HTTPFields) -> HarnessAnswer {
            var fields = fields
            fields.append(.accept, "text/event-stream")
            return harness.send(.get, session + "/outputs", fields: fields)
        }
        #expect(open(access.bob).status == .notFound)
        #expect(retry(open(access.ada)) != nil)
    }

    @Test func `a stream that cannot wait for the journal is refused`() throws {
        let host = try StoredHost(opens: false)
        let most = PendingRequests.maxRequests / 2
        let waiting = (0..<most).map { _ in host.start(.get, "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA") }
        #expect(waiting.allSatisfy { $0.response == nil })
        let path = "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA/outputs"
        let refused = host.start(.get, path, fields: Self.stream)
        #expect(refused.response?.isRefusal == true)
        #expect(host.start(.get, path).status == 503)
        var fields = Self.stream
        fields.append(.prefer, "status")
        #expect(host.start(.get, path, fields: fields).status == 503)
    }
}

extension HTTPResponse {
    /// Whether it is a stream that only says when to return.
    var isRefusal: Bool {
        status == .ok && isEventStream
            && body.bytes.map { String(decoding: $0, as: UTF8.self).hasSuffix("{\"reason\":\"busy\"}\n\n") } == true
    }
}
