import HTTP1
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

@Suite struct HostileRequestTests {
    private func server() throws -> HTTPTestServer {
        try HTTPTestServer(
            configure: { configuration in
                configuration.allowedHosts = ["h"]
                configuration.limits.targetBytes = 64
                configuration.limits.headBytes = 512
                configuration.limits.fieldCount = 16
                configuration.limits.bodyBytes = 64
                configuration.limits.trailerBytes = 96
            },
            respond: { _, _ in .response(HTTPResponse(status: .ok, body: .bytes(Array("fine".utf8)))) })
    }

    private func expectService(_ server: HTTPTestServer) throws {
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        let response = try client.receiveResponse()
        #expect(response.status == 200)
        #expect(response.text == "fine")
    }

    @Test func `there are at least sixty hostile requests`() {
        #expect(HostileRequest.all.count >= 60)
    }

    @Test func `each hostile request gets its status and the server continues`() async throws {
        let server = try server()
        for request in HostileRequest.all {
            let client = try server.connect()
            try client.send(request.text)
            if request.ends { client.finishSending() }
            let response = try client.receiveResponse()
            #expect(response.status == request.status, "\(request.testDescription)")
            #expect(response.problemKind == request.kind, "\(request.testDescription)")
            #expect(response.fields.value(.xContentTypeOptions) == "nosniff", "\(request.testDescription)")
            #expect(response.fields.value(.connection) == "close", "\(request.testDescription)")
            client.finishSending()
            #expect(try client.receiveToEnd().isEmpty, "\(request.testDescription)")
            #expect(!client.wasReset, "\(request.testDescription)")
        }
        try expectService(server)
        await server.shutdown()
    }

    @Test func `input after an unparsable request is ignored`() async throws {
        let server = try server()
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost : h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveResponse().status == 400)
        client.finishSending()
        #expect(try client.receiveToEnd().isEmpty)
        await server.shutdown()
    }

    @Test func `valid requests before an invalid one are answered`() async throws {
        let server = try server()
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\n\r\n")
        let statuses = try (0..<3).map { _ in try client.receiveResponse().status }
        #expect(statuses == [200, 200, 400])
        await server.shutdown()
    }

    @Test func `a client that disconnects at any point does not affect others`() async throws {
        let server = try server()
        let texts = [
            "", "G", "GET / HTTP/1.1\r\nHost: h\r\n", "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nab", "GET / HTTP/1.1\r\nHost : h\r\n\r\n",
            String(repeating: "GET / HTTP/1.1\r\nHost: h\r\n\r\n", count: 200),
        ]
        for text in texts {
            let client = try server.connect()
            try client.send(text)
            client.reset()
        }
        try expectService(server)
        await server.shutdown()
    }

    @Test func `hosts are compared without regard to case and port`() async throws {
        let server = try server()
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: H:8080\r\n\r\nGET / HTTP/1.1\r\nHost: h.evil\r\n\r\n")
        #expect(try client.receiveResponse().status == 200)
        let refusal = try client.receiveResponse()
        #expect(refusal.status == 421)
        // The request was parsed completely, so the connection continues.
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveResponse().status == 200)
        await server.shutdown()
    }
}
