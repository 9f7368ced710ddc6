import HTTPModel
import Testing

@Suite struct HTTPRequestTests {
    private func request(_ target: String) -> HTTPRequest { HTTPRequest(method: .get, target: target) }

    @Test func `path and query are separated at the first question mark`() {
        #expect(request("/a/b").path == "/a/b")
        #expect(request("/a/b").query == nil)
        #expect(request("/a?b=1?c").path == "/a")
        #expect(request("/a?b=1?c").query == "b=1?c")
        #expect(request("/a?").query == "")
    }

    @Test func `a query value is decoded and the first one of a name is returned`() {
        let request = request("/o?only=count%2CisOn&x=1&only=z&a+b=c+d&flag&broken=%zz&utf=%ff")
        #expect(request.queryValue("only") == "count,isOn")
        #expect(request.queryValue("a b") == "c d")
        #expect(request.queryValue("flag") == "")
        #expect(request.queryValue("broken") == nil)
        #expect(request.queryValue("utf") == nil)
        #expect(request.queryValue("nothing") == nil)
    }
}

@Suite struct PercentEncodingTests {
    @Test(arguments: ["", "a", "caf\u{E9} & co", "100%", "a+b", "\u{1F33E}", "/?#[]@!$&'()*+,;=", "\0\n"])
    func `encoded text decodes to the original`(text: String) {
        let encoded = PercentEncoding.encode(text)
        #expect(encoded.utf8.allSatisfy { $0 < 0x80 && $0 > 0x20 })
        #expect(PercentEncoding.decode(encoded) == text)
        #expect(PercentEncoding.decode(encoded, plusIsSpace: true) == text)
    }

    @Test func `escapes are two hexadecimal digits of either case`() {
        #expect(PercentEncoding.encode("\u{E9}\n") == "%C3%A9%0A")
        #expect(PercentEncoding.decode("%c3%A9") == "\u{E9}")
        #expect(PercentEncoding.decode("a+b") == "a+b")
        #expect(PercentEncoding.decode("a+b", plusIsSpace: true) == "a b")
    }

    @Test(arguments: ["%", "%4", "%4g", "a%", "%%41", "%C3", "%FF"])
    func `malformed escapes and invalid UTF-8 are rejected`(text: String) {
        #expect(PercentEncoding.decode(text) == nil)
    }
}

@Suite struct HTTPStatusTests {
    @Test func `a status has a reason phrase and may forbid content`() {
        #expect(HTTPStatus.ok.reason.description == "OK")
        #expect(HTTPStatus.unprocessableContent.reason.description == "Unprocessable Content")
        #expect(HTTPStatus.serviceUnavailable.reason.description == "Service Unavailable")
        #expect(HTTPStatus(299).reason.description == "")
        #expect(HTTPStatus.noContent.forbidsBody)
        #expect(HTTPStatus.notModified.forbidsBody)
        #expect(HTTPStatus.continue.forbidsBody)
        #expect(!HTTPStatus.ok.forbidsBody)
    }

    @Test func `every named status has a reason phrase`() {
        let codes = [
            100, 200, 201, 202, 204, 206, 301, 302, 304, 307, 308, 400, 401, 403, 404, 405, 406, 408, 409, 410, 411,
            412, 413, 414, 415, 416, 417, 421, 422, 429, 431, 500, 501, 502, 503, 504, 505,
        ]
        for code in codes {
            #expect(HTTPStatus(UInt16(code)).reason.utf8CodeUnitCount > 0, "\(code)")
        }
    }
}
