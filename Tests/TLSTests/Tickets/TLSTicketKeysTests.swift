import COpenSSL
import TLS
import Testing

@Suite struct TLSTicketKeysTests {
    private let source: TLSContextSource
    private let authority: TestAuthority

    init() throws {
        authority = try TestAuthority()
        source = try TLSContextSource(TLSConfiguration(identities: [try authority.issue().identity()]))
    }

    /// Connects, and resumes the session of an earlier client if one is passed.
    private func connect(_ version: Int32, after earlier: TestClient? = nil) throws -> TestClient {
        var options = TestClient.Options()
        (options.least, options.most) = (version, version)
        let session = try earlier?.takeSession()
        defer { session.map(SSL_SESSION_free) }
        options.session = session
        let client = try TestClient(source.current, options)
        #expect(client.exchange() == .open)
        // In TLS 1.3, tickets arrive after the handshake.
        try client.serverSend([1])
        client.exchange()
        client.close()
        return client
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a returning client resumes its session`(_ version: Int32) throws {
        let first = try connect(version)
        #expect(!first.isResumed)
        let second = try connect(version, after: first)
        #expect(second.isResumed)
        #expect(second.server.isResumed)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a full handshake issues one ticket`(_ version: Int32) throws {
        #expect(try connect(version).ticketCount == 1)
    }

    @Test func `a client of TLS 1.3 gets a new ticket each time it resumes`() throws {
        var client = try connect(TLS1_3_VERSION)
        var tickets: Set<[UInt8]> = [try client.ticket]
        for _ in 0..<3 {
            client = try connect(TLS1_3_VERSION, after: client)
            #expect(client.isResumed)
            #expect(client.ticketCount == 1)
            #expect(tickets.insert(try client.ticket).inserted)
        }
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a ticket stays valid for one rotation of the keys, and is renewed on use`(_ version: Int32) throws {
        let first = try connect(version)
        source.rotateTicketKeys()
        let second = try connect(version, after: first)
        #expect(second.isResumed)
        source.rotateTicketKeys()
        #expect(try connect(version, after: second).isResumed)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a ticket does not stay valid for two rotations`(_ version: Int32) throws {
        let first = try connect(version)
        source.rotateTicketKeys()
        source.rotateTicketKeys()
        #expect(try !connect(version, after: first).isResumed)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `clients resume after a reload of the certificates`(_ version: Int32) throws {
        let first = try connect(version)
        try source.replace(with: TLSConfiguration(identities: [try authority.issue().identity()]))
        #expect(try connect(version, after: first).isResumed)
    }

    @Test func `a ticket of another server is not accepted`() throws {
        let first = try connect(TLS1_3_VERSION)
        let other = try TLSContextSource(source.current.configuration)
        var options = TestClient.Options()
        let session = try first.takeSession()
        defer { SSL_SESSION_free(session) }
        options.session = session
        let client = try TestClient(other.current, options)
        #expect(client.exchange() == .open)
        #expect(!client.isResumed)
    }
}
