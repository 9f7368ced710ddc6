import Access
import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// What happens to streams when keys are loaded again.
struct RevokedStreamTests {
    private static let hasher = PrincipalHasher(key: SecretBytes(copying: Array(repeating: 7, count: 32)))
    private static let end = "event: end\ndata: {\"reason\":\"unauthorized\"}\n\n"
    private let secrets = [SecretBytes.random(), SecretBytes.random()]
    private let ada: HTTPFields
    private let bob: HTTPFields
    private let file: String
    private let onlyAda: String

    init() throws {
        let (first, text) = try APIKeyFile("").adding("ada")
        let (second, both) = try APIKeyFile(text).adding("bob")
        (ada, bob) = (TestAccess.fields("ApiKey \(first)"), TestAccess.fields("ApiKey \(second)"))
        (onlyAda, file) = (text, both)
    }

    /// Returns the access control with a file of API keys and some of the signing keys.
    private func access(_ file: String, signing: [SecretBytes]? = nil) throws -> HostAccess {
        var configuration = AccessConfiguration(hasher: RevokedStreamTests.hasher)
        configuration.apiKeys = APIKeys(try APIKeyFile(file), hasher: RevokedStreamTests.hasher)
        let keys = try #require(SigningKeys(signing ?? secrets))
        configuration.tickets = TicketAuthority(keys: keys)
        configuration.cookies = CookieAuthority(keys: keys)
        var access = HostAccess()
        access.authentication = configuration
        return access
    }

    private func harness() throws -> HostHarness {
        try HostHarness([.witness], access: try access(file))
    }

    private func follow(_ harness: HostHarness, _ target: String, _ fields: HTTPFields) throws -> StreamFollower {
        var fields = fields
        fields.append(.accept, "text/event-stream")
        let stream = StreamFollower(try #require(harness.send(.get, target, fields: fields).stream))
        stream.read()
        return stream
    }

    private func replace(_ harness: HostHarness, with access: HostAccess) {
        harness.host.replaceAccess(access)
        harness.loop.run()
    }

    @Test func `the streams of an API key that was removed end, and those of the others do not`() throws {
        let harness = try harness()
        // Everybody who knows the id may use the session.
        let session = harness.makeSession(as: [:])
        let streams = try [ada, bob, [:]].map { try follow(harness, session + "/outputs", $0) }
        replace(harness, with: try access(onlyAda))
        #expect(streams.map(\.isReady) == [false, true, false])
        #expect(harness.send(.post, session + "/inputs/speak", fields: ada).status == .ok)
        for stream in streams { stream.read() }
        #expect(streams.map(\.hasFinished) == [false, true, false])
        #expect(streams[1].text.hasSuffix(RevokedStreamTests.end))
        // What has happened since is not for the former client.
        #expect(streams.map { $0.text.contains("\"senders\":\"ada;\"") } == [true, false, true])
        // A file with the same keys ends nothing.
        replace(harness, with: try access(onlyAda))
        #expect(!streams[0].isReady && !streams[2].isReady)
    }

    @Test func `a stream whose response has not begun, or is read slowly, gets nothing but its end`() throws {
        let harness = try harness()
        let session = harness.makeSession(as: [:])
        var fields = bob
        fields.append(.accept, "text/event-stream")
        let opening = try #require(harness.send(.get, session + "/outputs", fields: fields).stream)
        let slow = try follow(harness, session + "/outputs", bob)
        let before = slow.text
        #expect(harness.send(.post, session + "/inputs/speak", fields: ada).status == .ok)
        replace(harness, with: try access(onlyAda))
        slow.read()
        #expect(slow.text == before + RevokedStreamTests.end)
        let stream = StreamFollower(opening)
        stream.read()
        #expect(stream.hasFinished && !stream.text.contains("ada;"))
        #expect(stream.text.hasSuffix(RevokedStreamTests.end))
    }

    @Test func `a combined stream ends in each of its sessions`() throws {
        let harness = try harness()
        let sessions = [harness.makeSession(as: [:]), harness.makeSession(as: [:])]
        let query = sessions.map { "session=" + $0.split(separator: "/")[2] }.joined(separator: "&")
        let streams = try [ada, bob].map { try follow(harness, "/v1/outputs?" + query, $0) }
        replace(harness, with: try access(onlyAda))
        for stream in streams { stream.read() }
        harness.loop.run()
        for stream in streams { stream.read() }
        #expect(streams.map(\.hasFinished) == [false, true])
        #expect(streams[1].events.filter { $0.data.contains("unauthorized") }.count == 2)
    }

    @Test func `tickets and cookies depend on the key that has signed them`() throws {
        let harness = try HostHarness([.witness], access: try access(file, signing: [secrets[0]]))
        let session = harness.makeSession(as: ada)
        func ticketStream() throws -> StreamFollower {
            let ticket = harness.ticket(session, #"{"allows":["read"]}"#, as: ada)
            return try follow(harness, session + "/outputs", TestAccess.fields("Ticket \(ticket)"))
        }
        let created = harness.create(as: [.secFetchSite: "same-origin"])
        let pair = created.fields.value(.setCookie)?.split(separator: ";").first.map(String.init) ?? ""
        let cookie: HTTPFields = [.cookie: try #require(HTTPFieldValue(pair))]
        let old = [
            try ticketStream(), try follow(harness, try #require(created.fields.value(.location)) + "/outputs", cookie),
        ]
        // A new key signs; the old one is still accepted.
        replace(harness, with: try access(file, signing: secrets.reversed()))
        let new = try ticketStream()
        #expect((old + [new]).allSatisfy { !$0.isReady })
        replace(harness, with: try access(file, signing: [secrets[1]]))
        for stream in old + [new] { stream.read() }
        #expect((old + [new]).map(\.hasFinished) == [true, true, false])
        #expect(old.allSatisfy { $0.text.hasSuffix(RevokedStreamTests.end) })
    }

    @Test func `a newer credential that is accepted keeps the streams of an older one`() throws {
        let hash = TestAccess.hash(ofKey: "ada")
        let (old, new) = (CredentialKey.test(1), CredentialKey.test(2))
        let now = UnixTime(seconds: 1000)
        let session = SessionID(high: 1, low: 2)
        var cache = CredentialExpiryCache()
        cache.note(hash, expires: now + .seconds(60), key: old, for: session, at: now)
        cache.note(hash, expires: now + .seconds(90), key: new, for: session, at: now)
        cache.note(hash, expires: now + .seconds(30), key: old, for: session, at: now)
        #expect(cache.credential(of: hash, for: session)?.key == new)
        cache.removeAll { $0 == old }
        #expect(cache.credential(of: hash, for: session)?.expires == now + .seconds(90))
        cache.removeAll { $0 == new }
        #expect(cache.credential(of: hash, for: session) == nil)
    }

    @Test func `a request that has waited for its session opens no stream for a key that was removed meanwhile`() throws
    {
        let first = try StoredHost(access: try access(file))
        let session = first.makeSession()
        let host = try StoredHost(on: first.disk, access: try access(file))
        var fields = bob
        fields.append(.accept, "text/event-stream")
        let waiting = host.start(.get, session + "/outputs", fields: fields)
        #expect(waiting.response == nil)
        host.harness.host.replaceAccess(try access(onlyAda))
        host.store()
        guard case .stream(let body)? = waiting.response?.body else {
            Issue.record("expected a stream, got \(String(describing: waiting.status))")
            return
        }
        let stream = StreamFollower(body)
        stream.read()
        #expect(stream.hasFinished)
        #expect(stream.text.hasSuffix(RevokedStreamTests.end))
    }

    @Test func `the streams of a session that sleeps end, too`() throws {
        let host = try StoredHost(hibernates: true, access: try access(file)) { $0.hibernateAfter = .seconds(5) }
        let session = host.makeSession()
        var fields = bob
        fields.append(.accept, "text/event-stream")
        guard case .stream(let body)? = host.send(.get, session + "/outputs", fields: fields).response?.body else {
            Issue.record("expected a stream")
            return
        }
        let stream = StreamFollower(body)
        stream.read()
        host.advance(by: 10)
        #expect(host.harness.shard.sessions.isEmpty)
        host.harness.host.replaceAccess(try access(onlyAda))
        host.store()
        stream.read()
        #expect(stream.hasFinished)
        #expect(stream.text.hasSuffix(RevokedStreamTests.end))
        #expect(host.harness.host.streamCount == 0)
    }
}

extension CredentialKey {
    /// A key for a test.
    fileprivate static func test(_ number: UInt8) -> CredentialKey {
        let keys = SigningKeys([SecretBytes(copying: [UInt8](repeating: number, count: 32))])
        return TicketAuthority(keys: keys ?? .random()).credentialKeys[0]
    }
}
