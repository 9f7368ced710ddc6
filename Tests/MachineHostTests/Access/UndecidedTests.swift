import Access
import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// A closure of the program that decides later who requests come from.
struct UndecidedTests {
    /// The closures that wait for the test.
    private final class Door: Sendable {
        private let waiting = Lock<[String: CheckedContinuation<HostCredential, Never>]>([:])

        func wait(_ user: String) async -> HostCredential {
            await withCheckedContinuation { continuation in waiting.withLock { $0[user] = continuation } }
        }

        func open(_ user: String, _ credential: HostCredential) {
            waiting.withLock { $0.removeValue(forKey: user) }?.resume(returning: credential)
        }
    }

    private final class Answer {
        var response: HTTPResponse?
        var status: HTTPStatus? { response?.status }
    }

    private let door = Door()
    private let access: TestAccess

    init() throws {
        let door = door
        access = try TestAccess { configuration in
            configuration.host = HostAuthenticator(
                name: "test",
                authenticateLater: { request in
                    guard let user = request.fields.value("x-user") else { return .none }
                    return await door.wait(user)
                })
        }
    }

    private final class Client: ResponseReceiver {
        var awaitsResponse = true
        private(set) var response: HTTPResponse?

        func receive(_ response: HTTPResponse) { self.response = response }
    }

    private func start(
        _ harness: HostHarness, _ method: HTTPMethod, _ target: String, user: String, body: String? = nil,
        receiver: Client? = nil
    ) -> Answer {
        var fields: HTTPFields = [.secFetchSite: "none"]
        if let value = HTTPFieldValue(user) { fields.append("x-user", value) }
        if body != nil { fields.append(.contentType, "application/json") }
        let request = HTTPRequest(
            method: method, target: target, fields: fields, body: body.map { Array($0.utf8) } ?? [])
        let answer = Answer()
        switch harness.shard.respond(to: request) {
        case .response(let response): answer.response = response
        case .deferred(let promise):
            if let receiver {
                promise.whenFulfilled(for: receiver)
            } else {
                promise.whenFulfilled { answer.response = $0 }
            }
        }
        harness.loop.run()
        return answer
    }

    @Test func `a request waits for the closure, and the loop does not`() throws {
        let harness = try access.harness()
        let waiting = start(harness, .post, "/v1/sessions", user: "eve", body: #"{"machine":"scripted"}"#)
        #expect(waiting.response == nil)
        #expect(harness.send(.get, "/v1/machines", fields: access.ada).status == .ok)
        door.open("eve", .principal(id: "eve"))
        harness.loop.run()
        #expect(waiting.status == .created)
        #expect(
            waiting.response?.body.bytes.map { String(decoding: $0, as: UTF8.self) }?.contains(#""creator":"eve""#)
                == true)
        #expect(harness.shard.pending.count == 0)
    }

    @Test func `a closure that takes too long gets 503, and its late result is ignored`() throws {
        let harness = try access.harness()
        let waiting = start(harness, .get, "/v1/machines", user: "eve")
        harness.loop.advance(by: .seconds(11))
        #expect(waiting.status == .serviceUnavailable)
        door.open("eve", .principal(id: "eve"))
        harness.loop.run()
        #expect(waiting.status == .serviceUnavailable)
        #expect(harness.shard.pending.count == 0)
    }

    @Test func `inputs of one connection for a session run in the order of their arrival`() throws {
        let harness = try access.harness()
        let session = harness.makeSession()
        let first = start(harness, .post, session + "/inputs/speak", user: "one")
        let second = start(harness, .post, session + "/inputs/speak", user: "two")
        // Decided at once, but it has arrived last.
        let third = Answer()
        let request = HTTPRequest(method: .post, target: session + "/inputs/speak", fields: access.ada)
        switch harness.shard.respond(to: request) {
        case .response(let response): third.response = response
        case .deferred(let promise): promise.whenFulfilled { third.response = $0 }
        }
        #expect(third.response == nil)
        door.open("two", .principal(id: "two"))
        harness.loop.run()
        #expect(second.response == nil)
        door.open("one", .principal(id: "one"))
        harness.loop.run()
        #expect(first.status == .ok && second.status == .ok && third.status == .ok)
        #expect(harness.send(.get, session).text.contains(#""senders":"one;two;ada;""#))
    }

    @Test func `the request of a client that has left is not run`() throws {
        let harness = try access.harness()
        let client = Client()
        _ = start(harness, .post, "/v1/sessions", user: "eve", body: #"{"machine":"scripted"}"#, receiver: client)
        client.awaitsResponse = false
        door.open("eve", .principal(id: "eve"))
        harness.loop.run()
        #expect(client.response == nil)
        #expect(harness.host.sessionCount == 0)
    }

    @Test func `the configuration may be replaced while a closure decides`() throws {
        let harness = try access.harness()
        let waiting = start(harness, .get, "/v1/machines", user: "eve")
        harness.host.replaceAccess(HostAccess())
        harness.loop.run()
        door.open("eve", .principal(id: "eve"))
        harness.loop.run()
        #expect(waiting.status == .ok)
        // The next request is nobody's again.
        let session = harness.makeSession()
        #expect(harness.send(.get, session).text.contains(#""creator":"nobody""#))
    }
}
