import HTTP1
import Testing

/// Bytes that a client can send, and the expected result.
struct Sample: CustomTestStringConvertible, Sendable {
    var text: String
    var error: HTTP1Error?
    var requests: [String] = []
    var limits = HTTP1Limits()

    var testDescription: String { text.prefix(80).debugDescription }

    static func rejected(_ text: String, _ error: HTTP1Error, limits: HTTP1Limits = HTTP1Limits()) -> Sample {
        Sample(text: text, error: error, limits: limits)
    }

    static func accepted(_ text: String, _ requests: String..., limits: HTTP1Limits = HTTP1Limits()) -> Sample {
        Sample(text: text, requests: requests, limits: limits)
    }
}

private let host = "Host: h\r\n"
private let small = HTTP1Limits(
    targetBytes: 20, headBytes: 120, fieldCount: 4, bodyBytes: 16, chunkLineBytes: 12, trailerBytes: 24)

extension Sample {
    static let all =
        acceptable + requestLines + fieldLines + hosts + lengths + transferCodings + chunks + chunkExtensions + tooLarge

    static let acceptable: [Sample] = [
        .accepted("GET / HTTP/1.1\r\n\(host)\r\n", "GET / h"),
        .accepted("\r\nGET / HTTP/1.1\r\n\(host)\r\n", "GET / h"),
        .accepted("GET / HTTP/1.0\r\n\r\n", "GET / "),
        .accepted("GET /a%20b?c=%00&d=[1]|{2} HTTP/1.1\r\n\(host)\r\n", "GET /a%20b?c=%00&d=[1]|{2} h"),
        .accepted("GET /a[1]|b^c%?d=100%&e=%z HTTP/1.1\r\n\(host)\r\n", "GET /a[1]|b^c%?d=100%&e=%z h"),
        .accepted("GET /%zz%2 HTTP/1.1\r\n\(host)\r\n", "GET /%zz%2 h"),
        .accepted("GET http://o/[%]?% HTTP/1.1\r\n\(host)\r\n", "GET /[%]?% o"),
        .accepted("GET / HTTP/1.2\r\n\(host)\r\n", "GET / h"),
        .accepted("GET / HTTP/1.9\r\n\(host)\r\n", "GET / h"),
        .accepted("GET http://o:80/p?q HTTP/1.1\r\n\(host)\r\n", "GET /p?q o:80"),
        .accepted("GET HTTP://o HTTP/1.1\r\n\(host)\r\n", "GET / o"),
        .accepted("GET https://o?q HTTP/1.1\r\n\(host)\r\n", "GET /?q o"),
        .accepted("OPTIONS * HTTP/1.1\r\n\(host)\r\n", "OPTIONS * h"),
        .accepted("OPTIONS http://o HTTP/1.1\r\n\(host)\r\n", "OPTIONS * o"),
        .accepted("BREW /pot HTTP/1.1\r\n\(host)\r\n", "BREW /pot h"),
        .accepted("GET / HTTP/1.1\r\nhOsT:\t h:80 \t\r\nX:\r\n\r\n", "GET / h:80"),
        .accepted("GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", "GET / [::1]:8080"),
        .accepted("GET / HTTP/1.1\r\n\(host)X: \u{e9}\r\n\r\n", "GET / h"),
        .accepted("POST / HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nabc", "POST / h"),
        .accepted("POST / HTTP/1.1\r\n\(host)Content-Length: 0\r\n\r\n", "POST / h"),
        .accepted("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "POST / h"),
        .accepted(
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n01;a=b\r\nx\r\n0;z\r\nT: 1\r\n\r\n",
            "POST / h"),
        .accepted(
            "GET /1 HTTP/1.1\r\n\(host)\r\nPOST /2 HTTP/1.1\r\n\(host)Content-Length: 2\r\n\r\nhi\r\nGET /3 HTTP/1.1\r\n"
                + "\(host)\r\n", "GET /1 h", "POST /2 h", "GET /3 h"),
        .accepted("GET /5678901234567890123 HTTP/1.1\r\n\(host)\r\n", "GET /5678901234567890123 h", limits: small),
        .accepted("POST / HTTP/1.1\r\n\(host)Content-Length: 16\r\n\r\n0123456789abcdef", "POST / h", limits: small),
    ]

    static let requestLines: [Sample] = [
        .rejected("\r\n\r\nGET / HTTP/1.1\r\n\(host)\r\n", .requestLine),
        .rejected("GET / HTTP/1.1\n\(host)\r\n", .lineEnd),
        .rejected("GET /\r HTTP/1.1\r\n\(host)\r\n", .lineEnd),
        .rejected("GET / HTTP/1.1\r\r\n\(host)\r\n", .lineEnd),
        .rejected("GET  / HTTP/1.1\r\n\(host)\r\n", .requestLine),
        .rejected("GET /  HTTP/1.1\r\n\(host)\r\n", .requestLine),
        .rejected(" GET / HTTP/1.1\r\n\(host)\r\n", .requestLine),
        .rejected("GET / HTTP/1.1 \r\n\(host)\r\n", .requestLine),
        .rejected("GET /\r\n\(host)\r\n", .requestLine),
        .rejected("GET\t/\tHTTP/1.1\r\n\(host)\r\n", .requestLine),
        .rejected("G(T / HTTP/1.1\r\n\(host)\r\n", .requestLine),
        .rejected("GET / http/1.1\r\n\(host)\r\n", .requestLine),
        .rejected("GET / HTTP/1.11\r\n\(host)\r\n", .requestLine),
        .rejected("GET / HTTP/a.1\r\n\(host)\r\n", .requestLine),
        .rejected("GET / HTTP/1.10\r\n\(host)\r\n", .requestLine),
        .rejected("GET / HTTP/0.9\r\n\(host)\r\n", .version),
        .rejected("GET / HTTP/2.0\r\n\(host)\r\n", .version),
        .rejected("GET / HTTP/3.1\r\n\(host)\r\n", .version),
        .rejected("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .version),
        .rejected("GET /a b HTTP/1.1\r\n\(host)\r\n", .requestLine),
        .rejected("GET a HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET /a#b HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET /<a> HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET /a\\b HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET /\u{e9} HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET /\0 HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET /a%00b HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET /%%00 HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET /a\"b HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET /a{b} HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET /?a\"b HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET /?<a> HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET /?a#b HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET /?\u{e9} HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET /?\u{1} HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET * HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("OPTIONS *x HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET ftp://o/ HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET http:// HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET http://u@o/ HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("GET http://o:x/ HTTP/1.1\r\n\(host)\r\n", .target),
        .rejected("CONNECT h:443 HTTP/1.1\r\n\(host)\r\n", .tunnel),
        .rejected("CONNECT / HTTP/1.1\r\n\(host)\r\n", .target),
    ]

    static let fieldLines: [Sample] = [
        .rejected("GET / HTTP/1.1\r\nHost : h\r\n\r\n", .fieldLine),
        .rejected("GET / HTTP/1.1\r\n\(host) folded\r\n\r\n", .fieldLine),
        .rejected("GET / HTTP/1.1\r\n\(host)X: a\r\n\tb\r\n\r\n", .fieldLine),
        .rejected("GET / HTTP/1.1\r\n Host: h\r\n\r\n", .fieldLine),
        .rejected("GET / HTTP/1.1\r\n\(host): x\r\n\r\n", .fieldLine),
        .rejected("GET / HTTP/1.1\r\n\(host)X\r\n\r\n", .fieldLine),
        .rejected("GET / HTTP/1.1\r\n\(host)X(y): a\r\n\r\n", .fieldLine),
        .rejected("GET / HTTP/1.1\r\n\(host)X: a\0b\r\n\r\n", .fieldValue),
        .rejected("GET / HTTP/1.1\r\n\(host)X: a\u{7f}b\r\n\r\n", .fieldValue),
        .rejected("GET / HTTP/1.1\r\n\(host)X: a\rb\r\n\r\n", .lineEnd),
        .rejected("GET / HTTP/1.1\r\n\(host)X: a\n\r\n", .lineEnd),
        .rejected("GET / HTTP/1.1\r\n\(host)X: a\r\n\n", .lineEnd),
        .rejected("GET / HTTP/1.1\r\n\(host)Expect: 200-ok\r\n\r\n", .expectation),
    ]

    static let hosts: [Sample] = [
        .rejected("GET / HTTP/1.1\r\n\r\n", .hostMissing),
        .rejected("GET http://o/ HTTP/1.1\r\n\r\n", .hostMissing),
        .rejected("GET / HTTP/1.1\r\n\(host)\(host)\r\n", .hostRepeated),
        .rejected("GET / HTTP/1.0\r\n\(host)\(host)\r\n", .hostRepeated),
        .rejected("GET / HTTP/1.1\r\nHost:\r\n\r\n", .hostInvalid),
        .rejected("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", .hostInvalid),
        .rejected("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", .hostInvalid),
        .rejected("GET / HTTP/1.1\r\nHost: u@h\r\n\r\n", .hostInvalid),
        .rejected("GET / HTTP/1.1\r\nHost: h:99999\r\n\r\n", .hostInvalid),
        .rejected("GET / HTTP/1.1\r\nHost: h:8o\r\n\r\n", .hostInvalid),
        .rejected("GET / HTTP/1.1\r\nHost: :80\r\n\r\n", .hostInvalid),
        .rejected("GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", .hostInvalid),
        .rejected("GET / HTTP/1.1\r\nHost: [::1]80\r\n\r\n", .hostInvalid),
        .rejected("GET / HTTP/1.1\r\nHost: [h]\r\n\r\n", .hostInvalid),
    ]

    static let lengths = [
        "Content-Length: +1", "Content-Length: -1", "Content-Length: 0x1", "Content-Length: 1, 1",
        "Content-Length: 1 1", "Content-Length:", "Content-Length: 99999999999999999999", "Content-Length: 1.0",
        "Content-Length: 1\r\nContent-Length: 1", "Content-Length: 1\r\nContent-Length: 2",
    ].map { Sample.rejected("POST / HTTP/1.1\r\n\(host)\($0)\r\n\r\nx", .contentLength) }

    private static let rejectedChunks: [(String, HTTP1Error)] = [
        ("\r\n", .chunkSize), ("g\r\n", .chunkSize), ("-1\r\n", .chunkSize), ("0x1\r\n", .chunkSize),
        (" 1\r\n", .chunkSize), ("1 \r\n", .chunkSize), ("1 x\r\n", .chunkSize), ("1\u{ff}\r\n", .chunkSize),
        ("1\nx", .lineEnd), ("1;a\nb\r\n", .lineEnd), ("1;a\rb\r\n", .lineEnd), ("fffffffffffffffff\r\n", .chunkSize),
        ("1\r\nxy\r\n", .chunkEnd), ("1\r\nx\ny", .chunkEnd), ("1\r\nx\r\r", .chunkEnd),
        ("7fffffffffffffff\r\n", .bodyTooLarge), ("8000000000000000\r\n", .chunkSize),
        ("0\r\nT : 1\r\n\r\n", .fieldLine), ("0\r\nT: 1\n\r\n", .lineEnd), ("0\r\n\n", .lineEnd),
    ]

    static let chunks = rejectedChunks.map { chunk, error in
        Sample.rejected("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n\(chunk)", error)
    }

    static let tooLarge: [Sample] = [
        .rejected("GET /56789012345678901234 HTTP/1.1\r\n\(host)\r\n", .targetTooLong, limits: small),
        .rejected(
            "GET /5678901234567890123456789012345678901234567890 HTTP/1.1\n\(host)\r\n", .targetTooLong, limits: small),
        .rejected("\(String(repeating: "M", count: 33)) / HTTP/1.1\r\n\(host)\r\n", .methodTooLong),
        .rejected(String(repeating: "M", count: 200), .methodTooLong),
        .rejected("(\(String(repeating: "M", count: 40)) / HTTP/1.1\r\n\(host)\r\n", .requestLine),
        .rejected("\(String(repeating: "M", count: 32))@ / HTTP/1.1\r\n\(host)\r\n", .requestLine),
        .rejected(String(repeating: "{", count: 200), .requestLine),
        .rejected("GET / \(String(repeating: "H", count: 200))\r\n\(host)\r\n", .headTooLarge, limits: small),
        .rejected(
            "GET / HTTP/1.1\r\n\(host)X: \(String(repeating: "x", count: 100))\r\n\r\n", .headTooLarge, limits: small),
        .rejected("GET / HTTP/1.1\r\n\(host)X: \(String(repeating: "x", count: 200))\n", .headTooLarge, limits: small),
        .rejected("GET / HTTP/1.1\r\n\(host)A: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\n\r\n", .tooManyFields, limits: small),
        .rejected("POST / HTTP/1.1\r\n\(host)Content-Length: 17\r\n\r\n", .bodyTooLarge, limits: small),
        .rejected(
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n9\r\n012345678\r\n8\r\n", .bodyTooLarge,
            limits: small),
        .rejected(
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n1;aaaaaaaaaaa\r\n", .chunkSize, limits: small),
        .rejected(
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\nT: 0123456789\r\nU: 01234\r\n\r\n",
            .trailersTooLarge, limits: small),
        .rejected(
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\na:\r\nb:\r\nc:\r\nd:\r\ne:\r\n\r\n",
            .tooManyFields, limits: small),
    ]
}
