import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

/// Framing of requests (RFC 9112 §6, §7), over real sockets.
@Suite struct RequestFramingTests {
    private static let head = "POST / HTTP/1.1\r\nHost: h\r\n"
    private static let next = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"

    private func server() throws -> HTTPTestServer {
        try Transport.server { request, _ in
            .response(HTTPResponse(status: .ok, body: .bytes(Array(request.target.utf8) + request.body)))
        }
    }

    /// Sends a request followed by another one. Expects one error response and the end of the connection.
    private func expect(
        _ status: Int, kind: String, to bytes: [UInt8], from server: HTTPTestServer, over wire: HTTPTestWire
    ) throws {
        let shown = String(decoding: bytes, as: UTF8.self).debugDescription
        let client = try wire.connect(to: server).socket
        try client.send(bytes + Array(RequestFramingTests.next.utf8))
        let response = try client.receiveResponse()
        #expect(response.status == status, "\(shown)")
        #expect(response.problemKind == kind, "\(shown)")
        #expect(response.fields.value(.connection) == "close", "\(shown)")
        client.finishSending()
        #expect(try client.receiveToEnd().isEmpty, "\(shown)")
    }

    /// Extensions as bytes, some of which are not valid UTF-8.
    private static let malformedExtensions: [[UInt8]] =
        [
            ";", ";;", "; ", ";a;", ";=", ";=b", ";bad[=x", ";a=", ";a=b=c", ";a=b c", ";a=\"", ";a=\"b", ";a=\"b\\",
            ";a=\"b\\\"", ";a=\"b\"c", ";\"a\"", ";a=[b]", ";a,b", ";a=b ", ";a\t", " ;;a", ";a=\"\u{7f}\"",
        ].map { Array($0.utf8) } + [
            [0x3B, 0xFF], [0x3B, 0x61, 0xFF], [0x3B, 0x61, 0x3D, 0xFF], [0x3B, 0x00],
            [0x3B, 0x61, 0x3D, 0x22, 0x01, 0x22],
        ]

    @Test(arguments: [HTTPTestWire.http1, .http1OverTLS])
    func `a malformed chunk extension gets 400 and ends the connection`(_ wire: HTTPTestWire) async throws {
        let server = try server()
        let head = Array("\(RequestFramingTests.head)Transfer-Encoding: chunked\r\n\r\n".utf8)
        for malformed in RequestFramingTests.malformedExtensions {
            for (size, rest) in [("5", "\r\nabcde\r\n0\r\n\r\n"), ("0", "\r\n\r\n")] {
                try expect(
                    400, kind: "malformed-request", to: head + size.utf8 + malformed + rest.utf8, from: server,
                    over: wire)
            }
            // The last chunk is checked like the others.
            let late = head + "1\r\na\r\n0".utf8 + malformed + "\r\n\r\n".utf8
            try expect(400, kind: "malformed-request", to: late, from: server, over: wire)
        }
        await server.shutdown()
    }

    @Test func `well-formed chunk extensions are ignored`() async throws {
        let server = try server()
        let client = try server.connect()
        let extensions: [[UInt8]] =
            [";a", ";a=b", ";a=\"b;c\"", " ;\ta \t=  b", ";a;b=\"\\\"\\\\\";c", ";a=\"\""].map { Array($0.utf8) } + [
                [0x3B, 0x61, 0x3D, 0x22, 0xFF, 0x5C, 0xFF, 0x09, 0x22]
            ]
        for text in extensions {
            let head = "\(RequestFramingTests.head)Transfer-Encoding: chunked\r\n\r\n5"
            try client.send(Array(head.utf8) + text + "\r\nabcde\r\n0".utf8 + text + "\r\n\r\n".utf8)
            #expect(try client.receiveResponse().text == "/abcde")
        }
        await server.shutdown()
    }

    @Test(arguments: [HTTPTestWire.http1, .http1OverTLS])
    func `a final coding that is not chunked gets 400, an unknown one before it 501`(_ wire: HTTPTestWire) async throws
    {
        let server = try server()
        let malformed = [
            "identity", "gzip", "xchunked", "chunkedx", "chunked, gzip", "chunked, identity", "chunked,x",
            "gzip, deflate",
            "chunked, chunked", "chunked, gzip, chunked", "chunked;q=1", "gzip, chunked;q=1", "gzip;a=\", chunked", ",",
            "",
            "chunked,", "chunked\r\nTransfer-Encoding: gzip", "gzip\r\nTransfer-Encoding: identity",
            "chunked\r\nContent-Length: 5", "gzip, chunked\r\nContent-Length: 5",
        ]
        let unknown = [
            "gzip, chunked", "identity, chunked", "gzip;a=\"b, c\", Chunked", "gzip\r\nTransfer-Encoding: chunked",
        ]
        for (codings, status, kind) in [(malformed, 400, "malformed-request"), (unknown, 501, "not-implemented")] {
            for coding in codings {
                let text = "\(RequestFramingTests.head)Transfer-Encoding: \(coding)\r\n\r\n0\r\n\r\n"
                try expect(status, kind: kind, to: Array(text.utf8), from: server, over: wire)
            }
        }
        await server.shutdown()
    }

    @Test func `a later minor version of HTTP 1 is served as HTTP 1.1`() async throws {
        let server = try server()
        let client = try server.connect()
        for version in 1...9 {
            try client.send("GET /\(version) HTTP/1.\(version)\r\nHost: h\r\n\r\n")
            let response = try client.receiveResponse()
            #expect(response.version == "HTTP/1.1")
            #expect(response.text == "/\(version)")
        }
        await server.shutdown()
    }
}
