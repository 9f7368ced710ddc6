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

    /// Connects, with the session of an earlier client where there is one.
    private func connect(_ version: Int32, after earlier: TestClient? = nil) throws -> TestClient {
        var wishes = TestClient.Wishes()
        (wishes.least, wishes.most) = (version, version)
        let session = try earlier?.takeSession()
        defer { session.map(SSL_SESSION_free) }
        wishes.session = session
        let client = try TestClient(source.current, wishes)
        #expect(client.talk() == .open)
        // Tickets come behind the handshake in TLS 1.3.
        try client.serverSays([1])
        client.talk()
        client.close()
        return client
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a client that comes back resumes`(_ version: Int32) throws {
        let first = try connect(version)
        #expect(!first.isResumed)
        let second = try connect(version, after: first)
        #expect(second.isResumed)
        #expect(second.server.isResumed)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a full handshake brings one ticket`(_ version: Int32) throws {
        #expect(try connect(version).ticketCount == 1)
    }

    @Test func `a client of TLS 1.3 gets another ticket each time it comes back`() throws {
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
    func `a ticket outlives one rotation of the keys, and is renewed by being shown`(_ version: Int32) throws {
        let first = try connect(version)
        source.rotateTicketKeys()
        let second = try connect(version, after: first)
        #expect(second.isResumed)
        source.rotateTicketKeys()
        #expect(try connect(version, after: second).isResumed)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a ticket does not outlive two rotations`(_ version: Int32) throws {
        let first = try connect(version)
        source.rotateTicketKeys()
        source.rotateTicketKeys()
        #expect(try !connect(version, after: first).isResumed)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `clients resume across a reload of the certificates`(_ version: Int32) throws {
        let first = try connect(version)
        try source.replace(with: TLSConfiguration(identities: [try authority.issue().identity()]))
        #expect(try connect(version, after: first).isResumed)
    }

    @Test func `a ticket of another server is worth nothing`() throws {
        let first = try connect(TLS1_3_VERSION)
        let other = try TLSContextSource(source.current.configuration)
        var wishes = TestClient.Wishes()
        let session = try first.takeSession()
        defer { SSL_SESSION_free(session) }
        wishes.session = session
        let client = try TestClient(other.current, wishes)
        #expect(client.talk() == .open)
        #expect(!client.isResumed)
    }
}
