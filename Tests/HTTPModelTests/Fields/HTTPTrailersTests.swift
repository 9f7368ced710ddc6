import HTTPModel
import Testing

@Suite struct HTTPTrailersTests {
    @Test(arguments: [
        "content-length", "transfer-encoding", "trailer", "te", "connection", "host", "authorization", "cookie",
        "set-cookie", "content-type", "content-encoding", "content-range", "if-match", "if-none-match", "range",
        "cache-control", "expect", "accept-encoding", "x-forwarded-for", "forwarded", "vary", "date",
    ])
    func `a field that affects framing, routing or processing is not allowed in trailers`(_ name: String) {
        #expect(!HTTPTrailers.allow(name))
    }

    @Test(arguments: ["x-checksum", "content-digest", "repr-digest", "server-timing", "etag", "grpc-status"])
    func `a field that is known only after the content is allowed in trailers`(_ name: String) {
        #expect(HTTPTrailers.allow(name))
    }

    @Test func `disallowed fields are removed from trailers, whatever their case`() {
        var fields = HTTPFields()
        for name in ["Host", "X-A", "CONTENT-LENGTH", "x-b"] {
            Array(name.utf8).withUnsafeBytes { name in
                Array("1".utf8).withUnsafeBytes { fields.append(checkedTrailerName: name, checkedValue: $0) }
            }
        }
        #expect(fields == ["x-a": "1", "x-b": "1"])
    }
}
