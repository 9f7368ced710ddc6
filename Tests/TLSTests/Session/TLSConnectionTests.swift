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

    private func client(_ change: (inout TestClient.Wishes) -> Void = { _ in }) throws -> TestClient {
        var wishes = TestClient.Wishes()
        wishes.trusts = authority.pem
        change(&wishes)
        return try TestClient(source.current, wishes)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION], [16 << 10, 100, 1])
    func `content goes both ways in both versions, however the bytes are cut`(_ version: Int32, _ size: Int) throws {
        let client = try client { ($0.least, $0.most) = (version, version) }
        #expect(client.talk(pieces: size) == .open)
        #expect(client.server.state == .open)
        #expect(client.server.version == (version == TLS1_3_VERSION ? "TLSv1.3" : "TLSv1.2"))
        #expect(client.server.serverName == "h.test")
        #expect(!client.server.cipher.isEmpty)
        client.write(Array("to the server".utf8))
        client.talk(pieces: size)
        #expect(client.received == Array("to the server".utf8))
        try client.serverSays(Array("to the client".utf8))
        client.talk()
        #expect(client.content == Array("to the client".utf8))
        #expect(client.serverError == nil)
    }

    @Test func `what went wrong elsewhere on the thread is no error of the connection`() throws {
        let client = try client()
        client.advance()
        let hello = client.takeOutput()
        leaveAnError()
        client.give(Array(hello.dropLast()))
        #expect(client.serverError == nil)
        client.give(Array(hello.suffix(1)))
        #expect(client.talk() == .open)
        client.write(Array("content".utf8))
        let record = client.takeOutput()
        leaveAnError()
        client.give(Array(record.dropLast()))
        #expect(client.serverError == nil)
        client.give(Array(record.suffix(1)))
        #expect(client.received == Array("content".utf8))
    }

    /// As a library does that does not clean up: what it asks for is no certificate.
    private func leaveAnError() {
        var pointer: UnsafePointer<UInt8>?
        let certificate = d2i_X509(nil, &pointer, 0)
        #expect(certificate == nil)
        #expect(ERR_peek_error() != 0)
    }

    @Test func `records that come together are all read`() throws {
        let client = try client()
        client.talk()
        for text in ["one ", "two ", "three"] { client.write(Array(text.utf8)) }
        let records = client.takeOutput()
        // The last one comes in two parts, the first of which ends inside it.
        client.give(Array(records.dropLast(3)))
        #expect(client.received == Array("one two ".utf8))
        client.give(Array(records.suffix(3)))
        #expect(client.received == Array("one two three".utf8))
    }

    @Test func `much content arrives whole`() throws {
        let client = try client()
        client.talk()
        let much = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        client.write(much)
        client.talk(pieces: 5000)
        #expect(client.received == much)
        try client.serverSays(much)
        client.talk()
        #expect(client.content == much)
    }

    @Test(
        arguments: [
            (["h2", "http/1.1"], "h2"), (["http/1.1", "h2"], "h2"), (["http/1.1"], "http/1.1"), ([], nil),
            (["x", "http/1.1"], "http/1.1"),
        ] as [([String], String?)])
    func `the server's favourite of the client's protocols is spoken`(_ offered: [String], _ chosen: String?) throws {
        let client = try client { $0.protocols = offered }
        #expect(client.talk() == .open)
        #expect(client.server.applicationProtocol == chosen)
    }

    @Test func `a client that speaks none of the protocols is turned away`() throws {
        let client = try client { $0.protocols = ["smtp"] }
        client.talk()
        #expect(client.serverError?.reason == .handshake)
        #expect(client.fate == .failed("tlsv1 alert no application protocol"))
    }

    @Test func `an old version is turned away, and told so`() throws {
        let client = try client { ($0.least, $0.most) = (TLS1_VERSION, TLS1_1_VERSION) }
        client.talk()
        #expect(client.serverError?.reason == .handshake)
        #expect(client.server.state == .failed)
        #expect(client.fate == .failed("tlsv1 alert protocol version"))
    }

    @Test func `where only the newest version is configured, others are turned away`() throws {
        var configuration = source.current.configuration
        configuration.minimumVersion = .v13
        try source.replace(with: configuration)
        let old = try client { $0.most = TLS1_2_VERSION }
        old.talk()
        #expect(old.serverError?.reason == .handshake)
        #expect(try client().talk() == .open)
    }

    @Test(arguments: ["AES128-SHA", "ECDHE-ECDSA-AES128-SHA", "AES128-GCM-SHA256", "NULL-SHA256"])
    func `a client that knows old ciphers only is turned away`(_ cipher: String) throws {
        let client = try client { ($0.most, $0.ciphers) = (TLS1_2_VERSION, cipher) }
        client.talk()
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
    func `the order of ciphers is the server's, but for a client that likes ChaCha20 best`(
        _ offered: String, _ chosen: String
    ) throws {
        let client = try client { ($0.most, $0.ciphers) = (TLS1_2_VERSION, offered) }
        #expect(client.talk() == .open)
        #expect(client.server.cipher == chosen)
    }

    @Test(arguments: [
        ("TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256"),
        ("TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"),
        ("TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_256_GCM_SHA384"),
    ])
    func `the order of TLS 1_3's ciphers is the server's, too`(_ offered: String, _ chosen: String) throws {
        let client = try client { $0.suites = offered }
        #expect(client.talk() == .open)
        #expect(client.server.cipher == chosen)
    }

    @Test func `a client that changes keys without end is cut off`() throws {
        let client = try client()
        client.talk()
        var changes = 0
        while client.serverError == nil, changes < 10_000 {
            client.changeKeys()
            client.talk()
            changes += 1
        }
        #expect(client.serverError?.reason == .record)
        #expect((20..<4000).contains(changes))
        #expect(client.server.state == .failed)
    }

    @Test func `keys may be changed between content`() throws {
        let client = try client()
        client.talk()
        for number in 0..<20 {
            client.changeKeys()
            client.write(Array("request \(number)".utf8))
            client.talk()
        }
        #expect(client.serverError == nil)
        #expect(String(decoding: client.received, as: UTF8.self).hasSuffix("request 19"))
    }

    @Test(arguments: [1, 7, 16 << 10])
    func `content may come in records of a byte, cut anywhere`(_ size: Int) throws {
        let client = try client()
        client.talk()
        let content = (0..<8000).map { UInt8(truncatingIfNeeded: $0) }
        for byte in content { client.write([byte]) }
        client.talk(pieces: size)
        #expect(client.serverError == nil)
        #expect(client.received == content)
    }

    @Test func `large records may come in pieces`() throws {
        let client = try client()
        client.talk()
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
        client.write(content)
        client.talk(pieces: 100)
        #expect(client.serverError == nil)
        #expect(client.received == content)
    }

    @Test func `what is no TLS is turned away`() throws {
        for text in ["GET / HTTP/1.1\r\nHost: h\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\0\0\0\0\0\0\0\0\0\0\0"]
        {
            let client = try client()
            client.give(Array(text.utf8))
            #expect(client.serverError?.reason == .handshake, "\(text)")
            #expect(client.server.state == .failed)
        }
    }

    @Test func `a record that was changed on its way ends the connection, and the client is told`() throws {
        let client = try client()
        client.talk()
        client.write(Array("secret".utf8))
        var bytes = client.takeOutput()
        bytes[bytes.count - 1] ^= 1
        client.give(bytes)
        #expect(client.serverError?.reason == .record)
        #expect(client.server.state == .failed)
        #expect(client.received.isEmpty)
        client.talk()
        #expect(client.fate == .failed("sslv3 alert bad record mac"))
    }

    @Test func `a record that is too long ends the connection`() throws {
        let client = try client()
        client.talk()
        client.give([0x17, 0x03, 0x03, 0xFF, 0xFF] + Array(repeating: 0, count: 100))
        #expect(client.serverError?.reason == .record)
    }

    @Test func `a handshake that stops half way is told from a good end`() throws {
        let client = try client()
        client.advance()
        let hello = client.takeOutput()
        client.give(Array(hello.prefix(hello.count / 2)))
        #expect(client.server.state == .handshaking)
        #expect(client.server.hasOutput == false)
        #expect(throws: TLSError.self) { try client.server.readEnd() }
        #expect(client.server.state == .failed)
    }

    @Test func `a client that says goodbye is told from one that is cut off`() throws {
        let polite = try client()
        polite.talk()
        polite.write(Array("last".utf8))
        polite.close()
        polite.talk()
        #expect(polite.received == Array("last".utf8))
        #expect(polite.server.state == .peerClosed)
        try polite.server.readEnd()
        let cut = try client()
        cut.talk()
        let error = #expect(throws: TLSError.self) { try cut.server.readEnd() }
        #expect(error?.reason == .truncated)
    }

    @Test func `the server says goodbye, once, and then nothing`() throws {
        let client = try client()
        client.talk()
        client.server.close()
        client.server.close()
        #expect(client.talk() == .closed)
        #expect(throws: TLSError.self) { try client.serverSays([1]) }
    }

    @Test func `a client that has said goodbye still gets its answer`() throws {
        let client = try client { $0.most = TLS1_3_VERSION }
        client.talk()
        client.close()
        client.talk()
        #expect(client.server.state == .peerClosed)
        var output: [UInt8] = []
        try [UInt8](repeating: 1, count: 10).withUnsafeBytes { try client.server.write($0, into: &output) }
        #expect(output.count > 10)
    }

    @Test func `content is not written before the handshake is over`() throws {
        let client = try client()
        #expect(throws: TLSError.self) { try client.serverSays([1]) }
    }

    @Test func `nobody shakes hands a second time`() throws {
        let client = try client { ($0.least, $0.most) = (TLS1_2_VERSION, TLS1_2_VERSION) }
        client.talk()
        _ = client.renegotiate()
        client.write([1])
        client.talk()
        #expect(client.fate != .open)
    }

    @Test func `output goes behind what is there`() throws {
        let client = try client()
        client.talk()
        var output: [UInt8] = [1, 2, 3]
        try [UInt8](repeating: 9, count: 5).withUnsafeBytes { try client.server.write($0, into: &output) }
        #expect(output.starts(with: [1, 2, 3, 0x17, 0x03, 0x03]))
    }
}
