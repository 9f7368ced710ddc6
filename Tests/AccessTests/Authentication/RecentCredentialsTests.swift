import HTTPModel
import Testing

@testable import Access

@Suite struct RecentCredentialsTests {
    private let now = UnixTime(seconds: 100)

    private func peer() -> HTTPPeer { HTTPPeer(address: "192.0.2.1", port: 1) }

    private func insert(
        _ field: String, from peer: HTTPPeer, as id: String, until expires: UnixTime = .never,
        to recent: inout RecentCredentials
    ) {
        let principal = Principal(method: .token, id: id)
        let authentication = Authentication.principal(principal, TestHash.hasher.hash(of: principal))
        Array(field.utf8).withUnsafeBytes {
            recent.insert($0, from: peer, authentication, until: expires, at: now)
        }
    }

    private func id(
        _ recent: RecentCredentials, _ field: String, from peer: HTTPPeer, at time: UnixTime? = nil
    ) -> String? {
        Array(field.utf8).withUnsafeBytes {
            recent.authentication(of: $0, from: peer, at: time ?? now)?.principal?.id
        }
    }

    @Test func `only the last field of the same connection is recognized`() {
        var recent = RecentCredentials()
        let (one, two) = (peer(), peer())
        #expect(id(recent, "Bearer a", from: one) == nil)
        insert("Bearer a", from: one, as: "ada", to: &recent)
        #expect(id(recent, "Bearer a", from: one) == "ada")
        for other in ["", "Bearer ", "Bearer b", "Bearer a ", "bearer a", "Bearer aa"] {
            #expect(id(recent, other, from: one) == nil)
        }
        #expect(id(recent, "Bearer a", from: two) == nil)
        insert("Bearer b", from: one, as: "bob", to: &recent)
        #expect(id(recent, "Bearer a", from: one) == nil)
        #expect(id(recent, "Bearer b", from: one) == "bob")
    }

    @Test func `each byte of a field counts`() {
        let field = Array(repeating: "a", count: 23).joined()
        let one = peer()
        var recent = RecentCredentials()
        insert(field, from: one, as: "ada", to: &recent)
        #expect(id(recent, field, from: one) == "ada")
        for place in 0..<23 {
            var bytes = Array(field.utf8)
            bytes[place] ^= 0x80 >> UInt8(place % 8)
            let isFound = bytes.withUnsafeBytes {
                recent.authentication(of: $0, from: one, at: now) != nil
            }
            #expect(!isFound, "\(place)")
        }
    }

    @Test func `a field is recognized until it expires, and one that has expired is not stored`() {
        var recent = RecentCredentials()
        let one = peer()
        insert("Bearer a", from: one, as: "ada", until: UnixTime(milliseconds: 100_001), to: &recent)
        #expect(id(recent, "Bearer a", from: one) == "ada")
        #expect(id(recent, "Bearer a", from: one, at: UnixTime(milliseconds: 100_001)) == nil)
        insert("Bearer b", from: one, as: "bob", until: now, to: &recent)
        #expect(id(recent, "Bearer b", from: one) == nil)
        #expect(id(recent, "Bearer a", from: one) == "ada")
    }

    @Test func `clients of a proxy and long fields are not remembered, and connections are bounded`() {
        var recent = RecentCredentials()
        let proxy = peer()
        insert(
            "Bearer a", from: HTTPPeer(client: NumericAddress("192.0.2.9"), forwardedBy: proxy), as: "ada", to: &recent)
        let long = String(repeating: "a", count: RecentCredentials.maxLength)
        insert(long + "a", from: proxy, as: "ada", to: &recent)
        #expect(recent.count == 0)
        insert(long, from: proxy, as: "ada", to: &recent)
        #expect(id(recent, long, from: proxy) == "ada")
        let peers = (0..<3000).map { _ in peer() }
        for (number, peer) in peers.enumerated() {
            insert("\(number)", from: peer, as: "\(number)", to: &recent)
        }
        #expect(recent.count <= RecentCredentials.places)
        // A place has the last connection that uses it, whose field is not that of another.
        let known = peers.indices.filter { id(recent, "\($0)", from: peers[$0]) == "\($0)" }
        #expect(known.count >= recent.count - 1 && known.contains(2999))
    }
}

/// What one connection sends again and again.
@Suite struct RepeatedCredentialTests {
    private let now = TestToken.now
    private let peer = HTTPPeer(address: "192.0.2.7", port: 1)

    private func configuration(_ change: (inout AccessConfiguration) throws -> Void = { _ in }) throws
        -> AccessConfiguration
    {
        var configuration = AccessConfiguration(hasher: TestHash.hasher)
        configuration.tokens = try TestToken.verifier()
        configuration.tickets = TicketAuthority(keys: TestHash.keys)
        try change(&configuration)
        return configuration
    }

    private func request(_ value: String) -> HTTPRequest {
        var request = HTTPRequest.authorized(value)
        request.peer = peer
        return request
    }

    @Test func `a repeated token is recognized until it expires`() throws {
        var authenticator = Authenticator(try configuration())
        let request = request("Bearer " + TestToken.signed())
        for _ in 0..<3 {
            #expect(
                authenticator.authenticate(request, at: now).identity == "token \(TestToken.issuer) ada")
        }
        #expect(authenticator.recentCount == 1)
        let end = UnixTime(seconds: 1_800_000_300)
        #expect(authenticator.authenticate(request, at: end + .milliseconds(-1)).principal?.id == "ada")
        for _ in 0..<2 { #expect(authenticator.authenticate(request, at: end).rejection == .expired) }
    }

    @Test
    func `a connection that changes its credential is the other principal, and a forged one nobody`()
        throws
    {
        let (key, text) = try APIKeyFile("").adding("reports")
        let keys = APIKeys(try APIKeyFile(text), hasher: TestHash.hasher)
        var authenticator = Authenticator(try configuration { $0.apiKeys = keys })
        let ada = "Bearer " + TestToken.signed()
        let bob = "Bearer " + TestToken.signed(TestToken.claims.replacing("ada", with: "bob"))
        for _ in 0..<2 {
            #expect(authenticator.authenticate(request(ada), at: now).principal?.id == "ada")
            #expect(authenticator.authenticate(request(bob), at: now).principal?.id == "bob")
            #expect(
                authenticator.authenticate(request("ApiKey \(key)"), at: now).principal?.id == "reports")
            #expect(authenticator.authenticate(request(String(ada.dropLast())), at: now).rejection != nil)
            #expect(
                authenticator.authenticate(request("ApiKey \(key.dropLast())"), at: now).rejection != nil)
            let none = authenticator.authenticate(HTTPRequest.test(fields: [:]), at: now)
            #expect(none.isAnonymous)
        }
    }

    @Test func `a repeated ticket is recognized until it expires, and its use is counted elsewhere`()
        throws
    {
        var authenticator = Authenticator(try configuration())
        let ticket = try Ticket(
            session: SessionDigest(high: 0, low: 1), rights: .read, generation: 0,
            expires: now + .seconds(60), uses: 1)
        let text = TicketAuthority(keys: TestHash.keys).text(of: ticket).secret
        for _ in 0..<2 {
            #expect(authenticator.authenticate(request("Ticket \(text)"), at: now).ticket == ticket)
        }
        let later = authenticator.authenticate(request("Ticket \(text)"), at: now + .seconds(60))
        #expect(later.rejection == .expired)
    }

    @Test func `two credentials conflict, also if the first one is known`() throws {
        var authenticator = Authenticator(try configuration())
        let value = "Bearer " + TestToken.signed()
        #expect(authenticator.authenticate(request(value), at: now).principal != nil)
        var twice = request(value)
        twice.fields.append(.authorization, HTTPFieldValue(value) ?? "")
        #expect(authenticator.authenticate(twice, at: now).rejection == .conflicting)
        var query = request(value)
        query.target += "?ticket=x"
        #expect(authenticator.authenticate(query, at: now).rejection == .conflicting)
    }
}
