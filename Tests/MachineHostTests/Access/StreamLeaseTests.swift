import Access
import HTTPModel
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
                guard let words = request.fields.value("x-user")?.split(separator: " "), words.count == 2,
                    let seconds = Int64(words[1])
                else { return .none }
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
