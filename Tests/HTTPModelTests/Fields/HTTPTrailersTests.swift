import HTTPModel
import Testing

@Suite struct HTTPTrailersTests {
    @Test(arguments: [
        "content-length", "transfer-encoding", "trailer", "te", "connection", "host", "authorization", "cookie",
        "set-cookie", "content-type", "content-encoding", "content-range", "if-match", "if-none-match", "range",
        "cache-control", "expect", "accept-encoding", "x-forwarded-for", "forwarded", "vary", "date",
    ])
    func `what decides on how a message is read has no place behind it`(_ name: String) {
        #expect(!HTTPTrailers.allow(name))
    }

    @Test(arguments: ["x-checksum", "content-digest", "repr-digest", "server-timing", "etag", "grpc-status"])
    func `what is known only then may stand there`(_ name: String) {
        #expect(HTTPTrailers.allow(name))
    }

    @Test func `fields that may not stand there are left out, however they are written`() {
        var fields = HTTPFields()
        for name in ["Host", "X-A", "CONTENT-LENGTH", "x-b"] {
            Array(name.utf8).withUnsafeBytes { name in
                Array("1".utf8).withUnsafeBytes { fields.append(checkedTrailerName: name, checkedValue: $0) }
            }
        }
        #expect(fields == ["x-a": "1", "x-b": "1"])
    }
}
