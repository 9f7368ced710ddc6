import Access
import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// The form of the Durable Streams protocol: large values, stored sessions, and different viewers.
struct DurableStorageTests {
    private static let large = "\"" + String(repeating: "x", count: 1 << 20) + "\""

    // Size

    @Test func `what does not fit into one answer is read with several`() throws {
        let harness = try HostHarness.counting {
            $0.historyBytes = 1 << 20
            $0.historyChanges = 500
        }
        let session = harness.makeSession()
        var answer = harness.send(.get, session + "/stream")
        for index in 0..<200 {
            harness.input(session, "late", "\"\(index)\(String(repeating: "x", count: 1000))\"")
        }
        var (messages, answers): ([String], Int) = ([], 0)
        repeat {
            answer = harness.send(.get, session + "/stream?offset=\(answer.offset)")
            messages += answer.messages
            answers += 1
            try #require(answers < 10)
        } while !answer.fields.contains(.streamUpToDate)
        #expect(messages.count == 200 && answers > 2)
        #expect(messages.indices.allSatisfy { messages[$0].hasPrefix("change {\"late\":\"\($0)x") })
    }

    @Test func `a large message is the last one of its answer, and is not copied for a slow reader`() throws {
        let harness = try HostHarness.counting { $0.historyBytes = 8 << 20 }
        let session = harness.makeSession()
        let first = harness.send(.get, session + "/stream")
        harness.input(session, "increment")
        harness.input(session, "late", Self.large)
        harness.input(session, "increment")
        let answer = harness.send(.get, session + "/stream?offset=\(first.offset)")
        #expect(answer.offset.hasPrefix("00000000000000000002."))
        #expect(!answer.fields.contains(.streamUpToDate))
        let body = StreamFollower(try #require(answer.stream))
        body.readOnce(limit: 1000)
        body.readOnce(limit: 1000)
        #expect(body.bytes.count < 200_000)
        harness.input(session, "increment")
        body.read(limit: 1000)
        #expect(body.hasFinished)
        #expect(
            harness.messages(in: body.text) == [
                #"change {"count":1,"isEven":false}"#, "change {\"late\":\(Self.large)}",
            ])
        #expect(harness.host.streamCount == 0)
        let rest = harness.send(.get, session + "/stream?offset=\(answer.offset)")
        #expect(rest.messages.count == 2 && rest.fields.contains(.streamUpToDate))
    }

    @Test func `a large snapshot that nobody reads, or not to its end, is released`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        harness.input(session, "late", Self.large)
        do {
            let unread = harness.send(.get, session + "/stream")
            #expect(unread.stream != nil && harness.host.streamCount == 1)
        }
        #expect(harness.host.streamCount == 0)
        let body = StreamFollower(try #require(harness.send(.get, session + "/stream").stream))
        body.readOnce(limit: 1000)
        body.cut()
        #expect(harness.host.streamCount == 0)
        let events = StreamFollower(
            try #require(harness.send(.get, session + "/stream?offset=-1&live=sse").stream))
        events.read(limit: 1000)
        #expect(events.events.map(\.event) == ["data", "control"])
        #expect(harness.messages(in: events.events[0].data).count == 1)
    }

    // Stored sessions

    @Test func `nothing is read that is not stored`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let first = host.send(.get, session + "/stream")
        let offset = first.response?.fields.value(.streamNextOffset) ?? ""
        let poll = host.start(.get, session + "/stream?offset=\(offset)&live=long-poll")
        _ = host.start(.post, session + "/inputs/increment")
        let read = host.start(.get, session + "/stream")
        #expect(poll.response == nil && read.response == nil)
        host.store()
        #expect(poll.text.contains(#""data":{"count":1,"isEven":false}}]"#))
        #expect(read.text.contains(#""event":"snapshot""#) && read.text.contains(#""count":1"#))
    }

    @Test func `an offset is valid after a restart`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let offset = host.send(.get, session + "/stream").response?.fields.value(.streamNextOffset) ?? ""
        _ = host.send(.post, session + "/inputs/increment")
        let next = try StoredHost(on: host.disk, after: 10)
        let answer = next.send(.get, session + "/stream?offset=\(offset)")
        #expect(next.harness.messages(in: answer.text) == [#"change {"count":1,"isEven":false}"#])
        let last = answer.response?.fields.value(.streamNextOffset) ?? ""
        let poll = next.start(.get, session + "/stream?offset=\(last)&live=long-poll")
        #expect(poll.response == nil)
        _ = next.send(.post, session + "/inputs/increment")
        #expect(poll.text.contains(#""data":{"count":2,"isEven":true}}]"#))
    }

    @Test func `a session that sleeps is read without its machine, and a long poll survives its sleep`() throws {
        let host = try StoredHost.hibernating {
            $0.idleExpiry = .seconds(300)
            $0.keepAlive = .seconds(200)
        }
        let session = host.makeSession()
        let poll = host.send(.get, session + "/stream?offset=now&live=long-poll")
        host.advance(by: 70)
        #expect(host.awakeCount == 0)
        let read = host.send(.get, session + "/stream")
        #expect(read.text.contains(#""event":"snapshot""#))
        #expect(host.send(.head, session + "/stream").status == 200)
        #expect(host.awakeCount == 0)
        #expect(poll.response == nil)
        _ = host.send(.post, session + "/inputs/increment")
        #expect(poll.text.contains(#""data":{"count":1,"isEven":false}}]"#))
        #expect(host.harness.host.streamCount == 0)
    }

    // Viewers

    @Test func `the session of another owner has no stream`() throws {
        let access = try TestAccess()
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        for query in ["", "?offset=-1&live=sse", "?offset=now&live=long-poll", "?offset=x"] {
            #expect(harness.send(.get, session + "/stream" + query, fields: access.bob).status == .notFound)
            #expect(harness.send(.get, session + "/stream" + query).status == .notFound)
        }
        #expect(harness.send(.head, session + "/stream", fields: access.bob).status == .notFound)
        #expect(harness.send(.get, session + "/stream", fields: access.ada).status == .ok)
    }

    @Test func `a viewer reads the outputs of its view, and has offsets of its own`() throws {
        let table = try CardTable()
        let harness = try table.harness()
        let session = harness.makeSession(as: table.access.ada)
        let guest = table.guest("table", of: session, harness)
        let first = harness.send(.get, session + "/stream", fields: guest)
        #expect(first.messages == [#"snapshot {"open":0}"#])
        for name in ["hand", "both"] {
            _ = harness.send(.post, session + "/inputs/" + name, body: "5", fields: table.access.ada)
        }
        let next = harness.send(.get, session + "/stream?offset=\(first.offset)", fields: guest)
        #expect(next.messages == [#"change {"open":5}"#])
        // Its offset does not say what the owner has received.
        let whole = harness.send(.get, session + "/stream?offset=\(first.offset)", fields: table.access.ada)
        #expect(whole.messages == [#"snapshot {"open":5,"hand":5}"#])
    }

    @Test func `a long poll ends with the credential on which it depends`() throws {
        let table = try CardTable()
        let harness = try table.harness { $0.keepAlive = .seconds(600) }
        let user = CardTable.user("eve dealer 60")
        let session = harness.makeSession(as: user)
        let poll = harness.poll(session + "/stream?offset=now&live=long-poll", user)
        // After a grace period.
        harness.loop.advance(by: .seconds(73))
        #expect(poll.status == 204)
        #expect(poll.response?.fields.contains(.streamClosed) == false)
    }

    @Test func `only streams of events have a rate`() throws {
        var access = try TestAccess()
        access.access.rates.streams = RateLimit("streams", quota: 1, window: .seconds(60))
        let harness = try access.harness()
        let session = harness.makeSession()
        let peer = HTTPPeer(address: "192.0.2.1", port: 1)
        func read(_ query: String) -> HarnessAnswer {
            harness.send(.get, session + "/stream" + query, from: peer)
        }
        #expect(read("?offset=-1&live=sse").status == .ok)
        #expect(read("?offset=-1&live=sse").status == .tooManyRequests)
        #expect(read("?offset=-1&live=long-poll").status == .ok)
        #expect(read("").status == .ok)
    }
}
