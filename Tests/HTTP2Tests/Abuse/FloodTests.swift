import HTTP2
import HTTPModel
import HTTPServerTesting
import Testing

/// All kinds of floods, with fifty thousand frames each. They keep a server busy without useful work.
@Suite struct FloodTests {
    private static let count = 50_000
    /// More frames than any budget allows, for legitimate traffic that must not use up the budgets.
    private static let many = 5000

    private static func stream(_ index: Int) -> Int32 { Int32(2 * index + 1) }

    /// The reason for which the server ends the connection, by flood.
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

    /// Different reasons, for floods that arrive in one piece and so leave no time to respond in between.
    private static let endingsInOnePiece: [String: HTTP2Ending] = [
        "pings": .queuedFrames
    ]

    /// Behavior that RFC 9113 leaves open (§5.1, §5.3.2): a frame that is invalid for its stream either ends the
    /// connection by itself, or is ignored and counts as a frame without useful work.
    private static let endingsByItself: [String: HTTP2Ending] = [
        "content after a reset": .protocolViolation(.streamClosed),
        "priorities that depend on themselves": .protocolViolation(.protocolError),
    ]

    /// Returns the reason for which a flood ended a connection. Expects it to be one of the allowed reasons.
    private func reason(_ flood: HTTP2TestFlood, of client: RawClient, isInOnePiece: Bool) throws -> HTTP2Ending {
        let ending = try #require(client.connection.ending)
        let inOnePiece = isInOnePiece ? FloodTests.endingsInOnePiece[flood.name] : nil
        let expected = [inOnePiece ?? FloodTests.endings[flood.name], FloodTests.endingsByItself[flood.name]]
        #expect(expected.contains(ending))
        return ending
    }

    /// Returns a flooding client of a server that has a response without end.
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

    @Test func `every flood has an expected reason`() {
        #expect(Set(HTTP2TestFlood.all.map(\.name)) == Set(FloodTests.endings.keys))
        #expect(HTTP2TestFlood.all.count == FloodTests.endings.count)
    }

    @Test(arguments: HTTP2TestFlood.all)
    func `a flood ends the connection and uses no memory`(_ flood: HTTP2TestFlood) throws {
        let client = client(flood)
        var sent = 0
        while sent < FloodTests.count, client.connection.ending == nil {
            let frames = flood.frames(sent)
            client.send(frames.flatMap(\.bytes))
            sent += frames.count
        }
        let ending = try reason(flood, of: client, isInOnePiece: false)
        // Most frames were not processed: at most a few thousand are enough to detect a flood.
        #expect(sent <= 5000, "\(sent) frames")
        #expect(client.connection.streamCount <= HTTP2Limits().concurrentStreams)
        expectGoAway(client, ending)
    }

    @Test(arguments: HTTP2TestFlood.all)
    func `a flood that arrives in large pieces ends the connection`(_ flood: HTTP2TestFlood) throws {
        let client = client(flood)
        // The number of bytes that a loop reads at a time.
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
        let ending = try reason(flood, of: client, isInOnePiece: true)
        expectGoAway(client, ending)
    }

    private func expectGoAway(_ client: RawClient, _ ending: HTTP2Ending) {
        client.reads = true
        client.step()
        #expect(client.frames.last?.kind == Frame.Kind.goAway)
        #expect(client.frames.last?.code == ending.code.rawValue)
        #expect(client.connection.isFinished)
        // Later bytes are not processed.
        let count = client.frames.count
        client.send(.ping(), .headers(99_999, RawClient.get))
        #expect(client.frames.count == count)
        #expect(!client.connection.hasOutput)
    }

    @Test func `requests at full speed are not a flood`() {
        let client = RawClient()
        for index in 0..<FloodTests.many { client.send(.headers(FloodTests.stream(index), RawClient.get)) }
        #expect(client.connection.ending == nil)
        #expect(client.requests.count == FloodTests.many)
    }

    @Test func `a body in pieces of reasonable size is not a flood`() {
        var limits = HTTP2Limits()
        limits.bodyBytes = 16 << 20
        let client = RawClient(limits)
        client.send(.headers(1, RawClient.post, endsStream: false))
        for _ in 0..<FloodTests.many { client.send(.data(1, Array(repeating: 1, count: 100), endsStream: false)) }
        #expect(client.connection.ending == nil)
        client.send(.data(1, []))
        #expect(client.requests.first?.body.count == FloodTests.many * 100)
    }

    @Test func `a window that is opened in reasonable steps is not a flood`() {
        let client = RawClient(settings: [(4, 0)])
        client.answer = { _ in HTTPResponse(status: .ok, body: .stream(EndlessBody(count: .max))) }
        client.send(.headers(1, RawClient.get))
        for _ in 0..<FloodTests.many { client.send(.windowUpdate(1, by: 1000)) }
        #expect(client.connection.ending == nil)
        #expect(client.frames(Frame.Kind.data).count == FloodTests.many)
    }

    @Test func `occasional pings are not a flood`() {
        let client = RawClient()
        client.answer = { _ in nil }
        client.send(.headers(1, RawClient.get))
        for _ in 0..<FloodTests.many {
            client.now = client.now + .milliseconds(25)
            client.send(.ping())
        }
        #expect(client.connection.ending == nil)
    }

    @Test func `a client may cancel any number of started responses`() {
        let client = RawClient()
        client.answer = { _ in HTTPResponse(status: .ok, body: .stream(SilentBody())) }
        for index in 0..<1000 {
            client.send(.headers(FloodTests.stream(index), RawClient.get))
            client.send(.reset(FloodTests.stream(index)))
        }
        #expect(client.connection.ending == nil)
        #expect(client.connection.streamCount == 0)
    }

    @Test func `a stream over the limit is refused if the client has not received the limit yet`() {
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

    @Test func `incomplete bodies of all streams share one limit`() {
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
        // The completed bodies no longer count.
        client.send(.headers(99, RawClient.post, endsStream: false), .data(99, part))
        #expect(client.requests.count == 7)
    }

    @Test func `heads that wait for their bodies are limited by their decoded size`() {
        var limits = HTTP2Limits()
        limits.unfinishedBodyBytes = 1 << 20
        let client = RawClient(limits)
        // Five fields of three thousand bytes, each encoded in one byte.
        let head = Frame.encode(RawClient.post) + Array(repeating: 0xBE, count: 5)
        client.send(
            .block(1, Frame.encode(RawClient.get) + Frame.encodeIndexed("x-a", String(repeating: "a", count: 3000))))
        for stream in 1...100 as ClosedRange<Int32> { client.send(.block(2 * stream + 1, head, endsStream: false)) }
        #expect(client.connection.ending == nil)
        let refused = client.frames(Frame.Kind.reset)
        #expect(refused.count == 100 - (1 << 20) / 15_342)
        #expect(refused.allSatisfy { $0.code == HTTP2ErrorCode.refusedStream.rawValue })
        // Completed streams no longer count.
        for stream in 1...60 as ClosedRange<Int32> { client.send(.data(2 * stream + 1, [])) }
        #expect(client.requests.count == 61)
        client.send(.block(999, head, endsStream: false), .data(999, []))
        #expect(client.requests.count == 62)
    }
}
