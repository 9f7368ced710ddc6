import HTTP2
import HTTPModel
import HTTPServerTesting
import Testing

/// What is known of the origin of a request that is refused.
struct RefusedFieldsTests {
    private func origins(of client: RawClient) -> [[String]] {
        client.events.compactMap { event in
            if case .refusal(_, _, let fields) = event { fields.values(.origin) } else { nil }
        }
    }

    private let origin = ("origin", "https://app.example")

    @Test func `the origin is known before and after the fault`() {
        var limits = HTTP2Limits()
        (limits.targetBytes, limits.bodyBytes, limits.fieldCount) = (100, 10, 8)
        let client = RawClient(limits)
        let long = RawClient.get.map { $0.0 == ":path" ? ($0.0, "/" + String(repeating: "a", count: 100)) : $0 }
        client.send(.headers(1, long + [origin]))
        client.send(.headers(3, RawClient.get + [("expect", "magic"), origin]))
        client.send(.headers(5, RawClient.get + (0..<8).map { ("x-\($0)", "") } + [origin]))
        client.send(.headers(7, RawClient.post + [origin, ("content-length", "11")], endsStream: false))
        client.send(.headers(9, RawClient.post + [origin], endsStream: false))
        client.send(.data(9, Array(repeating: 1, count: 11), endsStream: false))
        client.send(.headers(11, RawClient.post + [origin], endsStream: false))
        client.pass(.seconds(11))
        #expect(
            client.refusals == [
                .targetTooLong, .expectation, .headTooLarge, .bodyTooLarge, .bodyTooLarge, .bodyTimeout,
            ])
        #expect(origins(of: client) == Array(repeating: ["https://app.example"], count: 6))
    }

    @Test func `a repeated origin is kept twice, and not in trailers`() {
        let client = RawClient()
        let fields = RawClient.get + [("expect", "magic")] + Array(repeating: origin, count: 5)
        client.send(.headers(1, fields))
        #expect(origins(of: client) == [["https://app.example", "https://app.example"]])
    }
}
