import HTTP1
import HTTPModel
import Testing

/// What is known of the origin of a request that is refused.
struct RefusedFieldsTests {
    /// Returns the origins that are known after a number of bytes have arrived, in one piece and byte by byte.
    private func origins(_ text: String, limits: HTTP1Limits = HTTP1Limits()) -> [[String]] {
        [text.utf8.count, 1].map { size in
            var parser = HTTP1RequestParser(limits: limits)
            var pending: [UInt8] = []
            var left = Array(text.utf8)[...]
            var hasFailed = false
            while !left.isEmpty, !hasFailed {
                pending += left.prefix(size)
                left = left.dropFirst(size)
                let rest = pending.withUnsafeBytes { all in
                    var rest = all
                    do throws(HTTP1Error) {
                        _ = try parser.parse(&rest, peer: .unknown)
                    } catch {
                        hasFailed = true
                    }
                    return rest.count
                }
                pending = pending.suffix(rest)
            }
            return pending.withUnsafeBytes { parser.fieldsOfRefused($0).values(.origin) }
        }
    }

    private let origin = "Origin: https://app.example\r\n"

    @Test(arguments: [
        "POST / HTTP/1.1\r\nHost: h\r\n@Content-Length: 9999999\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\n@Transfer-Encoding: chunked\r\n\r\nx\r\n",
        "POST / HTTP/1.1\r\n@Host: h\r\nHost: h\r\n\r\n", "POST / HTTP/1.1\r\nHost: h\r\n@", "GET / HTTP/1.1\r\n@\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\n@Content-Length: 5\r\n\r\nab",
    ])
    func `fields that were parsed are known, however the bytes are split`(_ text: String) {
        let expected = [["https://app.example"], ["https://app.example"]]
        #expect(origins(text.replacing("@", with: origin)) == expected)
    }

    @Test(arguments: [
        "GET /a b HTTP/1.1\r\nHost: h\r\n@\r\n", "GET /\u{e9} HTTP/1.1\r\nHost: h\r\n@\r\n",
        "GET / HTTP/2.0\r\nHost: h\r\n@\r\n", "CONNECT h:1 HTTP/1.1\r\n@\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nExpect: magic\r\n@\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nbad line\r\n@\r\n", "GET / HTTP/1.1\nHost: h\r\n@\r\n",
        "GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: h\r\n@\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nA: \(String(repeating: "a", count: 17_000))\r\n@\r\n",
    ])
    func `the origin after a fault is known if it has arrived`(_ text: String) {
        let found = origins(text.replacing("@", with: origin))
        #expect(found[0] == ["https://app.example"])
        #expect(found[1] == [])
    }

    @Test(arguments: [
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9999999\r\n\r\n@",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n@", "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n@",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n@", "GET /a b HTTP/1.1\r\n X@",
    ])
    func `content is no field`(_ text: String) {
        #expect(origins(text.replacing("@", with: origin)) == [[], []])
    }

    @Test func `a request says nothing about the next one`() {
        #expect(origins("GET / HTTP/1.1\r\nHost: h\r\n\(origin)\r\n") == [[], []])
    }
}
