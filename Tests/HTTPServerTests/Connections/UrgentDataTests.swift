import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

/// TCP urgent data (`MSG_OOB`), which is part of the byte stream.
@Suite struct UrgentDataTests {
    private func server() throws -> HTTPTestServer {
        try HTTPTestServer { request, _ in
            .response(HTTPResponse(status: .ok, body: .bytes(Array("\(request.target) ".utf8) + request.body)))
        }
    }

    private static let text = "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello"

    @Test(arguments: Array(1...text.utf8.count))
    func `a request with an urgent byte at any position is answered`(_ count: Int) async throws {
        let server = try server()
        let client = try server.connect()
        try client.sendUrgent(String(UrgentDataTests.text.prefix(count)))
        try client.send(String(UrgentDataTests.text.dropFirst(count)) + HTTPRequestText.get("/b"))
        #expect(try client.receiveResponse().text == "/a hello")
        #expect(try client.receiveResponse().text == "/b ")
        await server.shutdown()
    }

    @Test func `a request of only urgent bytes is answered`() async throws {
        let server = try server()
        let client = try server.connect()
        for _ in 0..<20 {
            for byte in UrgentDataTests.text { try client.sendUrgent(String(byte)) }
            #expect(try client.receiveResponse().text == "/a hello")
        }
        await server.shutdown()
    }

    @Test func `a misplaced urgent byte makes the request invalid`() async throws {
        let server = try server()
        let client = try server.connect()
        try client.send("GET /")
        try client.sendUrgent(" ")
        try client.send(" HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveResponse().status == 400)
        await server.shutdown()
    }

    @Test func `an HTTP 2 connection accepts urgent bytes`() async throws {
        let server = try server()
        let session = HTTP2TestClient()
        let stream = session.request("GET", "/a")
        let socket = try server.connect()
        let bytes = session.takeOutput()
        for part in stride(from: 0, to: bytes.count, by: 7) {
            try socket.sendUrgent(Array(bytes[part..<min(part + 7, bytes.count)]))
        }
        let connection = try HTTP2TestConnection(over: socket, session: session)
        try connection.wait { $0.answers[stream]?.isWhole == true }
        #expect(connection.session.answers[stream]?.text == "/a ")
        await server.shutdown()
    }

    @Test func `a Unix socket accepts urgent bytes if the system supports them`() async throws {
        let folder = try SocketFolder()
        let server = try HTTPTestServer(
            configure: { $0.listeners = [HTTPListener(.unix(path: folder("a")), role: .public)] },
            respond: { request, _ in .response(HTTPResponse(status: .ok, body: .bytes(request.body))) })
        let client = try HTTPTestClient(unixSocket: folder("a"))
        do {
            try client.sendUrgent(String(UrgentDataTests.text.prefix(9)))
        } catch is HTTPTestError {
            return await server.shutdown()
        }
        try client.send(String(UrgentDataTests.text.dropFirst(9)))
        #expect(try client.receiveResponse().text == "hello")
        await server.shutdown()
    }
}
