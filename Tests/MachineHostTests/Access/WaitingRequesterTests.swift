import Access
import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// Requests of different clients that wait at the same time, each of which keeps its own requester.
struct WaitingRequesterTests {
    private let access: TestAccess

    init() throws { access = try TestAccess() }

    private func host(
        on disk: TestDisk = TestDisk(), opens: Bool = true, hibernates: Bool = false, access: HostAccess? = nil
    ) throws -> StoredHost {
        try StoredHost(
            on: disk, of: .witness, opens: opens, hibernates: hibernates, access: access ?? self.access.access
        ) { $0.hibernateAfter = hibernates ? .seconds(10) : nil }
    }

    private func create(_ host: StoredHost, as fields: HTTPFields) throws -> String {
        let answer = host.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: fields)
        return try #require(answer.response?.fields.value(.location))
    }

    @Test(arguments: [false, true])
    func `requests for a session that is being loaded`(sleeps: Bool) throws {
        let first = try host(hibernates: sleeps)
        let session = try create(first, as: access.ada)
        first.advance(by: sleeps ? 30 : 0)
        let host = sleeps ? first : try self.host(on: first.disk)
        #expect(host.harness.shard.sessions.isEmpty)
        let clients: [(HTTPFields, Int)] = [
            (access.bob, 404), (access.ada, 200), ([:], 404), (access.bob, 404), (access.ada, 200),
        ]
        let answers = clients.map { (host.start(.get, session, fields: $0.0), $0.1) }
        #expect(answers.allSatisfy { $0.0.response == nil })
        host.store()
        for (answer, status) in answers { #expect(answer.status == status) }
    }

    @Test func `inputs of two senders for a session that is being loaded`() throws {
        let first = try host()
        let session = try create(first, as: [:])
        let next = try host(on: first.disk)
        let senders = [access.ada, access.bob, [:], access.bob, access.ada]
        let answers = senders.map { next.start(.post, session + "/inputs/speak", fields: $0) }
        next.store()
        #expect(answers.allSatisfy { $0.status == 200 })
        #expect(next.send(.get, session).text.contains(#""senders":"ada;bob;nobody;bob;ada;""#))
    }

    @Test func `requests that wait for the journal to be opened`() throws {
        let first = try host()
        let (own, others) = (try create(first, as: access.ada), try create(first, as: access.bob))
        let next = try host(on: first.disk, opens: false)
        let answers = [(own, access.ada), (own, access.bob), (others, access.ada), (others, access.bob)].map {
            next.start(.get, $0.0, fields: $0.1)
        }
        let created = [access.ada, access.bob].map { fields in
            next.start(.post, "/v1/sessions", body: #"{"machine":"scripted","name":"main"}"#, fields: fields)
        }
        next.open()
        #expect(answers.map(\.status) == [200, 404, 404, 200])
        #expect(created.map(\.status) == [201, 201])
        #expect(created[0].text.contains(#""creator":"ada""#) && created[1].text.contains(#""creator":"bob""#))
    }

    @Test func `creations with the same key, and with the same name, of two principals`() throws {
        let first = try host()
        let body = #"{"machine":"scripted","name":"main"}"#
        let named = first.send(.post, "/v1/sessions", body: body, fields: access.ada)
        let next = try host(on: first.disk)
        let answers = [access.bob, access.ada].map { next.start(.post, "/v1/sessions", body: body, fields: $0) }
        let keyed = [access.ada, access.bob].map { fields in
            next.start(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, key: "key", fields: fields)
        }
        next.store()
        #expect(answers.map(\.status) == [201, 200])
        let location = named.response?.fields.value(.location)
        #expect(answers[1].response?.fields.value(.location) == location && location != nil)
        #expect(answers[0].text.contains(#""creator":"bob""#) && answers[1].text.contains(#""creator":"ada""#))
        #expect(keyed[0].text.contains(#""creator":"ada""#) && keyed[1].text.contains(#""creator":"bob""#))
    }

    @Test func `a request that is authenticated later, while others are answered and loaded`() throws {
        let door = Lock<[CheckedContinuation<HostCredential, Never>]>([])
        let later = try TestAccess { configuration in
            configuration.host = HostAuthenticator(
                name: "test",
                authenticateLater: { request in
                    guard request.fields.contains("x-user") else { return .none }
                    return await withCheckedContinuation { continuation in door.withLock { $0.append(continuation) } }
                })
        }
        let first = try host(access: later.access)
        let session = try create(first, as: later.ada)
        let next = try host(on: first.disk, access: later.access)
        let eve: HTTPFields = ["x-user": "eve", .secFetchSite: "none"]
        let waiting = next.start(.get, session, fields: eve)
        // Another connection, whose request does not wait behind the first one.
        let own = next.start(.get, session, fields: later.ada, from: HTTPPeer(address: "192.0.2.1", port: 1))
        next.harness.loop.run()
        let continuation = try #require(door.withLock { $0.popLast() })
        continuation.resume(returning: .principal(id: "eve"))
        next.harness.loop.run()
        #expect(waiting.response == nil && own.response == nil)
        next.store()
        #expect(own.status == 200 && waiting.status == 404)
        // What was left behind by them belongs to nobody.
        #expect(next.send(.get, session).status == 404)
    }

    @Test func `a ticket that is counted waits with its own holder`() throws {
        let first = try host()
        let session = try create(first, as: access.ada)
        let terms = #"{"allows":["write"],"uses":1,"label":"guest"}"#
        let text = first.send(.post, session + "/tickets", body: terms, fields: access.ada).text
        let guest = TestAccess.fields("Ticket \(text.split(separator: "\"").dropFirst(3).first ?? "")")
        let next = try host(on: first.disk)
        let answers = [guest, access.ada, guest, access.bob].map {
            next.start(.post, session + "/inputs/speak", fields: $0)
        }
        next.store()
        #expect(answers.map(\.status) == [200, 200, 401, 404])
        #expect(next.send(.get, session, fields: access.ada).text.contains(#""senders":"ticket guest;ada;""#))
    }
}
