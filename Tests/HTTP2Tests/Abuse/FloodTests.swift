import HTTP2
import HTTPModel
import Testing

/// Every way to keep a server busy for nothing, with fifty thousand frames of each.
@Suite struct FloodTests {
    private static let count = 50_000
    /// Enough of what is no flood to use up every budget, if it took any of it.
    private static let many = 5000

    /// One kind of flood: the frames of each round, and why the connection has to end.
    struct Flood: CustomTestStringConvertible, Sendable {
        var name: String
        var ending: HTTP2Ending
        /// Why it ends where there is no time to answer in between; `nil` for the same reason.
        var endingAtOnce: HTTP2Ending?
        var settings: [(UInt16, UInt32)] = []
        var reads = true
        var begin: [Frame] = []
        var frames: @Sendable (Int) -> [Frame]

        var testDescription: String { name }
    }

    private static func stream(_ index: Int) -> Int32 { Int32(2 * index + 1) }

    static let floods: [Flood] = [
        Flood(name: "rapid resets", ending: .resets) { index in
            [.headers(stream(index), RawClient.get), .reset(stream(index))]
        },
        Flood(name: "rapid resets of requests that are not whole", ending: .resets) { index in
            [.headers(stream(index), RawClient.post, endsStream: false), .reset(stream(index))]
        },
        Flood(name: "window updates by nothing", ending: .protocolViolation(.protocolError)) { index in
            [.headers(stream(index), RawClient.post, endsStream: false), .windowUpdate(stream(index), by: 0)]
        },
        Flood(name: "window updates over the top, for which the server resets", ending: .resets) { index in
            [
                .headers(stream(index), RawClient.post, endsStream: false),
                .windowUpdate(stream(index), by: UInt32(Int32.max)),
            ]
        },
        Flood(name: "malformed requests", ending: .resets) { index in
            [.headers(stream(index), RawClient.get + [("X", "1")])]
        },
        Flood(name: "bodies that contradict their length", ending: .resets) { index in
            [
                .headers(stream(index), RawClient.post + [("content-length", "1")], endsStream: false),
                .data(stream(index), [1, 2]),
            ]
        },
        Flood(name: "settings", ending: .worklessFrames) { _ in [.settings()] },
        Flood(name: "settings of the window", ending: .worklessFrames) { index in
            [.settings([(4, UInt32(index & 0xFFFF))])]
        },
        Flood(name: "answers to settings that nobody sent", ending: .protocolViolation(.protocolError)) { _ in
            [.settingsAnswer()]
        },
        Flood(name: "pings", ending: .worklessFrames, endingAtOnce: .queuedFrames) { _ in [.ping()] },
        Flood(name: "pings of a client that does not read", ending: .queuedFrames, reads: false) { _ in [.ping()] },
        Flood(name: "settings of a client that does not read", ending: .worklessFrames, reads: false) { _ in
            [.settings()]
        },
        Flood(
            name: "empty data", ending: .worklessFrames, begin: [.headers(1, RawClient.post, endsStream: false)]
        ) { _ in [.data(1, [], endsStream: false)] },
        Flood(
            name: "data that is all padding", ending: .worklessFrames,
            begin: [.headers(1, RawClient.post, endsStream: false)]
        ) { _ in
            [
                Frame(
                    kind: Frame.Kind.data, flags: Frame.padded, stream: 1,
                    payload: [99] + Array(repeating: 0, count: 99))
            ]
        },
        Flood(
            name: "data of one byte", ending: .worklessFrames, begin: [.headers(1, RawClient.post, endsStream: false)]
        ) { _ in [.data(1, [1], endsStream: false)] },
        Flood(name: "content behind the end", ending: .protocolViolation(.streamClosed)) { index in
            [.headers(stream(index), RawClient.get), .data(stream(index), [1], endsStream: false)]
        },
        Flood(name: "fields behind the end", ending: .protocolViolation(.streamClosed)) { index in
            [.headers(stream(index), RawClient.get), .headers(stream(index), RawClient.get)]
        },
        Flood(
            name: "content of a request that was refused", ending: .worklessFrames,
            begin: [.headers(1, RawClient.post + [("content-length", "99999999")], endsStream: false)]
        ) { _ in [.data(1, Array(repeating: 1, count: 10), endsStream: false)] },
        Flood(name: "priorities", ending: .worklessFrames) { index in [.priority(stream(index), on: 0)] },
        Flood(name: "window updates", ending: .worklessFrames) { _ in [.windowUpdate(0, by: 1)] },
        Flood(name: "frames of no known type", ending: .worklessFrames) { _ in
            [Frame(kind: 0xEE, payload: Array(repeating: 0, count: 20))]
        },
        Flood(name: "resets of a stream that has ended", ending: .worklessFrames, begin: [.headers(1, RawClient.get)]) {
            _ in [.reset(1)]
        },
        Flood(
            name: "a header block in many pieces", ending: .continuationFrames,
            begin: [.headers(1, RawClient.get, endsHeaders: false)]
        ) { _ in [.continuation(1, Frame.encode([("x-a", "1")]))] },
        Flood(
            name: "a header block in empty pieces", ending: .continuationFrames,
            begin: [.headers(1, RawClient.get, endsHeaders: false)]
        ) { _ in [.continuation(1, [])] },
        Flood(
            name: "a header block that is large on the wire", ending: .headerBlock,
            begin: [.headers(1, RawClient.get, endsHeaders: false)]
        ) { _ in [.continuation(1, Frame.encode([("x-a", String(repeating: "a", count: 16_000))]))] },
        Flood(
            name: "fields that are small on the wire and huge decoded", ending: .headerList,
            begin: [
                .block(
                    1, Frame.encode(RawClient.get) + Frame.encodeIndexed("x-a", String(repeating: "a", count: 3000)))
            ]
        ) { index in
            // The newest entry of the table, a byte for three thousand each time (RFC 7541 §6.1).
            [.block(stream(index + 1), Frame.encode(RawClient.get) + Array(repeating: 0xBE, count: 1000))]
        },
        Flood(name: "empty fields without number", ending: .headerList) { index in
            [
                .block(
                    stream(index),
                    Frame.encode(RawClient.get) + Frame.encodeIndexed("a", "") + Array(repeating: 0xBE, count: 10_000))
            ]
        },
        Flood(name: "requests whose heads are over the limit", ending: .worklessFrames) { index in
            [.headers(stream(index), RawClient.get + (0..<150).map { ("x-\($0)", "1") })]
        },
        Flood(name: "answers that no window lets out", ending: .protocolViolation(.protocolError), settings: [(4, 0)]) {
            index in
            [.headers(stream(index), RawClient.get)]
        },
    ]

    @Test(arguments: floods)
    func `a flood ends the connection, and holds no memory`(_ flood: Flood) {
        let client = RawClient(settings: flood.settings)
        client.reads = flood.reads
        flood.begin.forEach { client.send($0) }
        var sent = 0
        while sent < FloodTests.count, client.connection.ending == nil {
            let frames = flood.frames(sent)
            client.send(frames.flatMap(\.bytes))
            sent += frames.count
        }
        #expect(client.connection.ending == flood.ending)
        // Most of it was never worked on: at the latest a few thousand frames were enough to see what it is.
        #expect(sent <= 5000, "\(sent) frames")
        #expect(client.connection.streamCount <= HTTP2Limits().concurrentStreams)
        expectFarewell(client, flood.ending)
    }

    @Test(arguments: floods)
    func `a flood that comes at one go is cut off as well`(_ flood: Flood) {
        let client = RawClient(settings: flood.settings)
        client.reads = flood.reads
        flood.begin.forEach { client.send($0) }
        // As much as a loop reads at a time.
        var batch: [UInt8] = []
        var index = 0
        while index < FloodTests.count, client.connection.ending == nil {
            batch += flood.frames(index).flatMap(\.bytes)
            index += 1
            guard batch.count >= 64 << 10 else { continue }
            client.send(batch)
            batch = []
        }
        client.send(batch)
        let ending = flood.endingAtOnce ?? flood.ending
        #expect(client.connection.ending == ending)
        expectFarewell(client, ending)
    }

    private func expectFarewell(_ client: RawClient, _ ending: HTTP2Ending) {
        client.reads = true
        client.step()
        #expect(client.frames.last?.kind == Frame.Kind.goAway)
        #expect(client.frames.last?.code == ending.code.rawValue)
        #expect(client.connection.isFinished)
        // What comes later is not even looked at.
        let count = client.frames.count
        client.send(.ping(), .headers(99_999, RawClient.get))
        #expect(client.frames.count == count)
        #expect(!client.connection.hasOutput)
    }

    @Test func `requests at full speed are no flood`() {
        let client = RawClient()
        for index in 0..<FloodTests.many { client.send(.headers(FloodTests.stream(index), RawClient.get)) }
        #expect(client.connection.ending == nil)
        #expect(client.requests.count == FloodTests.many)
    }

    @Test func `a body in decent pieces is no flood`() {
        var limits = HTTP2Limits()
        limits.bodyBytes = 16 << 20
        let client = RawClient(limits)
        client.send(.headers(1, RawClient.post, endsStream: false))
        for _ in 0..<FloodTests.many { client.send(.data(1, Array(repeating: 1, count: 100), endsStream: false)) }
        #expect(client.connection.ending == nil)
        client.send(.data(1, []))
        #expect(client.requests.first?.body.count == FloodTests.many * 100)
    }

    @Test func `pings now and then are no flood`() {
        let client = RawClient()
        client.answer = { _ in nil }
        client.send(.headers(1, RawClient.get))
        for _ in 0..<FloodTests.many {
            client.now = client.now + .milliseconds(25)
            client.send(.ping())
        }
        #expect(client.connection.ending == nil)
    }

    @Test func `a client that leaves answers which have begun may do so as often as it likes`() {
        let client = RawClient()
        client.answer = { _ in HTTPResponse(status: .ok, body: .stream(SilentBody())) }
        for index in 0..<1000 {
            client.send(.headers(FloodTests.stream(index), RawClient.get))
            client.send(.reset(FloodTests.stream(index)))
        }
        #expect(client.connection.ending == nil)
        #expect(client.connection.streamCount == 0)
    }

    @Test func `one stream too many is refused where the client has not heard of the limit yet`() {
        var limits = HTTP2Limits()
        limits.concurrentStreams = 2
        let client = RawClient(limits, greets: false)
        client.answer = { _ in nil }
        client.send(HTTP2Preface.bytes + Frame.settings().bytes)
        for stream in [1, 3, 5] as [Int32] { client.send(.headers(stream, RawClient.get)) }
        #expect(client.requests.count == 2)
        #expect(client.frames(Frame.Kind.reset).map(\.stream) == [5])
        #expect(client.frames(Frame.Kind.reset).first?.code == HTTP2ErrorCode.refusedStream.rawValue)
    }

    @Test func `bodies that are not whole are bounded on all streams together`() {
        var limits = HTTP2Limits()
        limits.unfinishedBodyBytes = 100_000
        let client = RawClient(limits)
        let part = Array(repeating: UInt8(1), count: 16_000)
        for stream in 0..<10 as Range<Int32> {
            client.send(
                .headers(2 * stream + 1, RawClient.post, endsStream: false),
                .data(2 * stream + 1, part, endsStream: false))
        }
        let refused = client.frames(Frame.Kind.reset)
        #expect(refused.count == 4)
        #expect(refused.allSatisfy { $0.code == HTTP2ErrorCode.refusedStream.rawValue })
        for stream in 0..<6 as Range<Int32> { client.send(.data(2 * stream + 1, [])) }
        #expect(client.requests.count == 6)
        // There is room again.
        client.send(.headers(99, RawClient.post, endsStream: false), .data(99, part))
        #expect(client.requests.count == 7)
    }
}
