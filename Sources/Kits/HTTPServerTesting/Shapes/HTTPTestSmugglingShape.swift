/// A published pattern of request smuggling: bytes that a proxy and the server behind it may parse differently, so that
/// the server sees a request for `/smuggled` that the proxy did not.
public struct HTTPTestSmugglingShape: CustomStringConvertible, Sendable {
    /// The name of the pattern.
    public var name: String
    /// The bytes to send.
    public var text: String

    /// The name and the beginning of the bytes.
    public var description: String { "\(name): \(text.prefix(100).debugDescription)" }
}

private let hidden = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"

private let hiddenSize = String(hidden.utf8.count, radix: 16)

/// Returns a POST request with some fields and a body.
private func post(_ fields: String, _ body: String = "0\r\n\r\n\(hidden)") -> String {
    "POST / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n\(body)"
}

private func chunked(_ body: String) -> String { post("Transfer-Encoding: chunked", body) }

private func shapes(_ name: String, _ texts: String...) -> [HTTPTestSmugglingShape] {
    texts.map { HTTPTestSmugglingShape(name: name, text: $0) }
}

extension HTTPTestSmugglingShape {
    /// Patterns that the server must reject, and after which it must close the connection, because the end of the
    /// request is ambiguous.
    public static let refused = lengthAndCoding + codings + lengths + lines + chunkSizes + chunkEnds + heads

    private static let lengthAndCoding =
        shapes(
            "CL.TE", post("Content-Length: \(hidden.utf8.count + 5)\r\nTransfer-Encoding: chunked"),
            post("Content-Length: 5\r\nTransfer-Encoding: chunked"),
            post("Content-Length: 0\r\nTransfer-Encoding: chunked"))
        + shapes(
            "TE.CL", post("Transfer-Encoding: chunked\r\nContent-Length: 4", "5c\r\n\(hidden)\r\n0\r\n\r\n"),
            post("Transfer-Encoding: chunked\r\nContent-Length: 5"))
        + shapes(
            "TE in HTTP/1.0", "POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(hidden)",
            "POST / HTTP/1.0\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(hidden)")

    private static let codings: [HTTPTestSmugglingShape] = [
        "Transfer-Encoding: xchunked", "Transfer-Encoding : chunked", "Transfer-Encoding\t: chunked",
        " Transfer-Encoding: chunked", "X: x\r\n Transfer-Encoding: chunked", "X: x\nTransfer-Encoding: chunked",
        "X: x\rTransfer-Encoding: chunked", "Transfer-Encoding\r\n: chunked", "Transfer-Encoding\n: chunked",
        "Transfer-Encoding:\r\n chunked", "Transfer-Encoding: \u{b}chunked", "Transfer-Encoding: \u{c}chunked",
        "Transfer-Encoding: chunked\0", "Transfer-Encoding: \0chunked", "Transfer-Encoding: \"chunked\"",
        "Transfer-Encoding: 'chunked'", "Transfer-Encoding: chunked, identity", "Transfer-Encoding: identity, chunked",
        "Transfer-Encoding: identity", "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: ,chunked",
        "Transfer-Encoding: chunked,", "Transfer-Encoding: chunked chunked", "Transfer-Encoding: chunked;q=1",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: x", "Transfer-Encoding: x\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding: ch\u{16b}nked",
        "Transfer-Encoding: ", "Transfer-Encoding: chun\r\n ked", "Transfer-\u{212a}ncoding: chunked",
        "Transfer-Encoding: gzip", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
    ].map { HTTPTestSmugglingShape(name: "TE.TE", text: post($0)) }

    private static let lengths: [HTTPTestSmugglingShape] = [
        "Content-Length: 0\r\nContent-Length: 5", "Content-Length: 5\r\nContent-Length: 0",
        "Content-Length: 5\r\nContent-Length: 5", "Content-Length: 5, 5", "Content-Length: 0, 5", "Content-Length: 5,",
        "Content-Length: +5", "Content-Length: -5", "Content-Length: 0x5", "Content-Length: 5h", "Content-Length: 5 5",
        "Content-Length: 5.0", "Content-Length: 5e0", "Content-Length: 5;", "Content-Length: \"5\"",
        "Content-Length:", "Content-Length: \u{b}5", "Content-Length: 5\0", "Content-Length: \u{665}",
        "Content-Length: 18446744073709551621", "Content-Length: 4294967301, 5", "Content-Length : 5",
        "Content-Length\t: 5", " Content-Length: 5", "Content-Length:\r\n 5", "X: x\nContent-Length: 5",
        "X: x\rContent-Length: 5", "Content-Length\r: 5", "Content-Length: 5\r\r", "\u{b}Content-Length: 5",
    ].map { HTTPTestSmugglingShape(name: "lengths", text: post($0, "\(hidden)")) }

    private static let lines =
        shapes(
            "bare LF", "POST / HTTP/1.1\nHost: h\r\n\r\n\(hidden)", "POST / HTTP/1.1\r\nHost: h\n\r\n\(hidden)",
            "POST / HTTP/1.1\r\nHost: h\r\n\n\(hidden)", "POST / HTTP/1.1\r\nHost: h\r\nX: y\n\n\(hidden)")
        + shapes(
            "bare CR", "POST / HTTP/1.1\r\rHost: h\r\n\r\n\(hidden)", "POST / HTTP/1.1\r\nHost: h\r\n\r\r\n\(hidden)",
            "POST /\r HTTP/1.1\r\nHost: h\r\n\r\n\(hidden)")
        + shapes(
            "obs-fold", "POST / HTTP/1.1\r\nHost: h\r\n \r\n\r\n\(hidden)",
            "POST / HTTP/1.1\r\nHost: h\r\nX: y\r\n\tContent-Length: 5\r\n\r\n\(hidden)",
            "POST / HTTP/1.1\r\n Host: h\r\n\r\n\(hidden)")
        + shapes("HTTP/0.9", "GET /\r\n\(hidden)", "GET / \r\n\(hidden)", "GET / HTTP/0.9\r\nHost: h\r\n\r\n\(hidden)")

    private static let chunkSizes: [HTTPTestSmugglingShape] = [
        "0x5", "+5", "-5", " 5", "5 ", "5\t", "\t5", "5_0", "5h", "", "\u{665}", "5\0", "5,5", "5\r",
        "ffffffffffffffff", "8000000000000000", "10000000000000000", "100000000000000005", "fffffffffffffffff5",
        "7fffffffffffffff", "5;x\n", "5;", "5;;", "5;=", "5;x=", "5;x=\"", "5;x=[", "5;x y", "5;\u{e9}", "5;\n", "5\n",
        "\n5", "5;x\r", "5;\0", "5;x=\"\n\"",
    ].map { HTTPTestSmugglingShape(name: "chunk size", text: chunked("\($0)\r\nGET /\r\n0\r\n\r\n\(hidden)")) }

    private static let chunkEnds =
        shapes(
            "TERM.EXT", chunked("2;\nxx\r\n2d\r\n0\r\n\r\n\(hidden)\r\n0\r\n\r\n"),
            chunked("2\nxx\r\n2d\r\n0\r\n\r\n\(hidden)\r\n0\r\n\r\n"))
        + shapes("EXT.TERM", chunked("2;\r\rxx\r\n0\r\n\r\n\(hidden)"), chunked("2;a\rxx\r\n0\r\n\r\n\(hidden)"))
        + shapes(
            "spilled chunk", chunked("5\r\nGET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"),
            chunked("1\r\nxx0\r\n\r\n\(hidden)"), chunked("1\r\nx\n0\r\n\r\n\(hidden)"),
            chunked("1\r\nx\r0\r\n\r\n\(hidden)"), chunked("1\r\nx\r\r\n0\r\n\r\n\(hidden)"),
            chunked("1\r\nx0\r\n\r\n\(hidden)"))
        + shapes(
            "last chunk", chunked("0\r\n\n\(hidden)"), chunked("0\n\r\n\(hidden)"), chunked("0\n\n\(hidden)"),
            chunked("0\r\n\r\r\n\(hidden)"), chunked("0\r\r\n\r\n\(hidden)"))
        + shapes(
            "trailers", chunked("0\r\nX : y\r\n\r\n\(hidden)"), chunked("0\r\nX: y\n\r\n\(hidden)"),
            chunked("0\r\nX: y\r\n z\r\n\r\n\(hidden)"), chunked("0\r\nX: \0\r\n\r\n\(hidden)"),
            chunked("0\r\nX\r\n\r\n\(hidden)"))

    private static let heads =
        shapes(
            "hosts", "GET / HTTP/1.1\r\nHost: h\r\nHost: other\r\n\r\n\(hidden)",
            "GET / HTTP/1.1\r\nHost: h other\r\n\r\n\(hidden)", "GET / HTTP/1.1\r\nHost: h, other\r\n\r\n\(hidden)",
            "GET / HTTP/1.1\r\nHost: h@other\r\n\r\n\(hidden)",
            "GET http://h@other/ HTTP/1.1\r\nHost: h\r\n\r\n\(hidden)",
            "GET / HTTP/1.1\r\nHost: h/\r\n\r\n\(hidden)", "GET / HTTP/1.1\r\nHost: h\0\r\n\r\n\(hidden)")
        + shapes(
            "expectations", post("Expect: y 100-continue\r\nContent-Length: 5", hidden),
            post("Expect: 100-continue, y\r\nContent-Length: 5", hidden),
            post("Expect:\r\n 100-continue\r\nContent-Length: 5", hidden))
        + shapes(
            "request lines", "GET / HTTP/1.1 HTTP/1.1\r\nHost: h\r\n\r\n\(hidden)",
            "GET /\u{b}HTTP/1.1\r\nHost: h\r\n\r\n\(hidden)", "GET / HTTP/1.1\0\r\nHost: h\r\n\r\n\(hidden)",
            "GET / HTTP/1.1\r\n\0\r\nHost: h\r\n\r\n\(hidden)", "GET // /x HTTP/1.1\r\nHost: h\r\n\r\n\(hidden)")

    /// Patterns that the server must parse according to the standard: the hidden request is part of a body, or the
    /// field has no effect.
    public static let harmless =
        shapes(
            "CL.0", post("Content-Length: \(hidden.utf8.count)", hidden),
            "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: \(hidden.utf8.count)\r\n\r\n\(hidden)",
            "HEAD / HTTP/1.1\r\nHost: h\r\nContent-Length: \(hidden.utf8.count)\r\n\r\n\(hidden)",
            "OPTIONS / HTTP/1.1\r\nHost: h\r\nContent-Length: \(hidden.utf8.count)\r\n\r\n\(hidden)",
            "GET / HTTP/1.0\r\nContent-Length: \(hidden.utf8.count)\r\nConnection: keep-alive\r\n\r\n\(hidden)")
        + shapes(
            "hop by hop", post("Content-Length: \(hidden.utf8.count)\r\nConnection: content-length", hidden),
            post(
                "Connection: transfer-encoding\r\nTransfer-Encoding: chunked", "\(hiddenSize)\r\n\(hidden)\r\n0\r\n\r\n"
            ))
        + shapes(
            "other names", post("Content-Length: \(hidden.utf8.count)\r\nTransfer_Encoding: chunked", hidden),
            post("Content-Length: \(hidden.utf8.count)\r\nX-Transfer-Encoding: chunked", hidden),
            post("Content_Length: 0\r\nContent-Length: \(hidden.utf8.count)", hidden),
            post("Content-Length: \(hidden.utf8.count)\r\nContent-Encoding: chunked", hidden))
        + shapes(
            "one chunk", chunked("\(hiddenSize)\r\n\(hidden)\r\n0\r\n\r\n"),
            chunked("\(hiddenSize);a=\"GET /smuggled HTTP/1.1\"\r\n\(hidden)\r\n0\r\n\r\n"))
        + shapes("trailing length", chunked("0\r\nContent-Length: 37\r\nTransfer-Encoding: x\r\n\r\n"))
        + shapes(
            "h2c", post("Content-Length: 0\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nConnection: Upgrade", ""))
}
