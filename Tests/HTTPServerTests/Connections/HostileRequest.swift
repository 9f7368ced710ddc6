import Testing

/// The input of a hostile or defective client, and the expected response.
struct HostileRequest: CustomTestStringConvertible, Sendable {
    var text: String
    var status: Int
    var kind: String
    /// Whether the client half-closes the connection after the text.
    var ends = false

    var testDescription: String { "\(status) \(text.prefix(60).debugDescription)" }
}

private let host = "Host: h\r\n"
private let chunked = "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n"

extension HostileRequest {
    /// For a server that accepts 64 bytes of target, 512 of head, 16 fields and 64 bytes of body.
    static let all = malformed + truncated + oversized + unsupported

    static let malformed: [HostileRequest] = [
        "\r\n\r\n\r\n", "\0\0\0\0\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\r\n", "GET\r\n\r\n", "GET /\r\n\r\n",
        "GET / HTTP/1.1\n\n", "GET / HTTP/1.1\r\n\(host)\n", "GET / HTTP/1.1\n\(host)\r\n",
        "GET / HTP/1.1\r\n\(host)\r\n",
        "GET / HTTP/1\r\n\(host)\r\n", "get/HTTP/1.1\r\n\(host)\r\n", "GET  / HTTP/1.1\r\n\(host)\r\n",
        "GET /\tHTTP/1.1\r\n\(host)\r\n", "G\u{e9}T / HTTP/1.1\r\n\(host)\r\n", "GET relative HTTP/1.1\r\n\(host)\r\n",
        "GET /%00 HTTP/1.1\r\n\(host)\r\n", "GET /%%00 HTTP/1.1\r\n\(host)\r\n",
        "\(String(repeating: "(", count: 40)) / HTTP/1.1\r\n\(host)\r\n",
        "GET /\u{1f600} HTTP/1.1\r\n\(host)\r\n",
        "GET /#f HTTP/1.1\r\n\(host)\r\n", "GET http:///p HTTP/1.1\r\n\(host)\r\n", "GET * HTTP/1.1\r\n\(host)\r\n",
        "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n\(host)\(host)\r\n", "GET / HTTP/1.1\r\nHost: a,b c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h:port\r\n\r\n", "GET / HTTP/1.1\r\nHost:\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : h\r\n\r\n",
        "GET / HTTP/1.1\r\n\(host)X: a\r\n b\r\n\r\n", "GET / HTTP/1.1\r\n\(host)no colon\r\n\r\n",
        "GET / HTTP/1.1\r\n\(host): empty\r\n\r\n", "GET / HTTP/1.1\r\n\(host)X: \0\r\n\r\n",
        "GET / HTTP/1.1\r\n\(host)X: a\rY: b\r\n\r\n", "GET / HTTP/1.1\r\n\(host)X: a\nY: b\r\n\r\n",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 3, 3\r\n\r\nabc",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
        "POST / HTTP/1.1\r\n\(host)Content-Length: +3\r\n\r\nabc",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 0x3\r\n\r\n",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 18446744073709551617\r\n\r\n",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.0\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "\(chunked)x\r\n", "\(chunked)-1\r\n",
        "\(chunked)0x1\r\n", "\(chunked)1 \r\nx\r\n", "\(chunked)1;\0\r\nx\r\n", "\(chunked)1;e\nx\r\n",
        "\(chunked)3\r\nabcd\r\n", "\(chunked)10000000000000000\r\n", "\(chunked)0\r\nT : 1\r\n\r\n",
        "\(chunked)1;\(String(repeating: "e", count: 300))\r\nx\r\n",
    ].map { HostileRequest(text: $0, status: 400, kind: "malformed-request") }

    static let truncated: [HostileRequest] = [
        "G", "GET / HTTP/1.1\r", "GET / HTTP/1.1\r\n\(host)", "GET / HTTP/1.1\r\n\(host)\r",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nab", chunked, "\(chunked)3\r\nab", "\(chunked)0\r\n",
    ].map { HostileRequest(text: $0, status: 400, kind: "malformed-request", ends: true) }

    static let oversized: [HostileRequest] =
        [
            "GET /\(String(repeating: "a", count: 64)) HTTP/1.1\r\n\(host)\r\n",
            "GET /\(String(repeating: "a", count: 100_000))",
        ].map { HostileRequest(text: $0, status: 414, kind: "target-too-long") }
        + [
            "GET / HTTP/1.1\r\n\(host)X: \(String(repeating: "x", count: 512))\r\n\r\n",
            "GET / HTTP/1.1\r\n\(host)X: \(String(repeating: "x", count: 200_000))",
            "GET / HTTP/1.1\r\n\(host)\(String(repeating: "a:\r\n", count: 16))\r\n",
            "\(chunked)0\r\n\(String(repeating: "a:\r\n", count: 17))\r\n",
            "\(chunked)0\r\nT: \(String(repeating: "t", count: 100))\r\n\r\n",
        ].map { HostileRequest(text: $0, status: 431, kind: "head-too-large") }
        + [
            "POST / HTTP/1.1\r\n\(host)Content-Length: 65\r\n\r\n",
            "POST / HTTP/1.1\r\n\(host)Content-Length: 200000\r\n\r\n\(String(repeating: "b", count: 200_000))",
            "POST / HTTP/1.1\r\n\(host)Expect: 100-continue\r\nContent-Length: 65\r\n\r\n",
            "\(chunked)41\r\n", "\(chunked)20\r\n\(String(repeating: "b", count: 32))\r\n21\r\n",
            "\(chunked)7fffffffffffffff\r\n",
        ].map { HostileRequest(text: $0, status: 413, kind: "body-too-large") }

    static let unsupported: [HostileRequest] = [
        HostileRequest(text: "GET / HTTP/3.0\r\n\(host)\r\n", status: 505, kind: "unsupported-version"),
        HostileRequest(text: "GET / HTTP/2.0\r\n\(host)\r\n", status: 505, kind: "unsupported-version"),
        HostileRequest(text: "GET / HTTP/0.9\r\n\(host)\r\n", status: 505, kind: "unsupported-version"),
        HostileRequest(text: "PRI * HTTP/2.0\r\n\r\nMS\r\n\r\n", status: 505, kind: "unsupported-version"),
        HostileRequest(
            text: "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: gzip, chunked\r\n\r\n", status: 501,
            kind: "not-implemented"),
        HostileRequest(text: "CONNECT h:443 HTTP/1.1\r\n\(host)\r\n", status: 501, kind: "not-implemented"),
        HostileRequest(
            text: "\(String(repeating: "M", count: 40)) / HTTP/1.1\r\n\(host)\r\n", status: 501,
            kind: "not-implemented"),
        HostileRequest(
            text: "POST / HTTP/1.1\r\n\(host)Expect: wonders\r\nContent-Length: 1\r\n\r\n", status: 417,
            kind: "unknown-expectation"),
        HostileRequest(
            text: "GET / HTTP/1.1\r\nHost: elsewhere\r\nConnection: close\r\n\r\n", status: 421,
            kind: "misdirected-request"),
    ]
}
