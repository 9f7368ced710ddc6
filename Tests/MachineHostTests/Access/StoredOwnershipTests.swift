import Access
import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// Owners of stored sessions.
struct StoredOwnershipTests {
    private let access: TestAccess

    init() throws { access = try TestAccess() }

    private func host(
        on disk: TestDisk = TestDisk(), after seconds: Int64 = 0, hibernates: Bool = false,
        access: HostAccess? = nil, _ configure: (inout HostConfiguration) -> Void = { _ in }
    ) throws -> StoredHost {
        try StoredHost(
            on: disk, after: seconds, of: .witness, hibernates: hibernates, access: access ?? self.access.access,
            configure)
    }

    private func create(_ host: StoredHost, as fields: HTTPFields, key: String? = nil) -> String {
        let answer = host.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, key: key, fields: fields)
        return answer.response?.fields.value(.location) ?? ""
    }

    private let none = "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA"

    @Test func `requests for a session that is being restored keep their order`() throws {
        let first = try host()
        let session = create(first, as: access.ada)
        let next = try host(on: first.disk)
        next.harness.loop.hasShortRounds = true
        func speak() -> PendingAnswer { next.start(.post, session + "/inputs/speak", fields: access.ada) }
        var answers = [speak(), speak()]
        // The last one arrives while the session is loaded for the others.
        next.step()
        answers.append(speak())
        next.store()
        #expect(answers.map { $0.text.prefix(12) } == [#"{"version":1"#, #"{"version":2"#, #"{"version":3"#])
    }

    @Test func `a request for a restored session waits for earlier ones that are looked up`() throws {
        let first = try host()
        let session = create(first, as: access.ada)
        let next = try host(on: first.disk)
        let peer = HTTPPeer(address: "127.0.0.1", port: 1)
        func speak() -> PendingAnswer {
            next.start(.post, session + "/inputs/speak", fields: access.ada, from: peer)
        }
        var answers = [speak()]
        next.stepOnce()
        // Arrives while the session is being read, and the next one when it is in memory.
        answers.append(speak())
        next.stepOnce()
        #expect(!next.harness.shard.sessions.isEmpty)
        answers.append(speak())
        next.store()
        #expect(answers.map { $0.text.prefix(12) } == [#"{"version":1"#, #"{"version":2"#, #"{"version":3"#])
        #expect(next.harness.shard.pending.count == 0)
    }

    @Test func `a restored session belongs to its creator, whom its machine knows`() throws {
        let first = try host()
        let session = create(first, as: access.ada)
        _ = first.send(.post, session + "/inputs/speak", fields: access.ada)
        let next = try host(on: first.disk)
        let (strange, missing) = (
            next.send(.get, session, fields: access.bob), next.send(.get, none, fields: access.bob)
        )
        #expect(strange.status == 404)
        #expect(strange.text == missing.text)
        #expect(next.harness.shard.sessions.isEmpty)
        #expect(next.send(.get, session).status == 404)
        let own = next.send(.get, session, fields: access.ada)
        #expect(own.status == 200)
        #expect(own.text.contains(#""creator":"ada","senders":"ada;""#))
        #expect(next.send(.get, session, fields: access.bob).status == 404)
    }

    @Test func `a session in memory is looked up for a stranger, like an unknown one`() throws {
        let host = try host()
        let session = create(host, as: access.ada)
        for path in [session, none] {
            let pending = host.start(.get, path, fields: access.bob)
            #expect(pending.response == nil)
            host.store()
            #expect(pending.status == 404)
        }
        #expect(host.harness.shard.pending.count == 0)
        #expect(host.send(.get, session, fields: access.ada).status == 200)
    }

    @Test func `that a session has ended is for its owner, also in the next process`() throws {
        let first = try host()
        let session = create(first, as: access.ada)
        #expect(first.send(.delete, session, fields: access.ada).status == 204)
        #expect(first.send(.get, session, fields: access.bob).status == 404)
        let next = try host(on: first.disk)
        #expect(next.send(.get, session, fields: access.bob).status == 404)
        #expect(next.send(.get, session).status == 404)
        #expect(next.send(.get, session, fields: access.ada).status == 410)
        #expect(next.send(.get, session, fields: access.bob).status == 404)
    }

    @Test func `an end that nobody in this process has seen is for the owner`() throws {
        let first = try host { $0.idleExpiry = .seconds(60) }
        let session = create(first, as: access.ada)
        let next = try host(on: first.disk, after: 30) { $0.idleExpiry = .seconds(60) }
        next.advance(by: 130)
        #expect(next.harness.shard.sessions.isEmpty)
        #expect(next.send(.get, session, fields: access.bob).status == 404)
        #expect(next.send(.get, session, fields: access.ada).status == 410)
    }

    @Test func `an operator ends a session for its owner`() throws {
        let first = try host()
        let session = create(first, as: access.ada)
        let next = try host(on: first.disk)
        let summary = try #require(first.disk.entries.first?.snapshot?.summary)
        next.writer.end(summary) { #expect($0) }
        next.store()
        #expect(next.send(.get, session, fields: access.bob).status == 404)
        #expect(next.send(.get, session, fields: access.ada).status == 410)
    }

    @Test func `a stranger neither wakes a session that sleeps nor keeps it from expiring`() throws {
        let host = try host(hibernates: true) {
            $0.hibernateAfter = .seconds(10)
            $0.idleExpiry = .seconds(100)
        }
        let session = create(host, as: access.ada)
        host.advance(by: 60)
        #expect(host.harness.shard.sessions.isEmpty)
        for (method, path) in [(HTTPMethod.get, ""), (.post, "/inputs/speak"), (.delete, ""), (.post, "/tickets")] {
            #expect(host.send(method, session + path, fields: access.bob).status == 404)
        }
        #expect(host.harness.shard.sessions.isEmpty)
        host.advance(by: 60)
        #expect(host.send(.get, session, fields: access.ada).status == 410)
    }

    @Test func `the owner reads a session that sleeps`() throws {
        let host = try host(hibernates: true) { $0.hibernateAfter = .seconds(10) }
        let session = create(host, as: access.ada)
        host.advance(by: 60)
        #expect(host.send(.get, session, fields: access.ada).text.contains(#""dormant":true"#))
        #expect(host.send(.post, session + "/inputs/speak", fields: access.ada).status == 200)
        #expect(host.send(.get, session, fields: access.ada).text.contains(#""creator":"ada","senders":"ada;""#))
    }

    @Test func `what older builds have stored belongs to nobody, and they read what has no owner`() throws {
        var stored = StoredSession(machine: "m", epoch: Epoch(bits: 1), created: 1, lastInput: 2, version: 3)
        stored.client = RequestDigest(low: 1, high: 2)
        var bytes: [UInt8] = []
        stored.append(to: &bytes)
        // The flag of a session that sleeps, and the digest, are the last bytes.
        #expect(bytes.dropLast(16).last == 0)
        #expect(try StoredSession(bytes[...]) == stored)
        stored.ownership = SessionOwnership(
            of: .principal(
                Principal(method: .token, issuer: "i", id: "ada", claims: #"{"a":1}"#, expires: UnixTime(seconds: 5)),
                TestAccess.hash(ofKey: "ada")))
        stored.ownership.tickets.revokeAll()
        stored.ownership.lastSender = .ticket(label: "Bob")
        stored.isAsleep = true
        bytes = []
        stored.append(to: &bytes)
        let read = try StoredSession(bytes[...])
        #expect(read == stored)
        #expect(read.ownership.principal?.claims == #"{"a":1}"#)
        #expect(read.ownership.principal?.expires == UnixTime(seconds: 5))
        for count in bytes.indices {
            #expect(throws: RecordReader.Damaged.self) { try StoredSession(bytes[..<count]) }
        }
    }

    @Test func `the key of a creation belongs to its principal in the next process`() throws {
        let first = try host()
        let key = "a-key-of-more-than-22-characters"
        let session = create(first, as: access.ada, key: key)
        let next = try host(on: first.disk)
        #expect(create(next, as: access.bob, key: key) != session)
        #expect(create(next, as: access.ada, key: key) == session)
    }
}
