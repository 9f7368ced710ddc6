import COpenSSL
import TLS
import Testing

@Suite struct TLSConnectionTests {
    private let authority: TestAuthority
    private let source: TLSContextSource

    init() throws {
        authority = try TestAuthority()
        source = try TLSContextSource(TLSConfiguration(identities: [try authority.issue().identity()]))
    }

    private func client(_ change: (inout TestClient.Options) -> Void = { _ in }) throws -> TestClient {
        var options = TestClient.Options()
        options.trusts = authority.pem
        change(&options)
        return try TestClient(source.current, options)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION], [16 << 10, 100, 1])
    func `content is sent in both directions and versions, however the bytes are split`(_ version: Int32, _ size: Int)
        throws
    {
        let client = try client { ($0.least, $0.most) = (version, version) }
        #expect(client.exchange(pieces: size) == .open)
        #expect(client.server.state == .open)
        #expect(client.server.version == (version == TLS1_3_VERSION ? "TLSv1.3" : "TLSv1.2"))
        #expect(client.server.serverName == "h.test")
        #expect(!client.server.cipher.isEmpty)
        client.write(Array("to the server".utf8))
        client.exchange(pieces: size)
        #expect(client.received == Array("to the server".utf8))
        try client.serverSend(Array("to the client".utf8))
        client.exchange()
        #expect(client.content == Array("to the client".utf8))
        #expect(client.serverError == nil)
    }

    @Test func `an earlier error in the thread's error queue does not affect the connection`() throws {
        let client = try client()
        client.advance()
        let hello = client.takeOutput()
        leaveErrorInQueue()
        client.feedServer(Array(hello.dropLast()))
        #expect(client.serverError == nil)
        client.feedServer(Array(hello.suffix(1)))
        #expect(client.exchange() == .open)
        client.write(Array("content".utf8))
        let record = client.takeOutput()
        leaveErrorInQueue()
        client.feedServer(Array(record.dropLast()))
        #expect(client.serverError == nil)
        client.feedServer(Array(record.suffix(1)))
        #expect(client.received == Array("content".utf8))
    }

    /// Leaves an error in the thread's queue, as careless code does: the parsed bytes are not a certificate.
    private func leaveErrorInQueue() {
        var pointer: UnsafePointer<UInt8>?
        let certificate = d2i_X509(nil, &pointer, 0)
        #expect(certificate == nil)
        #expect(ERR_peek_error() != 0)
    }

    @Test func `several records that arrive together are all read`() throws {
        let client = try client()
        client.exchange()
        for text in ["one ", "two ", "three"] { client.write(Array(text.utf8)) }
        let records = client.takeOutput()
        // The last record arrives in two pieces.
        client.feedServer(Array(records.dropLast(3)))
        #expect(client.received == Array("one two ".utf8))
        client.feedServer(Array(records.suffix(3)))
        #expect(client.received == Array("one two three".utf8))
    }

    @Test func `large content arrives complete`() throws {
        let client = try client()
        client.exchange()
        let much = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        client.write(much)
        client.exchange(pieces: 5000)
        #expect(client.received == much)
        try client.serverSend(much)
        client.exchange()
        #expect(client.content == much)
    }

    @Test(
        arguments: [
            (["h2", "http/1.1"], "h2"), (["http/1.1", "h2"], "h2"), (["http/1.1"], "http/1.1"), ([], nil),
            (["x", "http/1.1"], "http/1.1"),
        ] as [([String], String?)])
    func `the server chooses among the protocols of the client`(_ offered: [String], _ chosen: String?) throws {
        let client = try client { $0.protocols = offered }
        #expect(client.exchange() == .open)
        #expect(client.server.applicationProtocol == chosen)
    }

    @Test func `a client without a common protocol is rejected`() throws {
        let client = try client { $0.protocols = ["smtp"] }
        client.exchange()
        #expect(client.serverError?.reason == .handshake)
        #expect(client.state == .failed("tlsv1 alert no application protocol"))
    }

    @Test func `an old version is rejected with an alert`() throws {
        let client = try client { ($0.least, $0.most) = (TLS1_VERSION, TLS1_1_VERSION) }
        client.exchange()
        #expect(client.serverError?.reason == .handshake)
        #expect(client.server.state == .failed)
        #expect(client.state == .failed("tlsv1 alert protocol version"))
    }

    @Test func `if only the newest version is configured, others are rejected`() throws {
        var configuration = source.current.configuration
        configuration.minimumVersion = .v13
        try source.replace(with: configuration)
        let old = try client { $0.most = TLS1_2_VERSION }
        old.exchange()
        #expect(old.serverError?.reason == .handshake)
        #expect(try client().exchange() == .open)
    }

    @Test(arguments: ["AES128-SHA", "ECDHE-ECDSA-AES128-SHA", "AES128-GCM-SHA256", "NULL-SHA256"])
    func `a client that supports only old ciphers is rejected`(_ cipher: String) throws {
        let client = try client { ($0.most, $0.ciphers) = (TLS1_2_VERSION, cipher) }
        client.exchange()
        #expect(client.serverError?.reason == .handshake)
    }

    @Test(arguments: [
        ("ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES128-GCM-SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"),
        ("ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"),
        (
            "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES128-GCM-SHA256",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"
        ),
    ])
    func `the server's order of ciphers applies, except for clients that prefer ChaCha20`(
        _ offered: String, _ chosen: String
    ) throws {
        let client = try client { ($0.most, $0.ciphers) = (TLS1_2_VERSION, offered) }
        #expect(client.exchange() == .open)
        #expect(client.server.cipher == chosen)
    }

    @Test(arguments: [
        ("TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256"),
        ("TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"),
        ("TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_256_GCM_SHA384"),
    ])
    func `the server's order of cipher suites applies in TLS 1_3, too`(_ offered: String, _ chosen: String) throws {
        let client = try client { $0.suites = offered }
        #expect(client.exchange() == .open)
        #expect(client.server.cipher == chosen)
    }

    @Test func `a client that updates keys endlessly is disconnected`() throws {
        let client = try client()
        client.exchange()
        var changes = 0
        while client.serverError == nil, changes < 10_000 {
            client.changeKeys()
            client.exchange()
            changes += 1
        }
        #expect(client.serverError?.reason == .record)
        #expect((20..<4000).contains(changes))
        #expect(client.server.state == .failed)
    }

    @Test func `keys can be updated between content`() throws {
        let client = try client()
        client.exchange()
        for number in 0..<20 {
            client.changeKeys()
            client.write(Array("request \(number)".utf8))
            client.exchange()
        }
        #expect(client.serverError == nil)
        #expect(String(decoding: client.received, as: UTF8.self).hasSuffix("request 19"))
    }

    @Test(arguments: [1, 7, 16 << 10])
    func `content can arrive in one-byte records that are split anywhere`(_ size: Int) throws {
        let client = try client()
        client.exchange()
        let content = (0..<8000).map { UInt8(truncatingIfNeeded: $0) }
        for byte in content { client.write([byte]) }
        client.exchange(pieces: size)
        #expect(client.serverError == nil)
        #expect(client.received == content)
    }

    @Test func `large records can arrive in pieces`() throws {
        let client = try client()
        client.exchange()
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
        client.write(content)
        client.exchange(pieces: 100)
        #expect(client.serverError == nil)
        #expect(client.received == content)
    }

    @Test func `bytes that are not TLS are rejected`() throws {
        for text in ["GET / HTTP/1.1\r\nHost: h\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\0\0\0\0\0\0\0\0\0\0\0"]
        {
            let client = try client()
            client.feedServer(Array(text.utf8))
            #expect(client.serverError?.reason == .handshake, "\(text)")
            #expect(client.server.state == .failed)
        }
    }

    @Test func `a record that was changed in transit ends the connection with an alert`() throws {
        let client = try client()
        client.exchange()
        client.write(Array("secret".utf8))
        var bytes = client.takeOutput()
        bytes[bytes.count - 1] ^= 1
        client.feedServer(bytes)
        #expect(client.serverError?.reason == .record)
        #expect(client.server.state == .failed)
        #expect(client.received.isEmpty)
        client.exchange()
        #expect(client.state == .failed("sslv3 alert bad record mac"))
    }

    @Test func `a record that is too long ends the connection`() throws {
        let client = try client()
        client.exchange()
        client.feedServer([0x17, 0x03, 0x03, 0xFF, 0xFF] + Array(repeating: 0, count: 100))
        #expect(client.serverError?.reason == .record)
    }

    @Test func `a handshake that is interrupted stays incomplete`() throws {
        let client = try client()
        client.advance()
        let hello = client.takeOutput()
        client.feedServer(Array(hello.prefix(hello.count / 2)))
        #expect(client.server.state == .handshaking)
        #expect(client.server.hasOutput == false)
    }

    @Test func `a client that sends close_notify is distinguished from one that sends nothing`() throws {
        let polite = try client()
        polite.exchange()
        polite.write(Array("last".utf8))
        polite.close()
        polite.exchange()
        #expect(polite.received == Array("last".utf8))
        #expect(polite.server.state == .peerClosed)
        let silent = try client()
        silent.exchange()
        #expect(silent.server.state == .open)
    }

    @Test func `the server sends close_notify once and nothing afterwards`() throws {
        let client = try client()
        client.exchange()
        client.server.close()
        client.server.close()
        #expect(client.exchange() == .closed)
        #expect(throws: TLSError.self) { try client.serverSend([1]) }
    }

    @Test func `a client that has sent close_notify still gets its response`() throws {
        let client = try client { $0.most = TLS1_3_VERSION }
        client.exchange()
        client.close()
        client.exchange()
        #expect(client.server.state == .peerClosed)
        var output: [UInt8] = []
        try [UInt8](repeating: 1, count: 10).withUnsafeBytes { try client.server.write($0, into: &output) }
        #expect(output.count > 10)
    }

    @Test func `content is not written before the handshake is complete`() throws {
        let client = try client()
        #expect(throws: TLSError.self) { try client.serverSend([1]) }
    }

    @Test func `renegotiation is rejected`() throws {
        let client = try client { ($0.least, $0.most) = (TLS1_2_VERSION, TLS1_2_VERSION) }
        client.exchange()
        _ = client.renegotiate()
        client.write([1])
        client.exchange()
        #expect(client.state != .open)
    }

    @Test func `output is appended to the buffer`() throws {
        let client = try client()
        client.exchange()
        var output: [UInt8] = [1, 2, 3]
        try [UInt8](repeating: 9, count: 5).withUnsafeBytes { try client.server.write($0, into: &output) }
        #expect(output.starts(with: [1, 2, 3, 0x17, 0x03, 0x03]))
    }
}
