import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// A session's outputs in the form of the Durable Streams protocol.
struct DurableStreamTests {
    private let harness: HostHarness
    private let session: String

    init() throws {
        harness = try .counting {
            $0.historyChanges = 12
            $0.maxStreamsPerSession = 2
        }
        session = harness.makeSession()
    }

    private func read(_ query: String = "", _ fields: HTTPFields = [:]) -> HarnessAnswer {
        harness.send(.get, session + "/stream" + query, fields: fields)
    }

    private func follow(_ offset: String, _ query: String = "") throws -> StreamFollower {
        StreamFollower(try #require(read("?offset=\(offset)&live=sse" + query).stream))
    }

    private func increment(_ count: Int = 1) {
        for _ in 0..<count { harness.input(session, "increment") }
    }

    // What exists

    @Test(arguments: ["", "?offset=-1"])
    func `a read from the beginning gets a snapshot, and the offset after it`(query: String) {
        increment()
        let answer = read(query)
        let position = harness.position(of: session)
        #expect(answer.status == .ok)
        #expect(
            answer.text == """
                [{"event":"snapshot","id":"\(position)","data":{"count":1,"isEven":false}}]
                """)
        #expect(answer.fields.value(.contentType) == "application/json")
        #expect(answer.fields.value(.cacheControl) == "no-store")
        #expect(answer.fields.value(.streamNextOffset) == "00000000000000000001.\(position.prefix(6))")
        #expect(answer.fields.value(.streamUpToDate) == "true")
        #expect(!answer.fields.contains(.streamClosed))
        #expect(harness.host.streamCount == 0)
    }

    @Test func `each turn after an offset is one message, and none is repeated`() {
        let first = read()
        increment(2)
        harness.input(session, "complain", "1")
        let second = read("?offset=\(first.offset)")
        #expect(
            second.messages == [
                #"change {"count":1,"isEven":false}"#, #"change {"count":2,"isEven":true}"#,
                #"change {"$emitted":[{"output":"error","value":1}]}"#,
            ])
        let third = read("?offset=\(second.offset)")
        #expect(third.text == "[]")
        #expect(third.offset == second.offset)
        #expect(third.fields.value(.streamUpToDate) == "true")
    }

    @Test func `offsets are in the order of their text`() {
        var offsets = [read().offset]
        for _ in 0..<12 {
            increment()
            offsets.append(read("?offset=\(offsets[offsets.count - 1])").offset)
        }
        #expect(offsets == offsets.sorted() && Set(offsets).count == 13)
        #expect(offsets.allSatisfy { $0.utf8.count == 27 })
    }

    @Test func `now is the offset after everything that exists`() {
        increment()
        let answer = read("?offset=now")
        #expect(answer.text == "[]")
        #expect(answer.offset == read().offset)
        #expect(answer.fields.value(.streamUpToDate) == "true")
        #expect(!answer.fields.contains(.eTag))
        increment()
        #expect(read("?offset=\(answer.offset)").messages == [#"change {"count":2,"isEven":true}"#])
    }

    @Test func `HEAD returns the offset after everything that exists`() {
        increment()
        let answer = harness.send(.head, session + "/stream")
        #expect(answer.status == .ok)
        #expect(answer.offset == read().offset)
        #expect(answer.fields.value(.contentType) == "application/json")
        #expect(answer.fields.value(.cacheControl) == "no-store")
    }

    @Test func `an offset that has left the history gets a snapshot`() {
        let first = read()
        increment(12)
        #expect(read("?offset=\(first.offset)").messages.count == 12)
        increment()
        let answer = read("?offset=\(first.offset)")
        #expect(answer.messages == [#"snapshot {"count":13,"isEven":false}"#])
        #expect(read("?offset=\(answer.offset)").text == "[]")
    }

    @Test func `an offset of another session, another epoch or the future gets a snapshot`() {
        increment()
        let other = harness.send(.get, harness.makeSession() + "/stream").offset
        let future = read().offset.replacing("1.", with: "2.")
        for offset in [other, future, "18446744073709551615.AAAAAA", "00000000000000000000.AAAAAA"] {
            let answer = read("?offset=\(offset)")
            #expect(answer.messages == [#"snapshot {"count":1,"isEven":false}"#], "\(offset)")
            #expect(answer.offset == read().offset)
        }
    }

    @Test(arguments: [
        "?offset=", "?offset", "?offset=-2", "?offset=NOW", "?offset=0", "?offset=0.AAAAAA", "?offset=AAAAAA.0",
        "?offset=0000000000000000001.AAAAAA", "?offset=000000000000000000001.AAAAAA",
        "?offset=99999999999999999999.AAAAAA", "?offset=0000000000000000000x.AAAAAA",
        "?offset=00000000000000000001.AAAAA!", "?offset=00000000000000000001,AAAAAA", "?offset=%FF", "?offset=%",
        "?offset=-1&offset=-1", "?offset=-1&offset=now", "?%6Fffset=-1&offset=now", "?live=sse", "?live=long-poll",
        "?offset=-1&live=", "?offset=-1&live", "?offset=-1&live=true", "?offset=-1&live=SSE",
        "?offset=-1&live=sse&live=long-poll", "?offset=\(String(repeating: "0", count: 5000))",
    ])
    func `an offset or a mode that no server gives is refused`(query: String) {
        let answer = read(query)
        #expect(answer.status == .badRequest, "\(query)")
        #expect(answer.text.hasPrefix(#"{"type":"/problems/malformed-request""#))
        #expect(harness.host.streamCount == 0)
    }

    @Test func `only the requested outputs are messages`() {
        let first = read("?only=isEven,error")
        #expect(first.messages == [#"snapshot {"isEven":true}"#])
        harness.input(session, "add", "2")
        increment()
        #expect(read("?offset=\(first.offset)&only=isEven,error").messages == [#"change {"isEven":false}"#])
        #expect(read("?only=none").status == .notFound)
        #expect(harness.send(.head, session + "/stream?only=none").status == .notFound)
    }

    @Test func `a client that has the messages gets 304`() throws {
        let first = read()
        let tag = try #require(first.fields[.eTag])
        #expect(tag.string == "\"-1:\(first.offset)\"")
        let same = read("", [.ifNoneMatch: tag])
        #expect(same.status == .notModified && same.text.isEmpty)
        #expect(same.offset == first.offset && same.fields.value(.eTag) == tag.string)
        increment()
        #expect(read("", [.ifNoneMatch: tag]).status == .ok)
    }

    @Test func `the cursor is never one that the client has`() {
        let now = Int(read("?offset=now").fields.value(.streamCursor) ?? "") ?? 0
        #expect(now == (1_767_225_600 - 1_728_432_000) / 20)
        for (cursor, isLater) in [("\(now)", true), ("\(now + 9)", true), ("1", false), ("x", false)] {
            let next = Int(read("?offset=now&cursor=\(cursor)").fields.value(.streamCursor) ?? "") ?? 0
            #expect(isLater ? next > Int(cursor) ?? 0 : next == now, "\(cursor)")
        }
        // A cursor that does not fit is ignored.
        for cursor in ["18446744073709551615", "99999999999999999999999", "-1", ""] {
            #expect(read("?offset=now&cursor=\(cursor)").fields.value(.streamCursor) == "\(now)")
        }
    }

    @Test func `clients get what they accept`() {
        #expect(read("", [.accept: "text/html"]).status == .notAcceptable)
        #expect(read("?offset=-1&live=sse", [.accept: "application/json"]).status == .notAcceptable)
        #expect(read("?offset=-1&live=sse", [.accept: "*/*"]).stream != nil)
        #expect(harness.host.streamCount == 0)
    }

    @Test func `a session that does not exist has no stream`() {
        for query in ["", "?offset=-1&live=sse", "?offset=now&live=long-poll"] {
            #expect(harness.send(.get, "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA/stream" + query).status == .notFound)
        }
        #expect(harness.send(.head, "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA/stream").status == .notFound)
    }

    // The next message

    @Test func `a long poll is answered with the next change`() {
        let answer = harness.poll(session + "/stream?offset=\(read().offset)&live=long-poll")
        #expect(answer.response == nil)
        #expect(harness.host.streamCount == 1)
        increment()
        #expect(answer.status == 200)
        #expect(answer.text.contains(#""data":{"count":1,"isEven":false}}]"#))
        #expect(answer.response?.fields.value(.streamNextOffset) == read().offset)
        #expect(answer.response?.fields.value(.streamUpToDate) == "true")
        #expect(answer.response?.fields.contains(.streamCursor) == true)
        #expect(harness.host.streamCount == 0)
    }

    @Test(arguments: ["-1", "now"])
    func `a long poll begins at its offset`(offset: String) {
        increment()
        let answer = harness.poll(session + "/stream?offset=\(offset)&live=long-poll")
        #expect((answer.status == 200) == (offset == "-1"))
        increment()
        #expect(answer.status == 200)
        #expect(answer.text.contains("\"change\"") == (offset == "now"))
    }

    @Test func `a long poll without a message ends after a time`() {
        let offset = read().offset
        let answer = harness.poll(session + "/stream?offset=\(offset)&live=long-poll")
        harness.loop.advance(by: .seconds(14))
        #expect(answer.response == nil)
        harness.loop.advance(by: .seconds(2))
        #expect(answer.status == 204)
        #expect(answer.response?.body.bytes == nil)
        #expect(answer.response?.fields.value(.streamNextOffset) == offset)
        #expect(answer.response?.fields.value(.streamUpToDate) == "true")
        #expect(answer.response?.fields.contains(.streamCursor) == true)
        #expect(harness.host.streamCount == 0)
    }

    @Test func `a long poll for some outputs does not end with a change of others`() {
        let answer = harness.poll(session + "/stream?offset=now&live=long-poll&only=isEven")
        harness.input(session, "add", "2")
        #expect(answer.response == nil)
        increment()
        #expect(answer.text.contains(#""data":{"isEven":false}}]"#))
    }

    @Test func `changes of one turn, and of several turns in one round, are one answer`() {
        let answer = harness.poll(session + "/stream?offset=now&live=long-poll")
        // Both turns run before the loop runs what they have scheduled.
        for _ in 0..<2 {
            let target = session + "/inputs/increment"
            _ = harness.respond(to: HTTPRequest(method: .post, target: target))
        }
        #expect(answer.response == nil)
        harness.loop.run()
        #expect(answer.text.contains(#""count":1,"#) && answer.text.contains(#""count":2,"#))
    }

    @Test func `polls count as streams, and one over the limit gets its status`() {
        let polls = (0..<2).map { _ in harness.poll(session + "/stream?offset=now&live=long-poll") }
        for query in ["?offset=now&live=long-poll", "?offset=now&live=sse"] {
            let refused = read(query, [.accept: "text/event-stream, application/json"])
            #expect(refused.status == .tooManyRequests)
            #expect(refused.text.contains("/problems/too-many-streams"))
        }
        increment()
        #expect(polls.allSatisfy { $0.status == 200 })
        #expect(read().status == .ok)
    }

    @Test func `a long poll whose client leaves ends immediately, and its place is free`() throws {
        let target = session + "/stream?offset=now&live=long-poll"
        var statuses: [HTTPStatus] = []
        let polls = (0..<2).compactMap { _ -> DeferredResponse? in
            let answer = harness.respond(to: HTTPRequest(method: .get, target: target))
            guard case .deferred(let promise) = answer else { return nil }
            promise.whenFulfilled { statuses.append($0.status) }
            return promise
        }
        #expect(harness.host.streamCount == 2)
        #expect(read("?offset=now&live=long-poll").status == .tooManyRequests)
        for poll in polls { poll.clientLeft() }
        harness.loop.run()
        #expect(statuses == [.noContent, .noContent])
        #expect(harness.host.streamCount == 0)
        let next = harness.poll(target)
        for poll in polls { poll.clientLeft() }
        increment()
        #expect(next.status == 200 && statuses.count == 2)
    }

    @Test func `a long poll ends when the server shuts down, and loses nothing`() {
        let offset = read().offset
        let answer = harness.poll(session + "/stream?offset=\(offset)&live=long-poll")
        harness.shard.drain()
        harness.loop.run()
        #expect(answer.status == 204)
        #expect(answer.response?.fields.value(.streamNextOffset) == offset)
        #expect(answer.response?.fields.contains(.streamClosed) == false)
        #expect(read().messages.count == 1)
        #expect(harness.poll(session + "/stream?offset=\(offset)&live=long-poll").status == 204)
    }

    // The end

    @Test func `the end of the session closes its stream`() throws {
        increment()
        let offset = read().offset
        let poll = harness.poll(session + "/stream?offset=\(offset)&live=long-poll")
        let follower = try follow(offset)
        follower.read()
        #expect(harness.send(.delete, session).status == .noContent)
        harness.loop.run()
        follower.read()
        #expect(poll.status == 204)
        #expect(poll.response?.fields.value(.streamClosed) == "true")
        #expect(poll.response?.fields.value(.streamUpToDate) == "true")
        #expect(follower.hasFinished)
        #expect(
            follower.events.last?.data == #"{"streamNextOffset":"\#(offset)","streamClosed":true,"upToDate":true}"#)
        #expect(harness.host.streamCount == 0)
    }

    @Test func `after the end, a reader learns of it, and a new one gets 410`() {
        let offset = read().offset
        _ = harness.send(.delete, session)
        let catchUp = read("?offset=\(offset)")
        #expect(catchUp.status == .ok && catchUp.text == "[]")
        let poll = read("?offset=\(offset)&live=long-poll")
        #expect(poll.status == .noContent)
        for answer in [catchUp, poll] {
            #expect(answer.offset == offset)
            #expect(answer.fields.value(.streamClosed) == "true")
            #expect(answer.fields.value(.streamUpToDate) == "true")
        }
        let stream = read("?offset=\(offset)&live=sse")
        #expect(
            stream.text == """
                event: control
                data: {"streamNextOffset":"\(offset)","streamClosed":true,"upToDate":true}


                """)
        for query in ["", "?offset=-1", "?offset=now", "?offset=now&live=sse", "?offset=-1&live=long-poll"] {
            #expect(read(query).status == .gone, "\(query)")
        }
        #expect(harness.send(.head, session + "/stream").status == .gone)
        #expect(read("?offset=x").status == .badRequest)
    }

    // Events

    @Test func `a stream of events begins with a snapshot and continues with each change`() throws {
        let follower = try follow("-1")
        follower.read()
        let position = harness.position(of: session)
        let cursor = (1_767_225_600 - 1_728_432_000) / 20
        let first = "00000000000000000000.\(position.prefix(6))"
        #expect(
            follower.text == """
                event: data
                data: [{"event":"snapshot","id":"\(position)","data":{"count":0,"isEven":true}}]

                event: control
                data: {"streamNextOffset":"\(first)","streamCursor":"\(cursor)","upToDate":true}


                """)
        increment(2)
        #expect(follower.isReady)
        follower.read()
        #expect(follower.events.map(\.event) == ["data", "control", "data", "control"])
        #expect(follower.events[2].data.contains(#""data":{"count":1,"isEven":false}},{"event":"change""#))
        #expect(follower.events[3].data.contains(#""streamNextOffset":"00000000000000000002."#))
        #expect(follower.events[3].data.contains(#""upToDate":true"#))
    }

    @Test(arguments: [1, 7, 64, 1000])
    func `events are complete however slowly they are read`(limit: Int) throws {
        let offset = read().offset
        increment(5)
        let follower = try follow(offset)
        follower.read(limit: limit)
        increment(5)
        follower.read(limit: limit)
        let messages = follower.events.filter { $0.event == "data" }.map { harness.messages(in: $0.data) }
        #expect(messages.flatMap { $0 }.count == 10)
        #expect(follower.events.last?.event == "control")
        #expect(follower.events.last?.data.contains(#""upToDate":true"#) == true)
        #expect(follower.events.filter { $0.event == "control" }.allSatisfy { $0.data.contains("streamCursor") })
    }

    @Test func `a stream of events from the last offset begins with it`() throws {
        increment()
        for offset in [read().offset, "now"] {
            let follower = try follow(offset)
            follower.read()
            #expect(follower.events.map(\.event) == ["control"])
            #expect(follower.events.first?.data.contains(#""upToDate":true"#) == true)
            #expect(follower.events.first?.data.contains(read().offset) == true)
            follower.cut()
        }
    }

    @Test func `a silent stream of events gets comments`() throws {
        let follower = try follow("now")
        follower.read()
        harness.loop.advance(by: .seconds(16))
        #expect(follower.isReady)
        follower.read()
        #expect(follower.text.hasSuffix("\n\n: keep-alive\n\n"))
    }

    @Test func `a reader that is too slow gets a snapshot in place of what it has missed`() throws {
        let follower = try follow("-1")
        follower.read()
        increment(13)
        follower.read()
        #expect(follower.events.count == 4)
        #expect(harness.messages(in: follower.events[2].data) == [#"snapshot {"count":13,"isEven":false}"#])
    }

    @Test func `a stream of events that ends before its session does not close`() throws {
        let follower = try follow("-1")
        harness.shard.drain()
        follower.read()
        #expect(follower.hasFinished)
        #expect(follower.events.map(\.event) == ["data", "control"])
        #expect(!follower.text.contains("streamClosed") && !follower.text.contains("reason"))
    }

    @Test func `a stream of events that is never read is not counted`() {
        _ = read("?offset=-1&live=sse")
        #expect(harness.host.streamCount == 0)
    }
}

extension HarnessAnswer {
    /// The offset after the messages.
    var offset: String { fields.value(.streamNextOffset) ?? "" }

    /// The messages, without their ids.
    var messages: [String] { DurableText.messages(in: text) }
}

extension HostHarness {
    /// Returns the messages of an array, without their ids.
    func messages(in text: String) -> [String] { DurableText.messages(in: text) }

    /// Returns the position of a session's version.
    func position(of session: String) -> String {
        String((send(.get, session).fields.value(.eTag) ?? "").dropFirst().dropLast())
    }

    /// Sends a request that may have to wait.
    func poll(_ target: String, _ fields: HTTPFields = [:]) -> PendingAnswer {
        let pending = PendingAnswer()
        switch respond(to: HTTPRequest(method: .get, target: target, fields: fields)) {
        case .response(let response): pending.response = response
        case .deferred(let promise): promise.whenFulfilled { pending.response = $0 }
        }
        loop.run()
        return pending
    }
}
