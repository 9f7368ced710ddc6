import Access
import HTTPModel
import Locking
import Log
import MachineTesting
import Testing

@testable import MachineHost

/// Quotas of sessions and of stored bytes.
struct QuotaTests {
    private let peer = HTTPPeer(address: "192.0.2.1", port: 1)
    private let key = LimitKey.principal(TestAccess.hash(ofKey: "ada"))

    private func access(_ limits: QuotaTable.Limits) throws -> TestAccess {
        var access = try TestAccess { $0.cookies = CookieAuthority(keys: .random()) }
        access.access.quotas = limits
        return access
    }

    private func create(_ host: StoredHost, _ fields: HTTPFields, from address: String = "192.0.2.1") -> PendingAnswer {
        host.send(
            .post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: fields,
            from: HTTPPeer(address: address, port: 1))
    }

    private func path(_ answer: PendingAnswer) -> String { answer.response?.fields.value(.location) ?? "" }

    /// Sets the counter to a text of a length.
    private func fill(_ host: StoredHost, _ session: String, _ count: Int, _ fields: HTTPFields) -> PendingAnswer {
        let value = "\"" + String(repeating: "x", count: count) + "\""
        return host.send(.post, session + "/inputs/set", body: value, fields: fields, from: peer)
    }

    private func bytes(_ host: StoredHost) -> Int { host.harness.host.quotas.held(.bytes, by: key) }
    private func sessions(_ host: StoredHost) -> Int { host.harness.host.quotas.held(.sessions, by: key) }

    /// The logical size of what is stored of all sessions.
    private func stored(_ host: StoredHost) -> Int {
        host.disk.entries.reduce(0) { sum, entry in
            guard let snapshot = entry.snapshot, !snapshot.summary.hasEnded else { return sum }
            return entry.rows.reduce(sum + snapshot.content.count) { $0 + $1.content.count }
        }
    }

    @Test func `sessions count until their end is stored, also while they sleep and after a restart`() throws {
        let access = try access(.init(sessions: 2))
        let host = try StoredHost(hibernates: true, access: access.access) { $0.hibernateAfter = .seconds(10) }
        let paths = [path(create(host, access.ada)), path(create(host, access.ada))]
        let refused = create(host, access.ada)
        #expect(refused.status == 429 && refused.text.contains("/problems/over-quota"))
        #expect(refused.response?.fields.value(.rateLimitPolicy) == #""session-count";q=2"#)
        #expect(refused.response?.fields.value(.retryAfter) == "30")
        #expect(create(host, access.bob).status == 201)
        host.advance(by: 60)
        #expect(host.harness.shard.sessions.isEmpty)
        #expect(create(host, access.ada).status == 429)
        let next = try StoredHost(on: host.disk, hibernates: true, access: access.access) {
            $0.hibernateAfter = .seconds(10)
        }
        #expect(sessions(next) == 2)
        #expect(create(next, access.ada).status == 429)
        #expect(next.send(.delete, paths[0], fields: access.ada).status == 204)
        #expect(sessions(next) == 1)
        #expect(create(next, access.ada).status == 201)
        #expect(create(next, access.ada).status == 429)
    }

    @Test func `the counted bytes are those that are stored, whatever happens to the sessions`() throws {
        let access = try access(.init(bytes: 1 << 20))
        let host = try StoredHost(hibernates: true, access: access.access) { $0.hibernateAfter = .seconds(10) }
        let paths = (0..<3).map { _ in path(create(host, access.ada)) }
        #expect(bytes(host) == stored(host) && bytes(host) > 0)
        for count in 1...20 { #expect(fill(host, paths[count % 3], count * 100, access.ada).status == 200) }
        #expect(bytes(host) == stored(host))
        for session in host.harness.shard.sessions.values { host.harness.shard.renewSnapshot(of: session) }
        host.store()
        #expect(bytes(host) == stored(host))
        host.advance(by: 60)
        #expect(host.harness.shard.sessions.isEmpty)
        #expect(bytes(host) == stored(host))
        let next = try StoredHost(on: host.disk, hibernates: true, access: access.access)
        #expect(bytes(next) == stored(next) && bytes(next) > 0)
        #expect(fill(next, paths[0], 5000, access.ada).status == 200)
        #expect(bytes(next) == stored(next))
        for path in paths { #expect(next.send(.delete, path, fields: access.ada).status == 204) }
        #expect(bytes(next) == 0 && sessions(next) == 0)
        #expect(next.harness.host.quotas.sessionCount == 0)
    }

    @Test func `a client over its bytes can neither send inputs nor create sessions, others can`() throws {
        let access = try access(.init(bytes: 4000))
        let host = try StoredHost(access: access.access)
        let session = path(create(host, access.ada))
        let other = path(create(host, access.bob))
        #expect(fill(host, session, 5000, access.ada).status == 200)
        let refused = fill(host, session, 1, access.ada)
        #expect(refused.status == 429 && refused.text.contains("4000 bytes of stored sessions"))
        #expect(refused.response?.fields.value(.rateLimit) == #""stored-bytes";r=0"#)
        #expect(create(host, access.ada).status == 429)
        #expect(fill(host, other, 100, access.bob).status == 200)
        #expect(host.send(.get, session, fields: access.ada).status == 200)
        #expect(host.send(.delete, session, fields: access.ada).status == 204)
        #expect(create(host, access.ada).status == 201)
    }

    @Test func `rows that a snapshot replaces do not lock a client out`() throws {
        let access = try access(.init(bytes: 20_000))
        let host = try StoredHost(access: access.access)
        let session = path(create(host, access.ada))
        var accepted = 0
        for _ in 0..<100 {
            if fill(host, session, 200, access.ada).status == 200 { accepted += 1 }
        }
        // Each refusal has the session stored without its rows.
        #expect(accepted > 80 && accepted < 100)
    }

    @Test func `the bytes of a ticket's holder count for the owner of the session`() throws {
        let access = try access(.init(bytes: 2000))
        let host = try StoredHost(access: access.access)
        let session = path(create(host, access.ada))
        let terms = #"{"allows":["read","write"]}"#
        let issued = host.send(.post, session + "/tickets", body: terms, fields: access.ada).text
        let ticket = issued.split(separator: "\"").dropFirst(3).first.map(String.init) ?? ""
        let holder = TestAccess.fields("Ticket " + ticket)
        #expect(fill(host, session, 3000, holder).status == 200)
        #expect(fill(host, session, 1, holder).status == 429)
        #expect(create(host, access.ada).status == 429)
    }

    @Test func `anonymous clients and cookies count by address, also after a restart`() throws {
        let access = try access(.init(sessions: 2))
        let host = try StoredHost(access: access.access)
        let browser: HTTPFields = [.secFetchSite: "same-origin"]
        #expect(create(host, [:]).status == 201)
        #expect(create(host, browser).status == 201)
        #expect(create(host, browser).status == 429)
        #expect(create(host, [:]).status == 429)
        #expect(create(host, browser, from: "192.0.2.2").status == 201)
        let next = try StoredHost(on: host.disk, access: access.access)
        #expect(create(next, browser).status == 429)
        #expect(create(next, [:]).status == 429)
        #expect(create(next, browser, from: "192.0.2.2").status == 201)
        #expect(create(next, [:], from: "127.0.0.1").status == 201)
    }

    @Test func `sessions that end with the process are counted as long as they exist`() throws {
        let access = try access(.init(sessions: 1))
        let harness = try access.harness { $0.idleExpiry = .seconds(60) }
        let first = harness.create(as: access.ada)
        #expect(first.status == .created && harness.create(as: access.ada).status == .tooManyRequests)
        harness.loop.advance(by: .seconds(62))
        #expect(harness.create(as: access.ada).status == .created)
        #expect(harness.host.sessionCount == 1 && harness.host.quotas.sessionCount == 1)
    }

    @Test func `a refused creation takes nothing from any limit`() throws {
        let access = try access(.init(sessions: 1))
        let harness = try access.harness { $0.maxSessionsPerClient = 2 }
        _ = harness.create(as: access.ada)
        for _ in 0..<5 { #expect(harness.create(as: access.ada).status == .tooManyRequests) }
        #expect(harness.host.sessionCount == 1)
    }

    @Test func `near the limit of the server, only a client with more than its share is refused`() throws {
        let harness = try HostHarness.counting {
            $0.maxSessions = 20
            $0.maxNewSessionsPerClient = nil
        }
        func create(_ address: String) -> HarnessAnswer {
            harness.send(
                .post, "/v1/sessions", body: #"{"machine":"scripted"}"#, from: HTTPPeer(address: address, port: 1))
        }
        #expect(create("192.0.2.2").status == .created)
        for _ in 0..<17 { #expect(create("192.0.2.1").status == .created) }
        let greedy = create("192.0.2.1")
        #expect(greedy.status == .tooManyRequests && greedy.text.contains("more than its share"))
        #expect(create("192.0.2.2").status == .created)
        #expect(create("192.0.2.3").status == .created)
        #expect(create("192.0.2.3").status == .serviceUnavailable)
        #expect(harness.host.sessionCount == 20)
    }

    @Test func `a client at its limits is in the log, and does not hide others`() throws {
        let events = Lock<[LogEvent]>([])
        var access = try access(.init(sessions: 1))
        access.access.audit = .hash
        access.access.rates.inputs = RateLimit("inputs", quota: 1, window: .seconds(60))
        let log = Log(level: .warning) { event in
            if event.message.hasPrefix("audit:") { events.withLock { $0.append(event) } }
        }
        let harness = try HostHarness([.witness], log: log, access: access.access)
        let session = harness.makeSession(as: access.ada)
        for _ in 0..<3 {
            _ = harness.create(as: access.ada)
            _ = harness.send(.post, session + "/inputs/speak", fields: access.ada)
        }
        _ = harness.makeSession(as: access.bob)
        _ = harness.create(as: access.bob)
        let messages = events.withLock { $0.map(\.message) }
        #expect(messages.count { $0 == "audit: quota reached" } == 4)
        #expect(messages.count { $0 == "audit: rate exceeded" } == 2)
        // What the log limits together.
        #expect(events.withLock { Set($0.map(\.subject)).count == 3 && $0.allSatisfy(\.isLimited) })
    }
}
