import Access
import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// Rates and counts by principal or address.
struct RequestRateTests {
    private func peer(_ address: String) -> HTTPPeer { HTTPPeer(address: address, port: 1) }

    private func limited(_ configure: (inout HostAccess.Rates) -> Void) throws -> TestAccess {
        var access = try TestAccess()
        configure(&access.access.rates)
        return access
    }

    @Test func `inputs over the rate get 429 with the fields of the rate, by principal`() throws {
        let access = try limited { $0.inputs = RateLimit("inputs", quota: 2, window: .seconds(60)) }
        let harness = try access.harness()
        let session = harness.makeSession()
        func send(_ fields: HTTPFields) -> HarnessAnswer {
            harness.send(.post, session + "/inputs/speak", fields: fields, from: peer("192.0.2.1"))
        }
        let first = send(access.ada)
        #expect(first.status == .ok)
        #expect(first.fields.value(.rateLimitPolicy) == "\"inputs\";q=2;w=60")
        #expect(first.fields.value(.rateLimit) == "\"inputs\";r=1;t=30")
        #expect(send(access.ada).status == .ok)
        let refused = send(access.ada)
        #expect(refused.status == .tooManyRequests)
        #expect(refused.fields.value(.retryAfter) == "30")
        #expect(refused.fields.value(.rateLimit) == "\"inputs\";r=0;t=60")
        #expect(send(access.bob).status == .ok)
        #expect(send([:]).status == .ok)
        // A reload of keys does not fill the bucket.
        harness.host.replaceAccess(access.access)
        harness.loop.run()
        #expect(send(access.ada).status == .tooManyRequests)
        harness.loop.advance(by: .seconds(31))
        #expect(send(access.ada).status == .ok)
    }

    @Test func `a batch that is longer than the quota takes all of it`() throws {
        let access = try limited { $0.inputs = RateLimit("inputs", quota: 3, window: .seconds(60)) }
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        func send(_ count: Int) -> HarnessAnswer {
            let batch = "[" + Array(repeating: #"{"input":"speak"}"#, count: count).joined(separator: ",") + "]"
            return harness.send(.post, session + "/inputs", body: batch, fields: access.ada)
        }
        let accepted = send(5)
        #expect(accepted.status == .ok)
        #expect(accepted.fields.value(.rateLimit) == "\"inputs\";r=0;t=60")
        harness.loop.advance(by: .seconds(21))
        let refused = send(2)
        #expect(refused.status == .tooManyRequests)
        #expect(refused.fields.count(of: .rateLimit) == 1)
        harness.loop.advance(by: .seconds(60))
        #expect(send(5).status == .ok)
    }

    @Test func `a batch counts as many inputs as it has`() throws {
        let access = try limited { $0.inputs = RateLimit("inputs", quota: 3, window: .seconds(60)) }
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        func send(_ count: Int) -> HTTPStatus {
            let batch = "[" + Array(repeating: #"{"input":"speak"}"#, count: count).joined(separator: ",") + "]"
            return harness.send(.post, session + "/inputs", body: batch, fields: access.ada).status
        }
        #expect(send(2) == .ok)
        #expect(send(2) == .tooManyRequests)
        #expect(harness.send(.get, session, fields: access.ada).text.contains(#""senders":"ada;ada;""#))
    }

    @Test func `creations and streams have rates of their own, by address without a principal`() throws {
        let access = try limited {
            $0.creations = RateLimit("creations", quota: 1, window: .seconds(60))
            $0.streams = RateLimit("streams", quota: 1, window: .seconds(60))
        }
        let harness = try access.harness()
        func create(_ address: String) -> HarnessAnswer {
            harness.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, from: peer(address))
        }
        let session = try #require(create("192.0.2.1").fields.value(.location))
        #expect(create("192.0.2.1").status == .tooManyRequests)
        #expect(create("192.0.2.2").status == .created)
        func stream() -> HTTPStatus {
            harness.send(
                .get, session + "/outputs", fields: [.accept: "text/event-stream", .prefer: "status"],
                from: peer("192.0.2.1")
            ).status
        }
        #expect(stream() == .ok)
        #expect(stream() == .tooManyRequests)
        #expect(harness.send(.get, session + "/outputs", from: peer("192.0.2.1")).status == .ok)
        // Local clients are not limited.
        for _ in 0..<3 { #expect(create("127.0.0.1").status == .created) }
    }

    @Test func `sessions count for their principal, wherever it is`() throws {
        let access = try TestAccess()
        let harness = try access.harness {
            $0.maxSessionsPerClient = 1
            $0.maxNewSessionsPerClient = nil
        }
        func create(_ fields: HTTPFields, _ address: String) -> HTTPStatus {
            harness.send(
                .post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: fields, from: peer(address)
            ).status
        }
        #expect(create(access.ada, "192.0.2.1") == .created)
        #expect(create(access.ada, "192.0.2.2") == .tooManyRequests)
        #expect(create(access.bob, "192.0.2.1") == .created)
        #expect(create([:], "192.0.2.1") == .created)
        #expect(create([:], "192.0.2.1") == .tooManyRequests)
    }

    @Test func `a browser that discards its cookie counts by its address`() throws {
        let access = try TestAccess { $0.cookies = CookieAuthority(keys: .random()) }
        let harness = try access.harness { $0.maxSessionsPerClient = 2 }
        func create() -> HTTPStatus {
            harness.send(
                .post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: [.secFetchSite: "same-origin"],
                from: peer("192.0.2.1")
            ).status
        }
        #expect(create() == .created)
        #expect(create() == .created)
        #expect(create() == .tooManyRequests)
    }

    @Test func `the streams of a client on all sessions are limited, until they are closed`() throws {
        var access = try TestAccess()
        access.access.quotas.streams = 2
        let harness = try access.harness()
        let sessions = [harness.makeSession(), harness.makeSession()]
        func open(_ session: String, _ fields: HTTPFields) -> HarnessAnswer {
            var fields = fields
            fields.append(.accept, "text/event-stream")
            fields.append(.prefer, "status")
            return harness.send(.get, session + "/outputs", fields: fields, from: peer("192.0.2.1"))
        }
        let first = StreamFollower(try #require(open(sessions[0], access.ada).stream))
        var second: HarnessAnswer? = open(sessions[1], access.ada)
        #expect(second?.status == .ok)
        let refused = open(sessions[0], access.ada)
        #expect(refused.status == .tooManyRequests)
        #expect(refused.text.contains("/problems/over-quota"))
        #expect(open(sessions[0], access.bob).status == .ok)
        first.cut()
        #expect(open(sessions[0], access.ada).status == .ok)
        // A response that nobody reads.
        second = nil
        #expect(open(sessions[0], access.ada).status == .ok)
        #expect(harness.host.streamCounts.clientCount == 0)
    }

    @Test func `a client that continues after 16 refusals gets each answer 10 ms later`() throws {
        let access = try limited { $0.inputs = RateLimit("inputs", quota: 1, window: .seconds(60)) }
        let harness = try access.harness()
        let session = harness.makeSession()
        func send(_ fields: HTTPFields) -> HarnessAnswer {
            harness.send(.post, session + "/inputs/speak", fields: fields, from: peer("192.0.2.1"))
        }
        #expect(send(access.ada).status == .ok)
        for _ in 0..<16 { #expect(send(access.ada).status == .tooManyRequests) }
        let request = HTTPRequest(
            method: .post, target: session + "/inputs/speak", fields: access.ada, peer: peer("192.0.2.1"))
        let shard = harness.shard
        var answers: [HTTPResponse] = []
        for _ in 0..<2 {
            guard case .deferred(let promise) = shard.respond(to: request) else {
                Issue.record("expected a late answer")
                return
            }
            promise.whenFulfilled { answers.append($0) }
        }
        harness.loop.advance(by: .milliseconds(9))
        #expect(answers.isEmpty && shard.access.delayedRefusals == 2)
        // Others are not concerned, whatever they share with the client.
        #expect(send(access.bob).status == .ok)
        #expect(harness.send(.get, session, fields: access.ada).status == .ok)
        harness.loop.advance(by: .milliseconds(1))
        #expect(
            answers.map(\.status) == [.tooManyRequests, .tooManyRequests] && shard.access.delayedRefusals == 0)
        #expect(answers.first?.fields.value(.rateLimit) == "\"inputs\";r=0;t=60")
        // The client waits for the stated time.
        harness.loop.advance(by: .seconds(61))
        #expect(send(access.ada).status == .ok)
        #expect(send(access.ada).status == .tooManyRequests)
    }

    @Test func `tickets have a rate, for those who issue and those who redeem them`() throws {
        let access = try limited { $0.tickets = RateLimit("tickets", quota: 3, window: .seconds(60)) }
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        func send(
            _ method: HTTPMethod, _ fields: HTTPFields, _ body: String? = nil, from address: String
        ) -> HarnessAnswer {
            harness.send(method, session + "/tickets", body: body, fields: fields, from: peer(address))
        }
        let terms = #"{"allows":["read"],"renewsFor":"1h"}"#
        let invitation = harness.ticket(session, terms, as: access.ada)
        #expect(send(.post, access.ada, terms, from: "192.0.2.1").status == .created)
        #expect(send(.delete, access.ada, from: "192.0.2.1").status == .noContent)
        let refused = send(.post, access.ada, terms, from: "192.0.2.2")
        #expect(refused.status == .tooManyRequests && refused.text.contains("/problems/too-many-requests"))
        #expect(refused.fields.value(.retryAfter) == "20")
        #expect(refused.fields.value(.rateLimit) == "\"tickets\";r=0;t=60")
        // Holders count by address. The tickets have been revoked, and a redemption that fails counts as well.
        let guest = TestAccess.fields("Ticket \(invitation)")
        for _ in 0..<3 { #expect(send(.post, guest, from: "192.0.2.3").status == .unauthorized) }
        #expect(send(.post, guest, from: "192.0.2.3").status == .tooManyRequests)
        #expect(send(.post, guest, from: "192.0.2.4").status == .unauthorized)
        // Nothing else of the session is concerned.
        #expect(harness.send(.get, session, fields: access.ada, from: peer("192.0.2.2")).status == .ok)
        harness.loop.advance(by: .seconds(21))
        #expect(send(.post, access.ada, terms, from: "192.0.2.2").status == .created)
    }

    @Test func `rejected credentials of an address have a rate, and valid ones pass`() throws {
        let access = try limited {
            $0.rejections = RateLimit("rejected-credentials", quota: 3, window: .seconds(60))
        }
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let wrong = TestAccess.fields("ApiKey wrong")
        func get(_ fields: HTTPFields, _ address: String, accept: String = "application/json") -> HarnessAnswer {
            var fields = fields
            fields.append(.accept, HTTPFieldValue(accept) ?? "")
            return harness.send(.get, session + "/outputs", fields: fields, from: peer(address))
        }
        for _ in 0..<3 { #expect(get(wrong, "192.0.2.1").status == .unauthorized) }
        let refused = get(wrong, "192.0.2.1")
        #expect(refused.status == .tooManyRequests && refused.text.contains("/problems/too-many-requests"))
        #expect(refused.fields.value(.retryAfter) == "20")
        #expect(refused.fields.value(.rateLimit) == "\"rejected-credentials\";r=0;t=60")
        // A stream is told when to return, as for other rates.
        #expect(get(wrong, "192.0.2.1", accept: "text/event-stream").status == .ok)
        // The same address with valid credentials, without any, and others.
        #expect(get(access.ada, "192.0.2.1").status == .ok)
        #expect(get([:], "192.0.2.1").status == .notFound)
        #expect(get(wrong, "192.0.2.2").status == .unauthorized)
        for _ in 0..<9 { #expect(get(wrong, "127.0.0.1").status == .unauthorized) }
        harness.loop.advance(by: .seconds(21))
        #expect(get(wrong, "192.0.2.1").status == .unauthorized)
        #expect(get(wrong, "192.0.2.1").status == .tooManyRequests)
        // Requests without rejections cost nothing.
        for _ in 0..<20 { #expect(get(access.ada, "192.0.2.1").status == .ok) }
    }

    @Test func `a client that continues to send wrong credentials gets late answers`() throws {
        let access = try limited {
            $0.rejections = RateLimit("rejected-credentials", quota: 1, window: .seconds(60))
        }
        let harness = try access.harness()
        let request = HTTPRequest(
            method: .post, target: "/v1/sessions", fields: TestAccess.fields("ApiKey wrong"), peer: peer("192.0.2.1"))
        var late = 0
        for _ in 0..<20 {
            if case .deferred = harness.shard.respond(to: request) { late += 1 }
        }
        #expect(late == 3)
    }

    @Test func `a flood has a limited number of late answers`() throws {
        let access = try limited { $0.inputs = RateLimit("inputs", quota: 1, window: .seconds(60)) }
        let harness = try access.harness()
        let session = harness.makeSession()
        let request = HTTPRequest(
            method: .post, target: session + "/inputs/speak", fields: access.ada, peer: peer("192.0.2.1"))
        var (late, immediate) = (0, 0)
        var promises: [DeferredResponse] = []
        for _ in 0..<1100 {
            switch harness.shard.respond(to: request) {
            case .response: immediate += 1
            case .deferred(let promise):
                promises.append(promise)
                late += 1
            }
        }
        // The first one is permitted, 16 are refused immediately, and there are no more than 1,024 late ones.
        #expect(late == 1024 && immediate == 76)
        harness.loop.advance(by: .milliseconds(10))
        #expect(promises.allSatisfy { $0.takeIfFulfilled()?.status == .tooManyRequests })
        guard case .deferred = harness.shard.respond(to: request) else {
            Issue.record("expected a late answer")
            return
        }
    }
}
