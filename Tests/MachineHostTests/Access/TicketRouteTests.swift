import Access
import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// Tickets, with which the owner of a session shares it.
struct TicketRouteTests {
    private let access: TestAccess

    init() throws { access = try TestAccess() }

    private func holder(_ ticket: String) -> HTTPFields { TestAccess.fields("Ticket \(ticket)") }

    @Test func `a ticket permits what its owner has allowed, and nothing else`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let answer = harness.send(
            .post, session + "/tickets", body: #"{"allows":["read"],"expiresIn":"5m","label":"Bob"}"#,
            fields: access.ada)
        #expect(answer.status == .created)
        #expect(answer.text.hasSuffix(#"","allows":["read"],"expires":"2026-01-01T00:05:00Z"}"#))
        #expect(answer.fields.value(.cacheControl) == "no-store")
        let reader = holder(harness.ticket(session, #"{"allows":["read"],"expiresIn":"5m"}"#, as: access.ada))
        #expect(harness.send(.get, session, fields: reader).status == .ok)
        #expect(harness.send(.post, session + "/inputs/speak", fields: reader).status == .forbidden)
        #expect(harness.send(.post, session + "/inputs", body: "[]", fields: reader).status == .forbidden)
        #expect(harness.send(.delete, session, fields: reader).status == .forbidden)
        #expect(harness.send(.delete, session + "/tickets", fields: reader).status == .forbidden)
        let other = harness.makeSession(as: access.ada)
        #expect(harness.send(.get, other, fields: reader).status == .notFound)
        harness.loop.advance(by: .seconds(301))
        #expect(harness.send(.get, session, fields: reader).status == .unauthorized)
    }

    @Test func `the machine sees the label of a ticket`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let writer = holder(harness.ticket(session, #"{"allows":["read","write"],"label":"Bob"}"#, as: access.ada))
        #expect(harness.send(.post, session + "/inputs/speak", fields: writer).status == .ok)
        #expect(harness.send(.get, session, fields: writer).text.contains(#""senders":"ticket Bob;""#))
    }

    @Test func `only the owner issues tickets, if tickets are configured`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let terms = #"{"allows":["read"]}"#
        #expect(harness.send(.post, session + "/tickets", body: terms, fields: access.bob).status == .notFound)
        #expect(harness.send(.get, session + "/tickets", fields: access.ada).status == .methodNotAllowed)
        let without = try TestAccess { $0.tickets = nil }
        let other = try without.harness()
        let path = other.makeSession(as: without.ada) + "/tickets"
        for method in [HTTPMethod.post, .delete, .get, .options] {
            let answer = other.send(method, path, body: method == .post ? terms : nil, fields: without.ada)
            #expect(answer.status == .notFound)
            #expect(answer.text.contains("No resource exists at this path."))
        }
    }

    @Test(arguments: [
        (#"{}"#, "/allows"), (#"{"allows":[]}"#, "/allows"), (#"{"allows":["all"]}"#, "/allows"),
        (#"{"allows":["read"],"uses":0}"#, "/uses"), (#"{"allows":["read"],"uses":1.5}"#, "/uses"),
        (#"{"allows":["read"],"expiresIn":"5"}"#, "/expiresIn"),
        (#"{"allows":["read"],"expiresIn":"31d"}"#, "/expiresIn"),
        (#"{"allows":["read"],"renewsFor":"-1h"}"#, "/renewsFor"), (#"{"allows":["read"],"label":7}"#, "/label"),
        (#"{"allows":["read"],"label":"\n"}"#, "/label"), (#"{"allow":["read"]}"#, "/allow"), ("[]", ""),
    ])
    func `invalid terms get 422 with their place`(terms: String, pointer: String) throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let answer = harness.send(.post, session + "/tickets", body: terms, fields: access.ada)
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("\"pointer\":\"\(pointer)\""))
    }

    @Test(arguments: ["1", "1.0", "10e-1"]) func `a number of uses is written like any integer`(uses: String) throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let terms = #"{"allows":["read"],"uses":\#(uses)}"#
        let holder = holder(harness.ticket(session, terms, as: access.ada))
        #expect(harness.send(.get, session, fields: holder).status == .ok)
        #expect(harness.send(.get, session, fields: holder).status == .unauthorized)
    }

    @Test func `a ticket is used as often as it permits`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let twice = holder(harness.ticket(session, #"{"allows":["read"],"uses":2}"#, as: access.ada))
        #expect(harness.send(.get, session, fields: twice).status == .ok)
        #expect(harness.send(.get, session, fields: twice).status == .ok)
        let refused = harness.send(.get, session, fields: twice)
        #expect(refused.status == .unauthorized)
        #expect(refused.text.contains(#""reason":"used-ticket""#))
    }

    @Test func `a ticket is redeemed once for one with the same or fewer rights`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let link = harness.ticket(
            session, #"{"allows":["read"],"uses":1,"renewsFor":"1h","label":"Bob"}"#, as: access.ada)
        let path = session + "/tickets"
        let answer = harness.send(.post, path, body: #"{"allows":["read","write"]}"#, fields: holder(link))
        #expect(answer.status == .created)
        #expect(answer.text.contains(#""allows":["read"]"#))
        #expect(harness.send(.post, path, fields: holder(link)).text.contains(#""reason":"used-ticket""#))
        let renewed = answer.text.split(separator: "\"").dropFirst(3).first.map(String.init) ?? ""
        #expect(harness.send(.get, session, fields: holder(renewed)).status == .ok)
        // Again and again.
        #expect(harness.send(.post, path, fields: holder(renewed)).status == .created)
        let plain = harness.ticket(session, #"{"allows":["read"]}"#, as: access.ada)
        #expect(harness.send(.post, path, fields: holder(plain)).status == .forbidden)
    }

    private static let key = "0b54b8a8-f3a1-4f2c-9f6e-71c2"

    private func holder(_ ticket: String, key: String) -> HTTPFields {
        var fields = holder(ticket)
        if let key = HTTPFieldValue(key) { fields.append(.idempotencyKey, key) }
        return fields
    }

    @Test func `the redemption of a ticket can be repeated with its key, by nobody else`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let terms = #"{"allows":["read","write"],"uses":1,"renewsFor":"1h"}"#
        let (link, other) = (
            harness.ticket(session, terms, as: access.ada), harness.ticket(session, terms, as: access.ada)
        )
        let path = session + "/tickets"
        func redeem(_ ticket: String, _ key: String, _ body: String? = nil) -> HarnessAnswer {
            harness.send(.post, path, body: body, fields: holder(ticket, key: key))
        }
        #expect(redeem(link, "short").status == .badRequest)
        let first = redeem(link, Self.key)
        #expect(first.status == .created && !first.fields.contains(.idempotencyReplayed))
        harness.loop.advance(by: .seconds(60))
        let repeated = redeem(link, Self.key)
        #expect(repeated.status == .created && repeated.text == first.text)
        #expect(repeated.fields.value(.idempotencyReplayed) == "true")
        for refused in [
            redeem(link, Self.key + "x"), redeem(link, Self.key, #"{"allows":["read"]}"#),
            harness.send(.post, path, fields: holder(link)), harness.send(.get, session, fields: holder(link)),
        ] {
            #expect(refused.status == .unauthorized && refused.text.contains(#""reason":"used-ticket""#))
        }
        // The same key with another ticket is another redemption.
        let another = redeem(other, Self.key)
        #expect(another.status == .created && another.text != first.text)
        #expect(!another.fields.contains(.idempotencyReplayed))
        _ = harness.send(.delete, path, fields: access.ada)
        #expect(redeem(link, Self.key).text.contains(#""reason":"revoked-ticket""#))
    }

    @Test func `each redemption of a ticket for several has its key, as often as it permits`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let link = harness.ticket(session, #"{"allows":["read"],"uses":2,"renewsFor":"5m"}"#, as: access.ada)
        func redeem(_ key: String) -> HarnessAnswer {
            harness.send(.post, session + "/tickets", fields: holder(link, key: Self.key + key))
        }
        let first = redeem("a").text
        harness.loop.advance(by: .seconds(60))
        let second = redeem("b").text
        #expect(first != second && redeem("a").text == first && redeem("b").text == second)
        #expect(redeem("c").status == .unauthorized)
        // A ticket that has expired is not issued again.
        harness.loop.advance(by: .seconds(241))
        #expect(redeem("a").status == .unauthorized && redeem("b").text == second)
    }

    @Test(arguments: [8, 9])
    func `redemptions of a ticket for many uses are not remembered`(uses: Int) throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let link = harness.ticket(session, #"{"allows":["read"],"uses":\#(uses),"renewsFor":"5m"}"#, as: access.ada)
        let answers = (1...uses).map { _ in
            harness.send(.post, session + "/tickets", fields: holder(link, key: Self.key))
        }
        #expect(answers.allSatisfy { $0.status == .created })
        #expect(Set(answers.map(\.text)).count == (uses > 8 ? uses : 1))
        let next = harness.send(.post, session + "/tickets", fields: holder(link, key: Self.key))
        #expect(next.status == (uses > 8 ? .unauthorized : .created))
    }

    @Test func `a redemption is refused while its use cannot be stored`() throws {
        let disk = TestDisk()
        let host = try StoredHost(on: disk, of: .witness, reserve: 1000, access: access.access)
        let session =
            host.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: access.ada)
            .response?.fields.value(.location) ?? ""
        let terms = #"{"allows":["read"],"uses":1,"renewsFor":"1h"}"#
        let text = host.send(.post, session + "/tickets", body: terms, fields: access.ada).text
        let link = text.split(separator: "\"").dropFirst(3).first.map(String.init) ?? ""
        disk.free.withLock { $0 = 999 }
        host.advance(by: 2)
        // Found with the next commit.
        _ = host.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: access.ada)
        #expect(host.send(.post, session + "/tickets", fields: holder(link, key: Self.key)).status == 507)
        disk.free.withLock { $0 = 1000 }
        host.advance(by: 2)
        #expect(host.send(.post, session + "/tickets", fields: holder(link, key: Self.key)).status == 201)
    }

    @Test func `a redemption can be repeated in the next process`() throws {
        let first = try StoredHost(of: .witness, access: access.access)
        let session =
            first.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: access.ada)
            .response?.fields.value(.location) ?? ""
        let terms = #"{"allows":["read"],"uses":1,"renewsFor":"1h"}"#
        let text = first.send(.post, session + "/tickets", body: terms, fields: access.ada).text
        let link = text.split(separator: "\"").dropFirst(3).first.map(String.init) ?? ""
        let pending = first.start(.post, session + "/tickets", fields: holder(link, key: Self.key))
        // Also the repetition waits until the use is stored.
        let early = first.start(.post, session + "/tickets", fields: holder(link, key: Self.key))
        #expect(pending.response == nil && early.response == nil)
        first.store()
        #expect(pending.status == 201 && early.text == pending.text)
        let next = try StoredHost(on: first.disk, of: .witness, access: access.access)
        #expect(next.send(.post, session + "/tickets", fields: holder(link, key: Self.key)).text == pending.text)
        #expect(next.send(.post, session + "/tickets", fields: holder(link, key: Self.key + "x")).status == 401)
    }

    @Test func `revoking ends the streams of tickets, and no other`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let ticket = harness.ticket(session, #"{"allows":["read"]}"#, as: access.ada)
        let shared = harness.follow(session, query: "?ticket=\(ticket)")
        var fields = access.ada
        fields.append(.accept, "text/event-stream")
        let own = StreamFollower(try #require(harness.send(.get, session + "/outputs", fields: fields).stream))
        shared.read()
        own.read()
        #expect(harness.send(.delete, session + "/tickets", fields: access.ada).status == .noContent)
        shared.read()
        own.read()
        #expect(shared.hasFinished && !own.hasFinished)
        #expect(shared.text.hasSuffix("event: end\ndata: {\"reason\":\"unauthorized\"}\n\n"))
        #expect(!shared.text.dropFirst(20).contains("retry:"))
        let refused = harness.send(.get, session, fields: holder(ticket))
        #expect(refused.status == .unauthorized)
        #expect(refused.text.contains(#""reason":"revoked-ticket""#))
    }

    @Test func `revoking ends a stream whose response has not begun`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let ticket = harness.ticket(session, #"{"allows":["read"]}"#, as: access.ada)
        let fields: HTTPFields = [.accept: "text/event-stream", .secFetchSite: "none"]
        let body = try #require(
            harness.send(.get, session + "/outputs?ticket=\(ticket)", fields: fields).stream)
        #expect(harness.send(.delete, session + "/tickets", fields: access.ada).status == .noContent)
        let stream = StreamFollower(body)
        stream.read()
        #expect(stream.hasFinished)
        #expect(stream.text.hasSuffix("event: end\ndata: {\"reason\":\"unauthorized\"}\n\n"))
    }

    @Test func `the holder of a revoked ticket does not learn that the session has ended`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let revoked = holder(harness.ticket(session, #"{"allows":["read"]}"#, as: access.ada))
        _ = harness.send(.delete, session + "/tickets", fields: access.ada)
        let valid = holder(harness.ticket(session, #"{"allows":["read"]}"#, as: access.ada))
        func answers(_ fields: HTTPFields) -> [String] {
            var stream = fields
            stream.append(.accept, "text/event-stream")
            return [
                harness.send(.get, session, fields: fields), harness.send(.post, session + "/tickets", fields: fields),
                harness.send(.post, session + "/inputs", body: "[]", fields: fields),
                harness.send(.get, session + "/outputs", fields: stream),
            ].map { "\($0.status.code) \($0.fields) \($0.text)" }
        }
        let before = answers(revoked)
        #expect(before.allSatisfy { $0.hasPrefix("401") && $0.contains(#""reason":"revoked-ticket""#) })
        #expect(harness.send(.delete, session, fields: access.ada).status == .noContent)
        #expect(answers(revoked) == before)
        #expect(answers(valid).map { $0.prefix(3) } == ["410", "410", "410", "204"])
    }

    @Test func `the revocation of tickets outlives the process in which the session has ended`() throws {
        let first = try StoredHost(of: .witness, access: access.access)
        let body = #"{"machine":"scripted"}"#
        let created = first.send(.post, "/v1/sessions", body: body, fields: access.ada)
        let session = created.response?.fields.value(.location) ?? ""
        func ticket() -> HTTPFields {
            let text = first.send(.post, session + "/tickets", body: #"{"allows":["read"]}"#, fields: access.ada).text
            return holder(text.split(separator: "\"").dropFirst(3).first.map(String.init) ?? "")
        }
        let revoked = ticket()
        _ = first.send(.delete, session + "/tickets", fields: access.ada)
        let valid = ticket()
        #expect(first.send(.delete, session, fields: access.ada).status == 204)
        let next = try StoredHost(on: first.disk, of: .witness, access: access.access)
        #expect(next.send(.get, session, fields: revoked).status == 401)
        #expect(next.send(.get, session, fields: valid).status == 410)
        #expect(next.send(.get, session, fields: revoked).status == 401)
    }

    @Test func `a stream needs a ticket without a number of uses`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let ticket = harness.ticket(session, #"{"allows":["read"],"uses":9}"#, as: access.ada)
        let answer = harness.send(
            .get, session + "/outputs?ticket=\(ticket)", fields: [.accept: "text/event-stream"])
        #expect(answer.status == .forbidden)
        #expect(harness.host.streamCount == 0)
    }

    @Test func `uses and revocations survive the process`() throws {
        let first = try StoredHost(of: .witness, access: access.access)
        let body = #"{"machine":"scripted"}"#
        let session =
            first.send(.post, "/v1/sessions", body: body, fields: access.ada).response?.fields.value(.location) ?? ""
        func ticket(_ host: StoredHost, _ terms: String) -> HTTPFields {
            let text = host.send(.post, session + "/tickets", body: terms, fields: access.ada).text
            return holder(text.split(separator: "\"").dropFirst(3).first.map(String.init) ?? "")
        }
        let once = ticket(first, #"{"allows":["read"],"uses":1}"#)
        let revoked = ticket(first, #"{"allows":["read"]}"#)
        // The response waits until the use is stored.
        let pending = first.start(.get, session, fields: once)
        #expect(pending.response == nil)
        first.store()
        #expect(pending.status == 200)
        let next = try StoredHost(on: first.disk, of: .witness, access: access.access)
        #expect(next.send(.get, session, fields: once).status == 401)
        #expect(next.send(.get, session, fields: revoked).status == 200)
        #expect(next.send(.delete, session + "/tickets", fields: access.ada).status == 204)
        let last = try StoredHost(on: first.disk, of: .witness, access: access.access)
        #expect(last.send(.get, session, fields: revoked).status == 401)
    }
}
