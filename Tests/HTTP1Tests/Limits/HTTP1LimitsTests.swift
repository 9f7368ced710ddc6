import HTTP1
import Testing

@Suite struct HTTP1LimitsTests {
    /// A limit that `change` sets to 100, and a request that uses a given amount of the limited quantity.
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var error: HTTP1Error
        var change: @Sendable (inout HTTP1Limits) -> Void
        var request: @Sendable (Int) -> String

        var testDescription: String { name }
    }

    private static let chunked = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func filler(_ count: Int) -> String { String(repeating: "a", count: count) }

    static let cases = [
        Case(name: "targetBytes", error: .targetTooLong, change: { $0.targetBytes = 100 }) { count in
            "GET /\(filler(count - 1)) HTTP/1.1\r\nHost: h\r\n\r\n"
        },
        Case(name: "headBytes", error: .headTooLarge, change: { $0.headBytes = 100 }) { count in
            let rest = "GET / HTTP/1.1\r\nHost: h\r\nX: \r\n\r\n"
            return rest.replacing("X: ", with: "X: " + filler(count - rest.utf8.count))
        },
        Case(name: "fieldCount", error: .tooManyFields, change: { $0.fieldCount = 100 }) { count in
            "GET / HTTP/1.1\r\nHost: h\r\n\(String(repeating: "x: y\r\n", count: count - 1))\r\n"
        },
        Case(name: "bodyBytes", error: .bodyTooLarge, change: { $0.bodyBytes = 100 }) { count in
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(count)\r\n\r\n\(filler(count))"
        },
        Case(name: "bodyBytes", error: .bodyTooLarge, change: { $0.bodyBytes = 100 }) { count in
            chunked + "32\r\n\(filler(50))\r\n\(String(count - 50, radix: 16))\r\n\(filler(count - 50))\r\n0\r\n\r\n"
        },
        Case(name: "chunkLineBytes", error: .chunkSize, change: { $0.chunkLineBytes = 100 }) { count in
            chunked + "1;\(filler(count - 2))\r\nx\r\n0\r\n\r\n"
        },
        // Eighteen bytes of such a line do not count.
        Case(name: "chunkOverheadBytes", error: .chunkSize, change: { $0.chunkOverheadBytes = 100 }) { count in
            let lines = [count - 50, 50].map { "1;\(filler($0 + 16))\r\nx\r\n" }
            return chunked + lines.joined() + "0\r\n\r\n"
        },
        Case(name: "trailerBytes", error: .trailersTooLarge, change: { $0.trailerBytes = 100 }) { count in
            chunked + "0\r\nT: \(filler(count - 5))\r\n\r\n"
        },
        Case(name: "fieldCount", error: .tooManyFields, change: { $0.fieldCount = 100 }) { count in
            chunked + "0\r\n\(String(repeating: "x: y\r\n", count: count))\r\n"
        },
    ]

    @Test(arguments: cases)
    func `a request that reaches a limit is accepted, one that exceeds it is rejected`(_ sample: Case) {
        var limits = HTTP1Limits()
        sample.change(&limits)
        let within = Outcome.parsing(sample.request(100), limits: limits)
        #expect(within.error == nil)
        #expect(within.requests.count == 1)
        let beyond = Outcome.parsing(sample.request(101), limits: limits)
        #expect(beyond.error == sample.error)
        #expect(beyond.requests.isEmpty)
    }

    @Test func `a body of one-byte chunks, or with some chunk extensions, is within the limits`() {
        let bytes = String(repeating: "1\r\nx\r\n", count: 100_000) + "0\r\n\r\n"
        #expect(Outcome.parsing(HTTP1LimitsTests.chunked + bytes).bodies.first?.utf8.count == 100_000)
        let signed = String(
            repeating: "400;signature=\(HTTP1LimitsTests.filler(60))\r\n\(HTTP1LimitsTests.filler(1024))\r\n",
            count: 1000)
        #expect(Outcome.parsing(HTTP1LimitsTests.chunked + signed + "0\r\n\r\n").requests.count == 1)
        let flood = String(repeating: "1;\(HTTP1LimitsTests.filler(250))\r\nx\r\n", count: 100)
        #expect(Outcome.parsing(HTTP1LimitsTests.chunked + flood + "0\r\n\r\n").error == .chunkSize)
    }

    @Test func `every limit has a case`() {
        let names = Mirror(reflecting: HTTP1Limits()).children.compactMap(\.label)
        #expect(Set(names) == Set(HTTP1LimitsTests.cases.map(\.name)))
    }
}
