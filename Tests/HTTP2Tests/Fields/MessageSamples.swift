import HTTP2
import Testing

/// The fields of a request, and the expected result.
struct MessageSample: CustomTestStringConvertible, Sendable {
    var fields: [(String, String)]
    var error: HTTP2MessageError?
    var request: String?
    var refusal: HTTP2Refusal?

    var testDescription: String {
        "\(fields.map { "\($0.0.debugDescription): \($0.1.debugDescription)" })".prefix(160) + ""
    }

    static func malformed(_ error: HTTP2MessageError, _ fields: (String, String)...) -> MessageSample {
        MessageSample(fields: fields, error: error)
    }

    /// A valid request except for these fields, which replace its own fields or are appended.
    static func malformed(_ error: HTTP2MessageError, with fields: (String, String)...) -> MessageSample {
        MessageSample(fields: base(with: fields), error: error)
    }

    static func accepted(_ request: String, with fields: (String, String)...) -> MessageSample {
        MessageSample(fields: base(with: fields), request: request)
    }

    static func refused(_ refusal: HTTP2Refusal, with fields: (String, String)...) -> MessageSample {
        MessageSample(fields: base(with: fields), refusal: refusal)
    }

    private static func base(with changes: [(String, String)]) -> [(String, String)] {
        var fields = RawClient.get
        for (name, value) in changes {
            if name.hasPrefix(":"), let index = fields.firstIndex(where: { $0.0 == name }) {
                fields[index].1 = value
            } else {
                fields.append((name, value))
            }
        }
        return fields
    }
}

extension MessageSample {
    static let all = acceptable + values + names + pseudoFields + targets + authorities + lengths + refused

    static let acceptable: [MessageSample] = [
        .accepted("GET / h"),
        .accepted("GET /a%20b?c=%00&d=[1]|{2} h", with: (":path", "/a%20b?c=%00&d=[1]|{2}")),
        .accepted("GET /a[1]|b^c%?d=100%&e=%z h", with: (":path", "/a[1]|b^c%?d=100%&e=%z")),
        .accepted("GET /%zz%2 h", with: (":path", "/%zz%2")),
        .accepted("OPTIONS * h", with: (":method", "OPTIONS"), (":path", "*")),
        .accepted("BREW / h", with: (":method", "BREW")),
        .accepted("GET / h", with: (":scheme", "https")),
        .accepted("GET / h:80", with: (":authority", "h:80")),
        .accepted("GET / [::1]:8080", with: (":authority", "[::1]:8080")),
        .accepted("GET / h", with: ("host", "h")),
        .accepted("GET / Ex.Org", with: (":authority", "Ex.Org"), ("host", "ex.org")),
        .accepted("GET / h", with: ("te", "trailers")),
        .accepted("GET / h", with: ("x-a", "\u{e9}")),
        .accepted("GET / h", with: ("x-a", "")),
        .accepted("GET / h", with: ("content-length", "0")),
        MessageSample(
            fields: [(":method", "GET"), (":scheme", "http"), (":path", "/"), ("host", "o")], request: "GET / o"),
    ]

    static let values: [MessageSample] = [
        "a\0b", "a\rb", "a\nb", "a\u{7f}", "a\u{1}", " a", "a ", "\ta", "a\t", " ", "\t",
    ].map { .malformed(.fieldValue, with: ("x-a", $0)) }

    static let names: [MessageSample] = [
        .malformed(.fieldName, with: ("X-a", "1")),
        .malformed(.fieldName, with: ("", "1")),
        .malformed(.fieldName, with: ("x a", "1")),
        .malformed(.fieldName, with: ("x:a", "1")),
        .malformed(.fieldName, with: ("x\u{e9}", "1")),
        .malformed(.fieldName, with: ("x\0", "1")),
        .malformed(.fieldName, with: ("x(a)", "1")),
        .malformed(.connectionField, with: ("connection", "close")),
        .malformed(.connectionField, with: ("keep-alive", "timeout=1")),
        .malformed(.connectionField, with: ("proxy-connection", "close")),
        .malformed(.connectionField, with: ("transfer-encoding", "chunked")),
        .malformed(.connectionField, with: ("upgrade", "h2c")),
        .malformed(.te, with: ("te", "gzip")),
        .malformed(.te, with: ("te", "trailers, gzip")),
        .malformed(.te, with: ("te", "")),
    ]

    static let pseudoFields: [MessageSample] =
        [
            .malformed(.pseudoFieldUnknown, with: (":protocol", "websocket")),
            .malformed(.pseudoFieldUnknown, with: (":status", "200")),
            .malformed(.pseudoFieldUnknown, with: (":", "x")),
            .malformed(
                .pseudoFieldMisplaced, (":method", "GET"), (":scheme", "http"), ("x-a", "1"), (":path", "/"),
                (":authority", "h")),
            .malformed(.pseudoFieldMissing, (":scheme", "http"), (":path", "/"), (":authority", "h")),
            .malformed(.pseudoFieldMissing, (":method", "GET"), (":path", "/"), (":authority", "h")),
            .malformed(.pseudoFieldMissing, (":method", "GET"), (":scheme", "http"), (":authority", "h")),
        ]
        + [":method", ":scheme", ":path", ":authority"].map { name in
            MessageSample(
                fields: RawClient.get + RawClient.get.filter { $0.0 == name }, error: .pseudoFieldRepeated)
        }

    static let targets: [MessageSample] =
        [
            "", "a", "?q", "/a b", "/a\u{e9}", "/a#b", "/<a>", "/a\\b", "/a{b}", "/a\"b", "/?a\"b", "/?<a>", "/?a#b",
            "/?\u{e9}", "/%%00",
            "/a%00b", "*x", "*",
            "http://h/",
            "//h@x y",
        ].map { .malformed(.path, with: (":path", $0)) } + [
            .malformed(.fieldValue, with: (":path", "/a\rb")),
            .malformed(.fieldValue, with: (":path", "/a\nb")),
            .malformed(.fieldValue, with: (":path", "/ ")),
            .malformed(.fieldValue, with: (":path", "/\0")),
            .malformed(.method, with: (":method", "")),
            .malformed(.method, with: (":method", "G T")),
            .malformed(.method, with: (":method", "G(T")),
            .malformed(.method, with: (":method", String(repeating: "M", count: 33))),
            .malformed(.scheme, with: (":scheme", "")),
            .malformed(.scheme, with: (":scheme", "1http")),
            .malformed(.scheme, with: (":scheme", "ht tp")),
            .malformed(.scheme, with: (":scheme", "http:")),
        ]

    static let authorities: [MessageSample] =
        [
            "", "u@h", "u:p@h", "h:x", "h:99999", "a b", "a/b", "[::1", "[::1]80", "[h]", ":80", "h?x", "h\u{e9}",
        ].map { .malformed(.authority, with: (":authority", $0)) } + [
            .malformed(.authority, with: ("host", "u@h")),
            .malformed(.authority, with: ("host", "")),
            .malformed(.host, with: ("host", "other")),
            .malformed(.host, with: ("host", "h:80")),
            .malformed(.host, with: ("host", "h"), ("host", "h")),
            .malformed(.authorityMissing, (":method", "GET"), (":scheme", "http"), (":path", "/")),
            .malformed(.connect, with: (":method", "CONNECT")),
            .malformed(.connect, (":method", "CONNECT"), (":authority", "h:1"), (":path", "/")),
            .malformed(.connect, (":method", "CONNECT"), (":authority", "h:1"), (":scheme", "http")),
            .malformed(.connect, (":method", "CONNECT"), ("host", "h:1")),
        ]

    static let lengths: [MessageSample] =
        ["", "x", "+1", "-1", "0x1", "1,1", "1.0", "99999999999999999999"]
        .map { .malformed(.contentLength, with: ("content-length", $0)) } + [
            .malformed(.contentLength, with: ("content-length", "0"), ("content-length", "0")),
            .malformed(.bodyLength, with: ("content-length", "1")),
        ]

    static let refused: [MessageSample] = [
        MessageSample(fields: [(":method", "CONNECT"), (":authority", "h:443")], refusal: .tunnel),
        .refused(.scheme, with: (":scheme", "ftp")),
        .refused(.expectation, with: ("expect", "magic")),
        .refused(.targetTooLong, with: (":path", "/" + String(repeating: "a", count: 8 << 10))),
        .refused(.headTooLarge, with: ("x-a", String(repeating: "a", count: 16_200))),
        MessageSample(
            fields: RawClient.get + (0..<100).map { ("x-\($0)", "1") }, refusal: .headTooLarge),
    ]
}
