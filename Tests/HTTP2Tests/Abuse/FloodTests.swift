import HTTP2
import HTTP2Testing
import HTTPModel
import Testing

/// Every way to keep a server busy for nothing, with fifty thousand frames of each.
@Suite struct FloodTests {
    private static let count = 50_000
    /// Enough of what is no flood to use up every budget, if it took any of it.
    private static let many = 5000

    private static func stream(_ index: Int) -> Int32 { Int32(2 * index + 1) }

    /// Why each flood ends the connection.
    private static let endings: [String: HTTP2Ending] = [
        "rapid resets": .resets,
        "rapid resets of incomplete requests": .resets,
        "window updates of zero bytes": .protocolViolation(.protocolError),
        "window updates beyond the maximum, which make the server reset": .resets,
        "malformed requests": .resets,
        "bodies that contradict their length": .resets,
        "settings": .worklessFrames,
        "settings of the window size": .worklessFrames,
        "acknowledgements of settings that were not sent": .protocolViolation(.protocolError),
        "pings": .worklessFrames,
        "pings of a client that does not read": .queuedFrames,
        "settings of a client that does not read": .worklessFrames,
        "empty data": .worklessFrames,
        "data that contains only padding": .worklessFrames,
        "data of one byte": .worklessFrames,
        "content after the end": .protocolViolation(.streamClosed),
        "fields after the end": .protocolViolation(.streamClosed),
        "content of a refused request": .worklessFrames,
        "priorities": .worklessFrames,
        "window updates": .worklessFrames,
        "frames of unknown types": .worklessFrames,
        "resets of a stream that has ended": .worklessFrames,
        "a header block in many pieces": .continuationFrames,
        "a header block in empty pieces": .continuationFrames,
        "a header block that is large on the wire": .headerBlock,
        "fields that are small on the wire and huge after decoding": .headerList,
        "countless empty fields": .headerList,
        "requests whose heads exceed the limit": .worklessFrames,
        "responses that no window permits": .protocolViolation(.protocolError),
        "heads without any field": .resets,
        "heads whose stream depends on itself": .protocolViolation(.protocolError),
        "repeated lengths": .resets,
        "trailers without an end": .resets,
        "content after a reset": .protocolViolation(.streamClosed),
        "resets of streams that never existed": .protocolViolation(.protocolError),
        "settings with a thousand entries": .protocolViolation(.enhanceYourCalm),
        "acknowledgements of pings that were not sent": .worklessFrames,
        "priorities that depend on themselves": .protocolViolation(.protocolError),
        "priority updates": .worklessFrames,
        "alternative services": .worklessFrames,
        "origins": .worklessFrames,
        "push promises": .protocolViolation(.protocolError),
        "GOAWAY frames": .worklessFrames,
        "window updates of a stream that has ended": .worklessFrames,
        "bodies that arrive slowly": .worklessFrames,
        "bodies that never arrive": .protocolViolation(.protocolError),
        "windows that open by one byte at a time": .worklessFrames,
        "windows that open and close by one byte at a time": .worklessFrames,
        "cookies in countless pieces": .headerList,
        "a header block that arrives slowly": .continuationFrames,
    ]

    /// Why those end it that leave no time to answer in between, where it is for another reason.
    private static let endingsAtOnce: [String: HTTP2Ending] = [
        "pings": .queuedFrames
    ]

    /// What RFC 9113 leaves open (§5.1, §5.3.2): a frame that is wrong for its stream may end the connection for itself, or be
    /// passed over and count as one for nothing.
    private static let endingsForItself: [String: HTTP2Ending] = [
        "content after a reset": .protocolViolation(.streamClosed),
        "priorities that depend on themselves": .protocolViolation(.protocolError),
    ]

    /// Why a flood has ended a connection, if that is one of the reasons there are for it.
    private func reason(_ flood: HTTP2TestFlood, of client: RawClient, isAtOnce: Bool) throws -> HTTP2Ending {
        let ending = try #require(client.connection.ending)
        let atOnce = isAtOnce ? FloodTests.endingsAtOnce[flood.name] : nil
        let expected = [atOnce ?? FloodTests.endings[flood.name], FloodTests.endingsForItself[flood.name]]
        #expect(expected.contains(ending))
        return ending
    }

    /// A client that floods, in front of a server that has an answer without end.
    private func client(_ flood: HTTP2TestFlood) -> RawClient {
        let client = RawClient(settings: flood.settings)
        client.answer = { request in
            let isEndless = request.target == HTTP2TestFlood.endlessPath
            let body: HTTPResponseBody = isEndless ? .stream(EndlessBody(count: .max)) : .bytes(Array("ok".utf8))
            return HTTPResponse(status: .ok, body: body)
        }
        client.reads = flood.reads
        flood.begin.forEach { client.send($0) }
        return client
    }

    @Test func `every flood has a reason to be ended for`() {
        #expect(Set(HTTP2TestFlood.all.map(\.name)) == Set(FloodTests.endings.keys))
        #expect(HTTP2TestFlood.all.count == FloodTests.endings.count)
    }

    @Test(arguments: HTTP2TestFlood.all)
    func `a flood ends the connection, and holds no memory`(_ flood: HTTP2TestFlood) throws {
        let client = client(flood)
        var sent = 0
        while sent < FloodTests.count, client.connection.ending == nil {
            let frames = flood.frames(sent)
            client.send(frames.flatMap(\.bytes))
            sent += frames.count
        }
        let ending = try reason(flood, of: client, isAtOnce: false)
        // Most of it was never worked on: at the latest a few thousand frames were enough to see what it is.
        #expect(sent <= 5000, "\(sent) frames")
        #expect(client.connection.streamCount <= HTTP2Limits().concurrentStreams)
        expectFarewell(client, ending)
    }

    @Test(arguments: HTTP2TestFlood.all)
    func `a flood that comes at one go is cut off as well`(_ flood: HTTP2TestFlood) throws {
        let client = client(flood)
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
        let ending = try reason(flood, of: client, isAtOnce: true)
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

    @Test func `a window that is opened in decent parts is no flood`() {
        let client = RawClient(settings: [(4, 0)])
        client.answer = { _ in HTTPResponse(status: .ok, body: .stream(EndlessBody(count: .max))) }
        client.send(.headers(1, RawClient.get))
        for _ in 0..<FloodTests.many { client.send(.windowUpdate(1, by: 1000)) }
        #expect(client.connection.ending == nil)
        #expect(client.frames(Frame.Kind.data).count == FloodTests.many)
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

    @Test func `heads that wait for their bodies are bounded, however small they were on the wire`() {
        var limits = HTTP2Limits()
        limits.unfinishedBodyBytes = 1 << 20
        let client = RawClient(limits)
        // Five fields of three thousand bytes each, for a byte each.
        let head = Frame.encode(RawClient.post) + Array(repeating: 0xBE, count: 5)
        client.send(
            .block(1, Frame.encode(RawClient.get) + Frame.encodeIndexed("x-a", String(repeating: "a", count: 3000))))
        for stream in 1...100 as ClosedRange<Int32> { client.send(.block(2 * stream + 1, head, endsStream: false)) }
        #expect(client.connection.ending == nil)
        let refused = client.frames(Frame.Kind.reset)
        #expect(refused.count == 100 - (1 << 20) / 15_342)
        #expect(refused.allSatisfy { $0.code == HTTP2ErrorCode.refusedStream.rawValue })
        // They are let go of with their streams.
        for stream in 1...60 as ClosedRange<Int32> { client.send(.data(2 * stream + 1, [])) }
        #expect(client.requests.count == 61)
        client.send(.block(999, head, endsStream: false), .data(999, []))
        #expect(client.requests.count == 62)
    }
}
