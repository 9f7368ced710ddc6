import Access
import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// The key with which a browser creates its first session: it leads to the one response, and not to the browser's principal.
struct FirstVisitTests {
    private let access: TestAccess
    private let browser: HTTPFields = [.secFetchSite: "same-origin"]
    private let key = "a-key-of-more-than-22-characters"

    init() throws {
        access = try TestAccess { $0.cookies = CookieAuthority(keys: .random()) }
    }

    /// The fields with which a browser returns a cookie.
    private func cookie(_ fields: HTTPFields?) -> HTTPFields {
        let pair = fields?.value(.setCookie)?.split(separator: ";").first.map(String.init)
        return pair.flatMap { HTTPFieldValue($0) }.map { [.cookie: $0, .secFetchSite: "same-origin"] } ?? [:]
    }

    private func create(
        _ host: StoredHost, _ fields: HTTPFields? = nil, name: String? = nil, key: String? = nil
    ) throws -> (path: String, cookie: HTTPFields, isReplay: Bool) {
        let member = name.map { ",\"name\":\"\($0)\"" } ?? ""
        let answer = host.send(
            .post, "/v1/sessions", body: "{\"machine\":\"scripted\"\(member)}", key: key ?? self.key,
            fields: fields ?? browser)
        #expect(answer.status == 201)
        let found = try #require(answer.response?.fields)
        return (found.value(.location) ?? "", cookie(found), found.contains(.idempotencyReplayed))
    }

    @Test func `after its time, a key leads to another principal`() throws {
        let harness = try access.harness()
        let first = harness.create(as: browser, key: key)
        let session = try #require(first.fields.value(.location))
        harness.loop.advance(by: .seconds(599))
        #expect(harness.send(.get, session, fields: cookie(first.fields)).status == .ok)
        let within = harness.create(as: browser, key: key)
        #expect(within.fields.value(.location) == session)
        #expect(harness.send(.get, session, fields: cookie(within.fields)).status == .ok)
        harness.loop.advance(by: .seconds(2))
        let late = harness.create(as: browser, key: key)
        #expect(late.status == .created)
        #expect(late.fields.value(.location) != session)
        #expect(harness.send(.get, session, fields: cookie(late.fields)).status == .notFound)
        #expect(harness.send(.get, session, fields: cookie(first.fields)).status == .ok)
    }

    @Test(arguments: [nil, "main"])
    func `a key leads to the same principal and session in the next process, until its time is over`(
        _ name: String?
    ) throws {
        let host = try StoredHost(access: access.access)
        let first = try create(host, name: name)
        let next = try StoredHost(on: host.disk, after: 500, access: access.access)
        let again = try create(next, name: name)
        #expect(again.path == first.path && again.isReplay)
        #expect(next.send(.get, first.path, fields: again.cookie).status == 200)
        let late = try StoredHost(on: host.disk, after: 700, access: access.access)
        let other = try create(late, name: name)
        #expect(other.path != first.path && !other.isReplay)
        #expect(late.send(.get, first.path, fields: other.cookie).status == 404)
        #expect(late.send(.get, first.path, fields: first.cookie).status == 200)
    }

    @Test func `a process without stored keys gives a key another principal`() throws {
        let host = try StoredHost(access: access.access)
        let first = try create(host)
        host.disk.content.withLock { $0.notes = [:] }
        let next = try StoredHost(on: host.disk, after: 5, access: access.access)
        let other = try create(next)
        #expect(other.path != first.path)
        #expect(next.send(.get, first.path, fields: other.cookie).status == 404)
    }

    @Test func `a browser that has received only the cookie repeats the request with it`() throws {
        let host = try StoredHost(access: access.access)
        let first = try create(host)
        for host in [host, try StoredHost(on: host.disk, access: access.access)] {
            let again = try create(host, first.cookie)
            #expect(again.path == first.path && again.isReplay)
            #expect(!again.cookie.contains(.cookie))
        }
        // The key of one browser is not that of another one.
        let other = try create(host, key: "another-key-of-22-characters")
        let own = try create(host, other.cookie)
        #expect(own.path != first.path && !own.isReplay)
        // In the next process, somebody else uses the key first.
        let next = try StoredHost(on: host.disk, access: access.access)
        #expect(try create(next).path == first.path)
        #expect(try create(next, other.cookie).path == own.path)
    }

    @Test func `a name with a key is found by a repetition without the cookie, and by the cookie`() throws {
        let harness = try access.harness()
        let body = #"{"machine":"scripted","name":"main"}"#
        var fields = browser
        fields.append(.idempotencyKey, HTTPFieldValue(key) ?? "")
        let first = harness.send(.post, "/v1/sessions", body: body, fields: fields)
        let again = harness.send(.post, "/v1/sessions", body: body, fields: fields)
        #expect(first.status == .created)
        #expect(again.text == first.text && again.fields.contains(.idempotencyReplayed))
        for cookie in [cookie(first.fields), cookie(again.fields)] {
            let found = harness.send(.post, "/v1/sessions", body: body, fields: cookie)
            #expect(found.status == .ok)
            #expect(found.fields.value(.location) == first.fields.value(.location))
        }
        let other = harness.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: fields)
        #expect(other.status == .unprocessableContent)
        #expect(!other.fields.contains(.setCookie))
    }

    @Test func `the first session with a name is on the loop of its request, and is found on it later`() throws {
        let host = try SessionHost([.witness], access: access.access)
        let shards = (0..<4).map { host.makeShard(on: VirtualEventLoop(index: $0, count: 4)) }
        let body = Array(#"{"machine":"scripted","name":"main"}"#.utf8)
        for (index, shard) in shards.enumerated() {
            var request = HTTPRequest(
                method: .post, target: "/v1/sessions", fields: [.contentType: "application/json"], body: body,
                peer: .unknown)
            request.fields.append(.secFetchSite, "same-origin")
            guard case .response(let first) = shard.respond(to: request) else {
                throw UnexpectedPromise()
            }
            #expect(first.status == .created)
            let session = try #require(Route(target: first.fields.value(.location) ?? "").session)
            #expect(session.loop(of: 4) == index)
            request.fields.append(.cookie, cookie(first.fields)[.cookie] ?? "")
            guard case .response(let second) = shard.respond(to: request) else { throw UnexpectedPromise() }
            #expect(second.status == .ok)
        }
    }

    private struct UnexpectedPromise: Error {}
}
