import Access
import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// A journal that is slower than the clients.
struct BackPressureTests {
    private final class Client: ResponseReceiver {
        var awaitsResponse = true

        func receive(_ response: HTTPResponse) {}
    }

    /// Returns the body of an input, different for each number.
    private func body(_ number: Int) -> String { "\"\(number)" + String(repeating: "x", count: 16 << 10) + "\"" }

    /// Sends inputs until the next one has to wait.
    private func fill(_ host: StoredHost, _ session: String) -> [PendingAnswer] {
        var answers: [PendingAnswer] = []
        while !host.harness.shard.isPaused {
            answers.append(host.start(.post, session + "/inputs/late", body: body(answers.count)))
        }
        return answers
    }

    private func version(of session: String, in host: StoredHost) -> UInt64? {
        host.harness.shard.sessions.values.first { session.hasSuffix($0.id.text) }?.version
    }

    @Test func `without a flush for ten seconds, what waits is bounded, and health answers at once`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        var answers: [PendingAnswer] = []
        var (most, mostHeld) = (0, 0)
        for _ in 0..<10 {
            for _ in 0..<500 {
                answers.append(host.start(.post, session + "/inputs/late", body: body(answers.count)))
                most = max(most, try #require(host.harness.shard.journal).waitingBytes)
                mostHeld = max(mostHeld, host.harness.shard.pending.byteCount)
            }
            host.harness.loop.advance(by: .seconds(1))
            #expect(host.start(.get, "/health/ready").status == 200)
            #expect(host.start(.get, "/v1/machines").status == 200)
        }
        #expect(most > TurnJournal.maxWaitingBytes)
        #expect(most < TurnJournal.maxWaitingBytes + 128 << 10)
        // Half of the room, because all requests are from one client, and at most half of the last request.
        #expect(mostHeld > PendingRequests.maxBytes / 4 && mostHeld <= PendingRequests.maxBytes / 2 + 16 << 10)
        let refused = answers.count { $0.status == 503 }
        #expect(refused > 0)
        #expect(answers.count { $0.response == nil } == answers.count - refused)
        host.store()
        // In the order in which they were sent, and each of them once.
        let accepted = answers.filter { $0.status == 200 }
        #expect(accepted.count == answers.count - refused)
        for (index, answer) in accepted.enumerated() {
            #expect(answer.text.hasPrefix(#"{"version":\#(index + 1),"#))
        }
        #expect(host.harness.shard.pending.isEmpty && host.harness.shard.pending.byteCount == 0)
        #expect(try #require(host.harness.shard.journal).waitingBytes == 0)
    }

    @Test func `requests that waited for their session run before those that the backlog has stopped`() throws {
        let first = try StoredHost()
        let session = first.makeSession()
        let host = try StoredHost(on: first.disk)
        let peer = HTTPPeer(address: "127.0.0.1", port: 1)
        func increment() -> PendingAnswer { host.start(.post, session + "/inputs/increment", from: peer) }
        var answers = [increment(), increment()]
        host.harness.shard.journal?.pause.begin(.backlog)
        answers.append(increment())
        host.stepOnce()
        #expect(!host.harness.shard.sessions.isEmpty)
        answers.append(increment())
        #expect(answers.allSatisfy { $0.response == nil })
        host.harness.shard.endBacklog()
        host.store()
        for (index, answer) in answers.enumerated() {
            #expect(answer.text.hasPrefix(#"{"version":\#(index + 1),"#))
        }
    }

    @Test func `timers wait for the journal`() throws {
        let host = try StoredHost()
        let (busy, other) = (host.makeSession(), host.makeSession())
        _ = host.send(.post, other + "/inputs/inAMinute")
        let answers = fill(host, busy)
        host.harness.loop.advance(by: .seconds(120))
        #expect(version(of: other, in: host) == 0)
        host.store()
        #expect(answers.allSatisfy { $0.status == 200 })
        #expect(host.send(.get, other + "/outputs").text.hasPrefix(#"{"count":1"#))
    }

    @Test func `answers of effects wait for the journal`() throws {
        let service = FakeService()
        let host = try StoredHost(of: .askingOnce(service))
        let asking = host.makeSession()
        let busy = host.makeSession(of: "typist")
        host.harness.shard.journal?.pause.begin(.backlog)
        service.answer(0, "found")
        host.harness.loop.run()
        #expect(version(of: asking, in: host) == 0)
        let waiting = host.start(.get, busy)
        #expect(waiting.response == nil)
        host.harness.shard.endBacklog()
        host.store()
        #expect(waiting.status == 200)
        #expect(host.send(.get, asking + "/outputs").text.contains(#""answer":"found""#))
    }

    @Test func `the sessions of machines that are not stored do not wait`() throws {
        var definition = counter()
        definition.durability = .memory
        let host = try StoredHost(of: definition)
        let session =
            host.start(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#)
            .response?.fields.value(.location) ?? ""
        host.harness.shard.journal?.pause.begin(.backlog)
        #expect(host.start(.post, session + "/inputs/increment").status == 200)
    }

    @Test func `a request whose client has left is dropped`() {
        var pending = PendingRequests()
        let request = HTTPRequest(method: .get, target: "/v1/sessions", fields: [:], body: [1], peer: .unknown)
        let client = Client()
        func waiting(_ client: Client?) -> PendingRequest {
            let waiting = PendingRequest(
                request, RequestContext(.sessions, isGuarded: false), resumingAt: .pause)
            if let client { waiting.promise.whenFulfilled(for: client) }
            return waiting
        }
        let causes: [PendingRequests.Cause] = [.turns, .loading(StoredSessionID(high: 0, low: 1)), .answer(1)]
        let added = (0..<PendingRequests.maxRequests).count { index in
            pending.add(waiting(client), for: causes[index % causes.count])
        }
        // One client gets half of the room.
        #expect(added == PendingRequests.maxRequests / 2)
        let first = waiting(nil)
        let refused = pending.add(first, for: .turns)
        #expect(!refused)
        client.awaitsResponse = false
        // Not for each refusal, but after some of them, there is room because nobody waits for the others.
        let attempts = (1...100).first { _ in pending.add(first, for: .turns) }
        #expect(attempts != nil)
        #expect(pending.count == 1)
        let (taken, second) = (pending.take(.turns), pending.take(.turns))
        #expect(taken === first)
        #expect(second == nil)
        #expect(pending.isEmpty && pending.byteCount == 0)
        #expect(causes.allSatisfy { !pending.contains($0) })
    }

    @Test func `the number of requests that wait for one session to be loaded is bounded`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let next = try StoredHost(on: host.disk)
        let most = PendingRequests.maxRequests / 2
        let answers = (0...most).map { _ in next.start(.get, session) }
        #expect(answers.count { $0.status == 503 } == 1)
        next.store()
        #expect(answers.count { $0.status == 200 } == most)
        #expect(next.harness.shard.pending.count == 0)
    }

    @Test func `clients with many requests leave room for others, which take turns with them`() {
        func request(_ peer: HTTPPeer) -> PendingRequest {
            let request = HTTPRequest(method: .get, target: "/v1/sessions", fields: [:], body: [1], peer: peer)
            return PendingRequest(request, RequestContext(.sessions, isGuarded: false), resumingAt: .pause)
        }
        var pending = PendingRequests()
        let peers = (0..<5).map { HTTPPeer(address: "192.0.2.\($0)", port: 1) }
        for peer in peers.dropLast() { while pending.add(request(peer), for: .turns) {} }
        #expect(pending.count < PendingRequests.maxRequests)
        let (hasRoom, last) = (pending.add(request(peers[4]), for: .turns), peers[4])
        #expect(hasRoom)
        let first = (0..<5).map { _ in pending.take(.turns)?.request.peer }
        #expect(first.count { $0 === last } == 1)
        while pending.take(.turns) != nil {}
        #expect(pending.isEmpty && pending.byteCount == 0)
    }
}
