import HTTP1
import HTTPModel
import Testing

@Suite struct HTTP1RequestParserTests {
    @Test(arguments: Sample.all)
    func `requests are accepted or rejected as the standard requires`(_ sample: Sample) {
        let outcome = Outcome.parsing(sample.text, limits: sample.limits)
        #expect(outcome.error == sample.error)
        if sample.error == nil {
            #expect(outcome.requests == sample.requests)
            #expect(outcome.remaining == 0)
        }
    }

    @Test(arguments: Sample.all)
    func `splitting the bytes at any offset does not change the result`(_ sample: Sample) {
        let whole = Outcome.parsing(sample.text, limits: sample.limits)
        for offset in 0...sample.text.utf8.count {
            #expect(Outcome.parsing(sample.text, limits: sample.limits, cutAt: [offset]) == whole, "cut at \(offset)")
        }
    }

    @Test(arguments: Sample.all)
    func `feeding the bytes one by one does not change the result`(_ sample: Sample) {
        let whole = Outcome.parsing(sample.text, limits: sample.limits)
        let offsets = Array(0..<sample.text.utf8.count)
        #expect(Outcome.parsing(sample.text, limits: sample.limits, cutAt: offsets) == whole)
    }

    @Test func `every error has a sample`() {
        #expect(Set(Sample.all.compactMap(\.error)) == Set(HTTP1Error.allCases))
    }

    @Test(arguments: HTTP1Error.allCases)
    func `every error maps to a problem with its status`(_ error: HTTP1Error) {
        #expect(error.problem.status == error.status)
        #expect((400...505).contains(error.status.code))
        #expect(!error.problem.detail.isEmpty)
    }

    @Test func `fields keep their order and lose surrounding whitespace`() throws {
        let message = try #require(
            try Outcome.request("GET / HTTP/1.1\r\nHost: h\r\nX-A: \t1 \r\nx-a:2\r\nEmpty:\r\n\r\n"))
        #expect(message.request.fields == ["host": "h", "x-a": "1", "x-a": "2", "empty": ""])
    }

    @Test func `a chunked body is assembled and its trailers are kept separate`() throws {
        let message = try #require(
            try Outcome.request(
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "2\r\nab\r\nA;x=\"y\"\r\n0123456789\r\n0\r\nHost: evil\r\nX-Check: 7\r\nContent-Length: 1\r\nX-Check:8 \r\n\r\n"
            ))
        #expect(message.request.body == Array("ab0123456789".utf8))
        #expect(message.request.authority == "h")
        #expect(!message.request.fields.contains("trailer"))
        #expect(message.request.fields.count(of: .host) == 1)
        #expect(!message.request.fields.contains("x-check"))
        #expect(message.request.trailers == ["x-check": "7", "x-check": "8"])
    }

    @Test func `trailers belong to one request only`() throws {
        let text =
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-A: 1\r\n\r\n"
            + "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        var parser = HTTP1RequestParser(limits: HTTP1Limits())
        var trailers: [HTTPFields] = []
        try Array(text.utf8).withUnsafeBytes { all in
            var bytes = all
            while let message = try parser.parse(&bytes, peer: .unknown) { trailers.append(message.request.trailers) }
        }
        #expect(trailers == [["x-a": "1"], [:]])
    }

    @Test(arguments: [
        ("HTTP/1.1", "", true), ("HTTP/1.1", "close", false), ("HTTP/1.1", "Keep-Alive, Close", false),
        ("HTTP/1.1", "upgrade", true), ("HTTP/1.0", "", false), ("HTTP/1.0", "keep-alive", true),
        ("HTTP/1.0", "x, KEEP-ALIVE", true), ("HTTP/1.2", "", true),
        ("HTTP/1.0", "keep-alive, close", false),
    ])
    func `keep-alive depends on the HTTP version and the connection field`(
        _ version: String, _ connection: String, _ keepsAlive: Bool
    ) throws {
        let message = try #require(
            try Outcome.request("GET / \(version)\r\nHost: h\r\nConnection: \(connection)\r\n\r\n"))
        #expect(message.exchange.keepsAlive == keepsAlive)
        #expect(message.exchange.isVersion10 == (version == "HTTP/1.0"))
    }

    @Test func `a client that expects 100 gets it once, and only if its body has not arrived`() throws {
        let head = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        var parser = HTTP1RequestParser(limits: HTTP1Limits())
        #expect(try feed(head, to: &parser) == nil)
        #expect(expectsContinue(&parser))
        #expect(!expectsContinue(&parser))
        #expect(try feed("ab", to: &parser)?.request.body == Array("ab".utf8))
        #expect(try feed(head + "a", to: &parser) == nil)
        #expect(!expectsContinue(&parser))
    }

    @Test func `HTTP 1.0 requests get no interim 100 response`() throws {
        var parser = HTTP1RequestParser(limits: HTTP1Limits())
        _ = try feed("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n", to: &parser)
        #expect(parser.phase == .body)
        #expect(!expectsContinue(&parser))
    }

    @Test func `the phase states which part of the request is expected next`() throws {
        var parser = HTTP1RequestParser(limits: HTTP1Limits())
        #expect(parser.phase == .idle)
        _ = try feed("POST / HTTP/1.1\r\n", to: &parser)
        #expect(parser.phase == .head)
        _ = try feed("Host: h\r\nContent-Length: 2\r\n\r\na", to: &parser)
        #expect(parser.phase == .body)
        #expect(parser.bodyCount == 1)
        #expect(try feed("b", to: &parser) != nil)
        #expect(parser.phase == .idle)
        #expect(parser.bodyCount == 0)
    }

    @Test func `a declared body that has not arrived uses no memory`() throws {
        var parser = HTTP1RequestParser(limits: HTTP1Limits(bodyBytes: 1 << 40))
        _ = try feed("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000000000\r\n\r\nx", to: &parser)
        #expect(parser.bodyCount == 1)
    }

    private func expectsContinue(_ parser: inout HTTP1RequestParser) -> Bool { parser.takeContinueExpectation() }

    private func feed(_ text: String, to parser: inout HTTP1RequestParser) throws -> HTTP1Message? {
        try Array(text.utf8).withUnsafeBytes { bytes in
            var rest = bytes
            let message = try parser.parse(&rest, peer: .unknown)
            #expect(rest.isEmpty)
            return message
        }
    }
}
