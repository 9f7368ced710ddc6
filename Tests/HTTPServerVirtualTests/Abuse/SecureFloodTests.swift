import HTTPModel
import HTTPServer
import HTTPServerTesting
import TLS
import Testing

/// Attacks below HTTP.
@Suite struct SecureFloodTests {
    private func server() throws -> HTTPVirtualServer {
        let source = try TLSContextSource(TLSConfiguration(identities: [try .selfSigned()]))
        return try HTTPVirtualServer(configure: { $0.tls = HTTPServerTLS(source: source, port: 0) }) { _, _ in
            .response(HTTPResponse(status: .ok, body: .bytes(Array("ok".utf8))))
        }
    }

    private let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test func `a client that only updates its keys is disconnected`() throws {
        let server = try server()
        let client = try server.connectSecurely()
        var sent = 0
        while !client.hasEnded, sent < 50_000 {
            do { try client.updateKeys(times: 50) } catch is HTTPTestError { break }
            sent += 50
            server.run()
            do { try client.receiveAvailable() } catch is HTTPTestError { break }
        }
        #expect(sent < 5000)
        server.run()
        #expect(server.connectionCount == 0)
    }

    @Test func `requests are answered between key updates`() throws {
        let server = try server()
        let client = try server.connectSecurely()
        for _ in 0..<20 {
            try client.updateKeys()
            try client.send(get)
            #expect(try client.receiveResponse().text == "ok")
        }
    }

    @Test func `records without content end the connection`() throws {
        let server = try server()
        let client = try server.connect(from: HTTPPeer(address: "192.0.2.7", port: 1), isSecure: true)
        // Warning alerts other than close_notify, before the keys are negotiated.
        let warning: [UInt8] = [0x15, 0x03, 0x03, 0x00, 0x02, 0x01, 0x5A]
        for _ in 0..<10_000 where !client.hasEnded {
            do { try client.send(warning) } catch is HTTPTestError { break }
        }
        server.run()
        #expect(server.connectionCount == 0)
    }

    @Test func `a handshake that is spread over many records times out`() throws {
        let server = try server()
        let client = try server.connectToSecurePort()
        // One byte of an endless handshake message in each record, one record per second.
        for step in 0..<30 where !client.hasEnded {
            let first: [UInt8] = [0x01, 0x00, 0xFF, 0x00]
            let byte = step < first.count ? first[step] : 0
            do { try client.send([0x16, 0x03, 0x01, 0x00, 0x01, byte]) } catch is HTTPTestError { break }
            server.advance(by: .seconds(1))
        }
        #expect(server.connectionCount == 0)
    }
}
