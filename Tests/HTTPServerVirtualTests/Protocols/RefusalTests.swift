import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Testing

/// Rejection of malformed requests, however their bytes are split or delayed.
@Suite struct RefusalTests {
    private let asked = Lock<[String]>([])

    private func server() throws -> HTTPVirtualServer {
        var prepared = HTTPServerConfiguration()
        try HTTPTestWire.configure(&prepared)
        return try HTTPVirtualServer(configure: { $0 = prepared }) { [asked] request, _ in
            asked.withLock { $0.append(request.target) }
            return .response(HTTPResponse(status: .ok, body: .bytes(Array(request.target.utf8))))
        }
    }

    private static let faults: [HTTPTestFault] = [HTTPTestFault(), .byteByByte, .pieces(of: 7)]

    @Test(arguments: [HTTPTestWire.http1, .http1OverTLS], faults)
    func `an ambiguous request is rejected and its connection closed`(
        _ wire: HTTPTestWire, _ fault: HTTPTestFault
    ) throws {
        let server = try server()
        for shape in HTTPTestSmugglingShape.refused {
            let client = try wire.connect(to: server, fault: fault).socket
            // The server may close the connection before it has received all bytes.
            do { try client.send(shape.text) } catch is HTTPTestError {}
            client.finishSending()
            let response = try client.receiveResponse()
            #expect((400...505).contains(response.status), "\(shape)")
            #expect(response.fields.value(.connection) == "close", "\(shape)")
            #expect(response.problemKind != nil, "\(shape)")
            #expect(try client.receiveToEnd().isEmpty, "\(shape)")
        }
        #expect(asked.withLock { $0 }.isEmpty)
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: ["Host: a b\r\n\r\n", "Host: h\r\nExpect: magic\r\n\r\n", "Host: h\r\nbad line\r\n\r\n"])
    func `the response to a refused HEAD has no content`(_ fields: String) throws {
        let server = try server()
        let client = try HTTPTestWire.http1.connect(to: server).socket
        try client.send("HEAD / HTTP/1.1\r\n" + fields)
        client.finishSending()
        let response = String(decoding: try client.receiveToEnd(), as: UTF8.self)
        #expect(response.hasPrefix("HTTP/1.1 4") && response.contains("content-length: "))
        #expect(response.hasSuffix("\r\n\r\n") && response.split(separator: "\r\n\r\n").count == 1)
    }

    @Test(arguments: [HTTPTestWire.http1, .http1OverTLS], faults)
    func `text inside a body is never parsed as a request`(_ wire: HTTPTestWire, _ fault: HTTPTestFault) throws {
        let server = try server()
        for shape in HTTPTestSmugglingShape.harmless {
            let client = try wire.connect(to: server, fault: fault).socket
            try client.send(shape.text + "GET /next HTTP/1.1\r\nHost: h\r\n\r\n")
            let isHead = shape.text.hasPrefix("HEAD")
            #expect(try client.receiveResponse(toHead: isHead).status == 200, "\(shape)")
            #expect(try client.receiveResponse().text == "/next", "\(shape)")
        }
        #expect(!asked.withLock { $0 }.contains { $0.hasSuffix("/smuggled") })
    }

    private static let get = [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "h")]

    /// A few malformed requests. The tests of the engine have more.
    private static let malformed: [[(String, String)]] = [
        get + [("x-a", "a\0b")], get + [("x-a", "a\rb")], get + [("x-a", "a\nb")], get + [("X-A", "b")],
        get + [("connection", "close")], get + [("transfer-encoding", "chunked")], get + [("host", "other")],
        get + [("content-length", "5")], get.filter { $0.0 != ":path" }, get.filter { $0.0 != ":authority" },
    ]

    @Test(arguments: [HTTPTestWire.http2, .http2OverTLS], faults)
    func `a malformed HTTP 2 request resets its stream, does not reach the responder and affects no other stream`(
        _ wire: HTTPTestWire, _ fault: HTTPTestFault
    ) throws {
        let server = try server()
        for fields in RefusalTests.malformed {
            let client = try wire.open(server)
            client.fault = fault
            if wire.isSecure { try client.beginTLS(TLSTestOptions(protocols: ["h2"])) }
            let frames = [HTTP2TestFrame.headers(1, fields), .headers(3, RefusalTests.get)]
            try client.send(HTTP2TestFlood(name: "") { _ in [] }.greeting + frames.flatMap(\.bytes))
            server.run()
            try client.receiveAvailable()
            let answers = HTTP2TestFrame.reading(client.pending).filter { $0.stream > 0 }
            #expect(answers.filter { $0.stream == 1 }.map(\.kind) == [HTTP2TestFrame.Kind.reset], "\(fields)")
            #expect(answers.first { $0.stream == 1 }?.code == 1, "\(fields)")
            #expect(answers.contains { $0.stream == 3 && $0.kind == HTTP2TestFrame.Kind.headers }, "\(fields)")
        }
        #expect(asked.withLock { $0 }.count == RefusalTests.malformed.count)
    }
}
