import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Testing

/// Shutdown of idle connections.
@Suite struct DrainTests {
    /// Runs while `/now` is being answered. Accessed only on the test's thread.
    private let whileAnswering = Lock<(@Sendable () -> Void)?>(nil)

    private func server(_ configure: (inout HTTPServerConfiguration) -> Void = { _ in }) throws -> HTTPVirtualServer {
        try HTTPVirtualServer(configure: configure) { [whileAnswering] request, _ in
            if request.path == "/now" { whileAnswering.withLock { $0 }?() }
            return .response(HTTPResponse(status: .ok, body: .bytes(Array("\(request.path)".utf8))))
        }
    }

    /// Sendable because the client and the server run on the test's thread.
    private struct LateRequest: @unchecked Sendable {
        let client: HTTPTestClient
        func send() { try? client.send("GET /late HTTP/1.1\r\nHost: h\r\n\r\n") }
    }

    @Test func `a request that has just arrived is answered even if the loop has not read it`() throws {
        let server = try server()
        let (first, second) = (try server.connect(), try server.connect())
        try second.send("GET /early HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try second.receiveResponse().text == "/early")
        // It arrives in the round that starts the shutdown, after the sockets were polled.
        let late = LateRequest(client: second)
        whileAnswering.withLock { $0 = { late.send() } }
        try first.send("GET /now HTTP/1.1\r\nHost: h\r\n\r\n")
        server.drain()
        let answer = try second.receiveResponse()
        #expect(answer.text == "/late")
        #expect(answer.fields.value(.connection) == "close")
        #expect(try second.receiveToEnd().isEmpty)
        #expect(!second.wasReset)
        #expect(try first.receiveResponse().text == "/now")
    }

    @Test func `an idle connection is closed after half of the drain timeout`() throws {
        let server = try server { $0.drainTimeout = .seconds(8) }
        let (resting, going) = (try server.connect(), try server.connect())
        for client in [resting, going] {
            try client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.receiveResponse().fields.value(.connection) == nil)
        }
        server.handOver()
        server.advance(by: .milliseconds(3999))
        #expect(server.connectionCount == 2)
        try going.send("GET /b HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try going.receiveResponse().fields.value(.connection) == "close")
        #expect(try going.receiveToEnd().isEmpty)
        going.close()
        server.advance(by: .milliseconds(1))
        #expect(server.connectionCount == 0)
        #expect(try resting.receiveToEnd().isEmpty)
        #expect(!resting.wasReset)
    }
}
