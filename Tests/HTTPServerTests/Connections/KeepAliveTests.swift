import HTTP1
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

@Suite struct KeepAliveTests {
    /// Responds with the content of the request.
    private func echo(_ configure: (inout HTTPServerConfiguration) -> Void = { _ in }) throws -> HTTPTestServer {
        try HTTPTestServer(configure: configure) { request, _ in
            let text = "\(request.method.rawValue) \(request.target) \(String(decoding: request.body, as: UTF8.self))"
            return .response(HTTPResponse(status: .ok, body: .bytes(Array(text.utf8))))
        }
    }

    @Test func `one connection carries many requests`() async throws {
        let server = try echo()
        let client = try server.connect()
        for number in 0..<50 {
            try client.send("POST /\(number) HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi")
            #expect(try client.receiveResponse().text == "POST /\(number) hi")
        }
        #expect(server.connectionCount == 1)
        await server.shutdown()
    }

    @Test func `pipelined requests are answered in order`() async throws {
        let server = try echo()
        let client = try server.connect()
        let count = 5000
        var text = ""
        for number in 0..<count { text += "GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n" }
        try client.send(text)
        for number in 0..<count {
            let answer = try client.receiveResponse().text
            guard answer == "GET /\(number) " else {
                Issue.record("expected \(number), got \(answer)")
                break
            }
        }
        await server.shutdown()
    }

    @Test func `a request that arrives byte by byte is answered`() async throws {
        let server = try echo()
        let client = try server.connect()
        try client.sendByteByByte(
            "POST /slow HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        #expect(try client.receiveResponse().text == "POST /slow abcde")
        await server.shutdown()
    }

    @Test func `a body larger than any buffer arrives complete`() async throws {
        let server = try HTTPTestServer(configure: { $0.limits.bodyBytes = 8 << 20 }) { request, _ in
            .response(HTTPResponse(status: .ok, body: .bytes(request.body)))
        }
        let client = try server.connect()
        let body = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.count)\r\n\r\n")
        try client.send(body)
        #expect(try client.receiveResponse().body == body)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveResponse().status == 200)
        await server.shutdown()
    }

    @Test func `a client that expects 100 gets an interim response`() async throws {
        let server = try echo()
        let client = try server.connect()
        try client.send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(try client.receiveHead().status == 100)
        try client.send("ok")
        #expect(try client.receiveResponse().text == "POST / ok")
        await server.shutdown()
    }

    @Test func `a response to HEAD has no content and the connection continues`() async throws {
        let server = try echo()
        let client = try server.connect()
        try client.send("HEAD /a HTTP/1.1\r\nHost: h\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n")
        let head = try client.receiveResponse(toHead: true)
        #expect(head.fields.value(.contentLength) == "8")
        #expect(try client.receiveResponse().text == "GET /b ")
        await server.shutdown()
    }

    @Test func `a client that sends Connection close gets its response and then the end`() async throws {
        let server = try echo()
        let client = try server.connect()
        try client.send("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n")
        let response = try client.receiveResponse()
        #expect(response.text == "GET /a ")
        #expect(response.fields.value(.connection) == "close")
        #expect(try client.receiveToEnd().isEmpty)
        await server.shutdown()
    }

    @Test func `an HTTP 1.0 connection stays open only on request`() async throws {
        let server = try echo()
        let short = try server.connect()
        try short.send("GET /a HTTP/1.0\r\n\r\n")
        #expect(try short.receiveResponse().text == "GET /a ")
        #expect(try short.receiveToEnd().isEmpty)
        let long = try server.connect()
        try long.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(try long.receiveResponse().fields.value(.connection) == "keep-alive")
        try long.send("GET /b HTTP/1.0\r\n\r\n")
        #expect(try long.receiveResponse().text == "GET /b ")
        await server.shutdown()
    }

    @Test func `a client that has half-closed its connection still gets its responses`() async throws {
        let server = try echo()
        let client = try server.connect()
        try client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n")
        client.finishSending()
        #expect(try client.receiveResponse().text == "GET /a ")
        #expect(try client.receiveResponse().text == "GET /b ")
        #expect(try client.receiveToEnd().isEmpty)
        #expect(!client.wasReset)
        await server.shutdown()
    }

    @Test func `a connection over the limit gets 503`() async throws {
        let server = try echo { $0.connectionLimit = 2 }
        let clients = try (0..<2).map { _ in try server.connect() }
        for client in clients {
            try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.receiveResponse().status == 200)
        }
        let extra = try server.connect()
        let refusal = try extra.receiveResponse()
        #expect(refusal.status == 503)
        #expect(refusal.problemKind == "server-full")
        #expect(refusal.fields.contains(.retryAfter))
        extra.close()
        clients[0].close()
        #expect(await eventually { server.connectionCount == 1 })
        let next = try server.connect()
        try next.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try next.receiveResponse().status == 200)
        await server.shutdown()
    }
}
