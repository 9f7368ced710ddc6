import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Testing

/// Clients with every kind of fault at every byte.
@Suite struct FaultyClientTests {
    private let answered = Lock(0)

    private var echo: HTTPTestServer.Respond {
        { [answered] request, _ in
            answered.withLock { $0 += 1 }
            return .response(HTTPResponse(status: .ok, body: .bytes(request.body)))
        }
    }

    private func virtual() throws -> HTTPVirtualServer {
        var source = HTTPServerConfiguration()
        try HTTPTestWire.configure(&source)
        let tls = source.tls
        return try HTTPVirtualServer(configure: { $0.tls = tls }, respond: echo)
    }

    /// Connects, sends a request and receives the response.
    private func scenario(_ wire: HTTPTestWire, _ host: some HTTPTestHost, _ fault: HTTPTestFault) throws {
        let client = try wire.connect(to: host, fault: fault)
        #expect(try client.post("/", Array("content".utf8)).text == "content", "\(fault)")
        #expect(try client.get("/").status == 200, "\(fault)")
        client.socket.close()
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `bytes in pieces of any size result in the same requests`(_ wire: HTTPTestWire) throws {
        let server = try virtual()
        for size in [1, 2, 3, 5, 7, 16, 100] { try scenario(wire, server, .pieces(of: size)) }
        server.run()
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `delayed bytes are handled like all others`(_ wire: HTTPTestWire) throws {
        let server = try virtual()
        let start = server.now
        for position in stride(from: 1, to: 400, by: wire.isSecure ? 13 : 5) {
            try scenario(wire, server, .delay(.seconds(5), at: position))
        }
        #expect(server.now - start > .seconds(60))
    }

    /// Runs a client that is cut off at any position. Errors of the client are expected.
    private func cut(_ wire: HTTPTestWire, _ host: some HTTPTestHost, _ fault: HTTPTestFault) throws -> Bool {
        do {
            let client = try wire.connect(to: host, fault: fault)
            _ = try client.post("/", Array("content".utf8))
            let isCut = client.socket.isCut
            client.socket.close()
            return isCut
        } catch is HTTPTestError {
            return true
        }
    }

    @Test(arguments: HTTPTestWire.allCases, [HTTPTestFault.Incident.close, .reset, .finishSending])
    func `a client that is cut off at any byte leaves no connection behind`(
        _ wire: HTTPTestWire, _ incident: HTTPTestFault.Incident
    ) throws {
        let server = try virtual()
        // Handshakes are slow, so only every other byte is tested.
        let step = wire.isSecure ? 17 : 1
        var position = 0
        while try cut(wire, server, .cut(at: position, by: incident)) {
            server.advance(by: .seconds(70))
            #expect(server.connectionCount == 0, "cut at \(position)")
            position += step
        }
        // The last position must be beyond the complete request, which has at least so many bytes on every transport.
        #expect(position > 60)
        try scenario(wire, server, HTTPTestFault())
    }

    @Test func `a truncated request does not reach the responder`() throws {
        let server = try virtual()
        let request = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 7\r\n\r\ncontent"
        for position in 0..<request.utf8.count {
            let client = try server.connect()
            client.fault = .cut(at: position, by: .finishSending)
            try client.send(request)
            let rest = String(decoding: try client.receiveToEnd(), as: UTF8.self)
            #expect(rest.isEmpty == (position == 0), "\(position)")
            if position > 0 { #expect(rest.hasPrefix("HTTP/1.1 400 "), "\(position): \(rest)") }
        }
        #expect(answered.withLock { $0 } == 0)
    }
}
