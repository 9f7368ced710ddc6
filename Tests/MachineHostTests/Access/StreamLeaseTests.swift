import Access
import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// Streams whose credentials expire.
struct StreamLeaseTests {
    private static let beginning: Int64 = 1_767_225_600
    private let access: TestAccess

    init() throws {
        access = try TestAccess {
            // `x-user: ada 60` expires 60 seconds after the beginning.
            $0.host = HostAuthenticator(name: "test") { request in
                guard let words = request.fields.value("x-user")?.split(separator: " "), words.count == 2 else {
                    return .none
                }
                guard let seconds = Int64(words[1]) else { return .principal(id: String(words[0]), expires: .never) }
                return .principal(
                    id: String(words[0]), expires: UnixTime(seconds: StreamLeaseTests.beginning + seconds))
            }
        }
    }

    private func fields(_ user: String) -> HTTPFields {
        var fields: HTTPFields = [.secFetchSite: "none"]
        if let value = HTTPFieldValue(user) { fields.append("x-user", value) }
        return fields
    }

    private func follow(_ harness: HostHarness, _ session: String, as user: String) throws -> StreamFollower {
        var fields = fields(user)
        fields.append(.accept, "text/event-stream")
        let follower = StreamFollower(try #require(harness.send(.get, session + "/outputs", fields: fields).stream))
        follower.read()
        return follower
    }

    @Test func `a stream ends when its credential has expired, after a grace period`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: fields("ada 60"))
        let stream = try follow(harness, session, as: "ada 60")
        harness.loop.advance(by: .seconds(69))
        stream.read()
        #expect(!stream.hasFinished)
        harness.loop.advance(by: .seconds(4))
        stream.read()
        #expect(stream.hasFinished)
        #expect(stream.text.hasSuffix("event: end\ndata: {\"reason\":\"unauthorized\"}\n\n"))
        #expect(harness.send(.get, session, fields: fields("ada 600")).status == .ok)
    }

    @Test(arguments: [(600, 3600, true), (60, -3600, false)], [false, true])
    func `a stream follows a wall clock that is set`(
        clock: (expiry: Int, lead: Int, hasFinished: Bool), isCombined: Bool
    ) throws {
        let (expiry, lead, hasFinished) = clock
        let host = try StoredHost(access: access.access)
        let user = "ada \(expiry)"
        let created = host.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: fields(user))
        let session = try #require(created.response?.fields.value(.location))
        var accepting = fields(user)
        accepting.append(.accept, "text/event-stream")
        let combined = "/v1/outputs?session=" + session.dropFirst("/v1/sessions/".count)
        let answer = host.send(.get, isCombined ? combined : session + "/outputs", fields: accepting)
        guard case .stream(let body)? = answer.response?.body else {
            Issue.record("expected a stream, got \(answer.text)")
            return
        }
        let stream = StreamFollower(body)
        stream.read()
        host.store()
        stream.read()
        host.disk.wallLead.withLock { $0 = .seconds(lead) }
        host.advance(by: 100)
        stream.read()
        #expect(stream.hasFinished == hasFinished)
    }

    @Test(arguments: ["ada never", "ada 251635075199", "ada 9000000000000000"])
    func `a credential may be valid for longer than the server counts`(user: String) throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: fields("ada 60"))
        let stream = try follow(harness, session, as: user)
        let renewed = try follow(harness, session, as: "ada 60")
        #expect(harness.send(.head, session, fields: fields(user)).status == .ok)
        harness.loop.advance(by: .seconds(500))
        for stream in [stream, renewed] {
            stream.read()
            #expect(!stream.hasFinished)
        }
    }

    @Test(arguments: [(HTTPMethod.head, ""), (.get, "/outputs"), (.post, "/inputs/speak"), (.post, "/inputs")])
    func `any request with a newer credential extends the stream`(method: HTTPMethod, path: String) throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: fields("ada 60"))
        let stream = try follow(harness, session, as: "ada 60")
        harness.loop.advance(by: .seconds(65))
        let body = path == "/inputs" ? "[]" : nil
        #expect(harness.send(method, session + path, body: body, fields: fields("ada 120")).status == .ok)
        harness.loop.advance(by: .seconds(60))
        stream.read()
        #expect(!stream.hasFinished)
        harness.loop.advance(by: .seconds(10))
        stream.read()
        #expect(stream.hasFinished)
    }

    @Test(arguments: [(HTTPMethod.head, ""), (.post, "/inputs/unknown"), (.post, "/inputs/speak")])
    func `a newer credential that was presented before the stream opens counts for it`(
        method: HTTPMethod, path: String
    ) throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: fields("ada 60"))
        _ = harness.send(method, session + path, fields: fields("ada 120"))
        // Of others, and for another session.
        _ = harness.send(.head, session, fields: fields("bob 600"))
        _ = harness.send(.head, harness.makeSession(as: fields("ada 600")), fields: fields("ada 600"))
        let stream = try follow(harness, session, as: "ada 60")
        harness.loop.advance(by: .seconds(129))
        stream.read()
        #expect(!stream.hasFinished)
        harness.loop.advance(by: .seconds(4))
        stream.read()
        #expect(stream.hasFinished)
    }

    @Test func `the credential that has created a session, or found it by its name, counts for its streams`() throws {
        let harness = try access.harness()
        func open(_ user: String) throws -> String {
            let body = #"{"machine":"scripted","name":"main"}"#
            let answer = harness.send(.post, "/v1/sessions", body: body, fields: fields(user))
            return try #require(answer.fields.value(.location))
        }
        let session = try open("ada 90")
        let stream = try follow(harness, session, as: "ada 60")
        harness.loop.advance(by: .seconds(80))
        stream.read()
        #expect(!stream.hasFinished)
        #expect(try open("ada 200") == session)
        harness.loop.advance(by: .seconds(120))
        stream.read()
        #expect(!stream.hasFinished)
        harness.loop.advance(by: .seconds(14))
        stream.read()
        #expect(stream.hasFinished)
    }

    @Test func `a newer credential counts for a stream that opens while its session sleeps`() throws {
        let host = try StoredHost(of: .witness, hibernates: true, access: access.access) {
            $0.hibernateAfter = .seconds(10)
        }
        let body = #"{"machine":"scripted"}"#
        let created = host.send(.post, "/v1/sessions", body: body, fields: fields("ada 90"))
        let session = created.response?.fields.value(.location) ?? ""
        host.advance(by: 30)
        #expect(host.harness.shard.sessions.isEmpty)
        #expect(host.send(.head, session, fields: fields("ada 150")).status == 200)
        var fields = fields("ada 90")
        fields.append(.accept, "text/event-stream")
        let opened = host.send(.get, session + "/outputs", fields: fields)
        guard case .stream(let content)? = opened.response?.body else {
            Issue.record("expected a stream, got \(opened.text)")
            return
        }
        let stream = StreamFollower(content)
        stream.read()
        host.advance(by: 120)
        stream.read()
        #expect(!stream.hasFinished)
        host.advance(by: 14)
        stream.read()
        #expect(stream.hasFinished)
    }

    @Test func `credentials that have expired are forgotten`() {
        var cache = CredentialExpiryCache()
        let hash = TestAccess.hash(ofKey: "ada")
        for index in 0..<10_000 {
            let session = SessionID(high: 7, low: UInt64(index))
            let now = UnixTime(seconds: Int64(index))
            cache.note(hash, expires: now + .seconds(60), for: session, at: now)
            #expect(cache.credential(of: hash, for: session)?.expires == now + .seconds(60))
        }
        #expect(cache.count <= 1024)
        // Those that never expire are bounded, too.
        for index in 0..<(2 * CredentialExpiryCache.maxCount) {
            let session = SessionID(high: 8, low: UInt64(index))
            cache.note(hash, expires: .never, for: session, at: UnixTime(seconds: 0))
        }
        #expect(cache.count <= 2 * CredentialExpiryCache.maxCount)
        let session = SessionID(high: 1, low: 9)
        cache.note(hash, expires: nil, for: session, at: UnixTime(seconds: 0))
        #expect(cache.credential(of: hash, for: session)?.expires == nil)
    }

    @Test func `the credentials of one principal do not displace those of others`() {
        var cache = CredentialExpiryCache()
        let (loud, quiet) = (TestAccess.hash(ofKey: "ada"), TestAccess.hash(ofKey: "bob"))
        let session = SessionID(high: 1, low: 1)
        cache.note(quiet, expires: .never, for: session, at: UnixTime(seconds: 0))
        for index in 0..<(3 * CredentialExpiryCache.maxCount) {
            cache.note(
                loud, expires: .never, for: SessionID(high: 8, low: UInt64(index)), at: UnixTime(seconds: 0))
        }
        #expect(cache.count <= 2 * CredentialExpiryCache.maxCount)
        #expect(cache.credential(of: quiet, for: session)?.expires == .never)
    }

    @Test func `a request of somebody else, or with an older credential, extends nothing`() throws {
        let harness = try access.harness()
        let session = harness.makeSession()
        let stream = try follow(harness, session, as: "ada 60")
        _ = harness.send(.get, session, fields: fields("bob 600"))
        _ = harness.send(.get, session, fields: fields("ada 30"))
        harness.loop.advance(by: .seconds(73))
        stream.read()
        #expect(stream.hasFinished)
    }

    @Test func `a credential without an end keeps the stream open`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        var fields = access.ada
        fields.append(.accept, "text/event-stream")
        let stream = StreamFollower(try #require(harness.send(.get, session + "/outputs", fields: fields).stream))
        harness.loop.advance(by: .seconds(1000))
        stream.read()
        #expect(!stream.hasFinished)
    }

    @Test func `a redeemed ticket extends the stream of the one before`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let ticket = harness.ticket(
            session, #"{"allows":["read"],"expiresIn":"60s","renewsFor":"100s"}"#, as: access.ada)
        let stream = harness.follow(session, query: "?ticket=\(ticket)")
        stream.read()
        harness.loop.advance(by: .seconds(50))
        #expect(
            harness.send(.post, session + "/tickets", fields: TestAccess.fields("Ticket \(ticket)")).status == .created)
        harness.loop.advance(by: .seconds(90))
        stream.read()
        #expect(!stream.hasFinished)
        harness.loop.advance(by: .seconds(25))
        stream.read()
        #expect(stream.hasFinished)
    }

    @Test func `the stream of a session that sleeps ends, too`() throws {
        let host = try StoredHost(of: .witness, hibernates: true, access: access.access) {
            $0.hibernateAfter = .seconds(10)
        }
        let body = #"{"machine":"scripted"}"#
        let session =
            host.send(.post, "/v1/sessions", body: body, fields: fields("ada 90")).response?.fields.value(.location)
            ?? ""
        let stream = try follow(host.harness, session, as: "ada 90")
        host.advance(by: 60)
        #expect(host.harness.shard.sessions.isEmpty)
        // Reading it does not wake it, and extends the stream.
        #expect(host.send(.head, session, fields: fields("ada 130")).status == 200)
        #expect(host.harness.shard.sessions.isEmpty)
        host.advance(by: 60)
        stream.read()
        #expect(!stream.hasFinished)
        host.advance(by: 30)
        stream.read()
        #expect(stream.hasFinished)
    }
}
