import HTTP2
import HTTPModel
import HTTPServerTesting
import Testing

/// Frames that a server must not send, and floods of frames that it may. They end a request or the connection, and never
/// make the client store more than its limits.
@Suite struct HostileServerTests {
    // Responses.

    /// Fields of a head, and the failure of the request; `nil` if the head is valid.
    private static let heads: [([(String, String)], HTTP2MessageError?)] = [
        (RawServer.ok, nil),
        ([(":status", "599"), ("x-a", "b"), ("x-a", "")], nil),
        ([], .pseudoFieldMissing),
        ([("x-a", "b")], .pseudoFieldMissing),
        ([(":status", "")], .status),
        ([(":status", "20")], .status),
        ([(":status", "2000")], .status),
        ([(":status", "+20")], .status),
        ([(":status", "099")], .status),
        ([(":status", "600")], .status),
        ([(":status", "101")], .status),
        ([(":status", "100")], .status),
        (RawServer.ok + RawServer.ok, .pseudoFieldRepeated),
        (RawServer.ok + [(":path", "/")], .pseudoFieldUnknown),
        ([("x-a", "b")] + RawServer.ok, .pseudoFieldMisplaced),
        (RawServer.ok + [("X-A", "b")], .fieldName),
        (RawServer.ok + [("", "b")], .fieldName),
        (RawServer.ok + [("x-a", "b\r\nx-b: c")], .fieldValue),
        (RawServer.ok + [("x-a", " b")], .fieldValue),
        (RawServer.ok + [("connection", "close")], .connectionField),
        (RawServer.ok + [("transfer-encoding", "chunked")], .connectionField),
        (RawServer.ok + [("content-length", "x")], .contentLength),
        (RawServer.ok + [("content-length", "-1")], .contentLength),
        (RawServer.ok + [("content-length", "0"), ("content-length", "0")], .contentLength),
        (RawServer.ok + [("content-length", "1")], .bodyLength),
    ]

    @Test(arguments: heads.indices) func `the head of a response is checked`(_ index: Int) {
        let (fields, error) = HostileServerTests.heads[index]
        let server = RawServer()
        let id = server.request()
        server.send(.headers(1, fields))
        #expect(server.failure(id) == error.map(HTTP2RequestFailure.malformed))
        #expect(server.collector.isComplete(id) == (error == nil))
        #expect(server.frames(Frame.Kind.reset).map(\.code) == (error == nil ? [] : [1]))
        // Other requests are not affected.
        let next = server.request()
        server.send(.headers(3, RawServer.ok))
        #expect(server.collector.isComplete(next) && server.client.ending == nil)
    }

    @Test(arguments: [
        (HTTPMethod.get, "200", 5, [2, 3], true, true), (.get, "200", 5, [2, 2], true, false),
        (.get, "200", 5, [6], false, false), (.get, "200", 0, [], true, true), (.head, "200", 5, [], true, true),
        (.head, "200", 5, [1], false, false), (.get, "204", 5, [], true, true), (.get, "204", 1, [1], false, false),
        (.get, "304", 5, [], true, true), (.get, "304", 5, [5], true, false),
    ])
    func `the content of a response has the length that its head states, or none`(
        _ method: HTTPMethod, _ status: String, _ length: Int, _ parts: [Int], _ ends: Bool, _ isValid: Bool
    ) {
        let server = RawServer()
        let id = server.request(method)
        server.send(.headers(1, [(":status", status), ("content-length", String(length))], endsStream: false))
        for part in parts { server.send(.data(1, Array(repeating: 1, count: part), endsStream: false)) }
        if ends { server.send(.data(1, [])) }
        #expect(server.failure(id) == (isValid ? nil : .malformed(.bodyLength)))
        #expect(server.collector.isComplete(id) == isValid)
        #expect(server.client.ending == nil)
    }

    @Test func `trailers are checked, and those that are not allowed are dropped`() {
        let trailers: [([(String, String)], Bool, HTTP2MessageError?)] = [
            ([("x-sum", "1"), ("set-cookie", "a"), ("content-length", "7")], true, nil),
            ([(":status", "200")], true, .pseudoFieldInTrailers),
            ([("x-sum", "1")], false, .trailersWithoutEnd),
            ([("connection", "close")], true, .connectionField),
        ]
        for (fields, ends, error) in trailers {
            let server = RawServer()
            let id = server.request()
            server.send(.headers(1, RawServer.ok, endsStream: false), .data(1, [1], endsStream: false))
            server.send(.headers(1, fields, endsStream: ends))
            #expect(server.failure(id) == error.map(HTTP2RequestFailure.malformed))
            #expect(server.collector.isComplete(id) == (error == nil))
            if error == nil { #expect(server.collector.readers[1]?.body.trailers == ["x-sum": "1"]) }
        }
    }

    @Test func `interim responses are skipped, up to a limit, and are not final`() {
        var limits = HTTP2ClientLimits()
        limits.interimResponses = 3
        let server = RawServer(limits)
        let id = server.request()
        let interim = [(":status", "103"), ("link", "</a>")]
        for _ in 0..<3 { server.send(.headers(1, interim, endsStream: false)) }
        server.send(.headers(1, RawServer.ok + [("x-a", "b")]))
        #expect(server.collector.responses[id.rawValue]?.fields == ["x-a": "b"])
        let flooded = server.request()
        for _ in 0..<4 { server.send(.headers(3, interim, endsStream: false)) }
        #expect(server.failure(flooded) == .interimResponses)
        let contents = [Frame.data(5, [1], endsStream: false), .data(5, [])]
        for (index, content) in contents.enumerated() {
            let early = server.request()
            server.send(.headers(early.rawValue, interim, endsStream: false))
            server.send(
                Frame(kind: content.kind, flags: content.flags, stream: early.rawValue, payload: content.payload))
            #expect(server.failure(early) == .malformed(.contentBeforeHead), "\(index)")
        }
        #expect(server.client.ending == nil)
    }

    @Test func `a head over the limit fails its request, one far over it ends the connection`() {
        var limits = HTTP2ClientLimits()
        limits.connection.headBytes = 1000
        let server = RawServer(limits)
        let id = server.request()
        server.send(.headers(1, RawServer.ok + [("x-a", String(repeating: "a", count: 1000))]))
        #expect(server.failure(id) == .headTooLarge)
        let last = server.request()
        server.send(.headers(3, RawServer.ok + [("x-a", String(repeating: "a", count: 5000))]))
        #expect(server.client.ending == .headerList)
        #expect(server.failure(last) == .connectionEnded)

        // Small on the wire: each field refers to the table.
        let bomb = RawServer(limits)
        bomb.request()
        let block =
            Frame.encodeIndexed(":status", "200") + Frame.encodeIndexed("x-a", String(repeating: "a", count: 200))
        bomb.send(.block(1, block + Array(repeating: 0xBE, count: 10_000)))
        #expect(bomb.client.ending == .headerList)
    }

    // Frames.

    /// Frames after a request on stream 1, and the error code with which the connection ends.
    private static let violations: [(String, [Frame], HTTP2ErrorCode)] = [
        (
            "a push promise",
            [
                Frame(
                    kind: Frame.Kind.pushPromise, flags: 4, stream: 1,
                    payload: Frame.word(2) + Frame.encode(RawClient.get))
            ],
            .protocolError
        ),
        ("content before the head", [.data(1, [1])], .protocolError),
        ("a head on a stream of the server", [.headers(2, RawServer.ok)], .protocolError),
        ("a head on a stream that was not opened", [.headers(3, RawServer.ok)], .protocolError),
        ("content on a stream that was not opened", [.data(3, [1])], .protocolError),
        ("a reset of a stream that was not opened", [.reset(3)], .protocolError),
        ("content on no stream", [.data(0, [1])], .protocolError),
        ("a head on no stream", [.headers(0, RawServer.ok)], .protocolError),
        ("settings on a stream", [Frame(kind: Frame.Kind.settings, stream: 1)], .protocolError),
        ("settings that enable pushes", [.settings([(2, 1)])], .protocolError),
        ("settings of half an entry", [Frame(kind: Frame.Kind.settings, payload: [0, 1, 0])], .frameSizeError),
        ("settings of a window beyond the maximum", [.settings([(4, 1 << 31)])], .flowControlError),
        ("settings of a frame size below the minimum", [.settings([(5, 100)])], .protocolError),
        ("a ping of seven bytes", [Frame(kind: Frame.Kind.ping, payload: [1, 2, 3, 4, 5, 6, 7])], .frameSizeError),
        ("a window update of zero", [.windowUpdate(0, by: 0)], .protocolError),
        (
            "windows beyond the maximum",
            [.windowUpdate(0, by: UInt32(Int32.max)), .windowUpdate(0, by: UInt32(Int32.max))], .flowControlError
        ),
        (
            "padding that is longer than its frame",
            [
                .headers(1, RawServer.ok, endsStream: false),
                Frame(kind: Frame.Kind.data, flags: Frame.padded, stream: 1, payload: [10, 1, 2]),
            ], .protocolError
        ),
        (
            "padding of a head that is longer than its frame",
            [Frame(kind: Frame.Kind.headers, flags: Frame.padded | 4, stream: 1, payload: [10, 1, 2])], .protocolError
        ),
        ("another frame inside of a head", [.headers(1, RawServer.ok, endsHeaders: false), .ping()], .protocolError),
        ("a continuation of nothing", [.continuation(1, [], endsHeaders: true)], .protocolError),
        ("a frame that is too large", [.data(1, Array(repeating: 1, count: 16_385))], .frameSizeError),
        ("a block that cannot be decoded", [.block(1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])], .compressionError),
        ("GOAWAY with a growing last stream", [RawServer.goAway(1), RawServer.goAway(3)], .protocolError),
        ("GOAWAY with a stream of the server", [RawServer.goAway(2)], .protocolError),
        (
            "GOAWAY on a stream", [Frame(kind: Frame.Kind.goAway, stream: 1, payload: Array(repeating: 0, count: 8))],
            .protocolError
        ),
        ("a request", [.headers(1, RawServer.ok, endsStream: false), .headers(2, RawClient.get)], .protocolError),
    ]

    @Test(arguments: violations.indices) func `a frame that a server must not send ends the connection`(_ index: Int) {
        let (name, frames, code) = HostileServerTests.violations[index]
        let server = RawServer()
        let id = server.request()
        server.send(frames.flatMap(\.bytes))
        #expect(server.client.ending == .protocolViolation(code), "\(name)")
        #expect(server.frames(Frame.Kind.goAway).last?.code == code.rawValue, "\(name)")
        #expect(server.failure(id) == .connectionEnded, "\(name)")
        #expect(server.client.isFinished && server.client.requestCount <= 1, "\(name)")
        server.client.close()
        #expect(server.client.requestCount == 0)
    }

    @Test func `a push promise ends the connection even before the server knows the settings`() {
        let server = RawServer(greets: false)
        let id = server.request()
        let promise = Frame.word(2) + Frame.encode(RawClient.get)
        server.send(.settings(), Frame(kind: Frame.Kind.pushPromise, flags: 4, stream: 1, payload: promise))
        #expect(server.client.ending == .protocolViolation(.protocolError))
        #expect(server.failure(id) == .connectionEnded)
    }

    @Test(arguments: [
        Frame.ping().bytes, Frame.headers(1, RawServer.ok).bytes, Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8),
        HTTP2Preface.bytes, Array(repeating: 0, count: 100),
    ])
    func `a server that does not begin with its settings is left`(_ bytes: [UInt8]) {
        let server = RawServer(greets: false)
        let id = server.request()
        server.send(bytes)
        #expect(server.client.ending != nil)
        #expect(server.failure(id) == .connectionEnded)
    }

    // Floods.

    /// A frame that is repeated after the beginning of a response on stream 1, and the ending.
    private static let floods: [(String, @Sendable (Int) -> Frame, HTTP2Ending)] = [
        ("pings", { _ in .ping() }, .worklessFrames),
        ("settings", { _ in .settings() }, .worklessFrames),
        ("settings of the window", { .settings([(4, UInt32($0 & 0xFFFF))]) }, .worklessFrames),
        ("empty content", { _ in .data(1, [], endsStream: false) }, .worklessFrames),
        (
            "content of padding",
            { _ in Frame(kind: Frame.Kind.data, flags: Frame.padded, stream: 1, payload: [3, 0, 0, 0]) },
            .worklessFrames
        ),
        ("priorities", { _ in .priority(1, on: 3) }, .worklessFrames),
        ("window updates", { _ in .windowUpdate(0, by: 1) }, .worklessFrames),
        ("unknown frames", { _ in Frame(kind: 0xEE, payload: [1]) }, .worklessFrames),
        ("resets of a stream that has ended", { _ in .reset(1) }, .worklessFrames),
        ("GOAWAY frames", { _ in RawServer.goAway(1) }, .worklessFrames),
        (
            "a head in many pieces",
            { $0 == 0 ? .headers(1, [], endsHeaders: false) : .continuation(1, []) }, .continuationFrames
        ),
    ]

    @Test(arguments: floods.indices, [true, false]) func `a flood ends the connection`(_ index: Int, _ reads: Bool) {
        let (name, frame, ending) = HostileServerTests.floods[index]
        let server = RawServer()
        server.request()
        server.send(.headers(1, RawServer.ok, endsStream: false))
        server.reads = reads
        var sent = 0
        while sent < 50_000, server.client.ending == nil {
            server.send(frame(sent))
            sent += 1
        }
        // The answers to pings and settings are queued if nobody reads them.
        let allowed: Set<HTTP2Ending> = reads ? [ending] : [ending, .queuedFrames]
        #expect(
            server.client.ending.map(allowed.contains) == true, "\(name): \(String(describing: server.client.ending))")
        server.reads = true
        server.step()
        #expect(server.client.isFinished)
    }

    @Test func `short content of many streams is no flood`() {
        let server = RawServer()
        for _ in 0..<50 { server.request() }
        for stream in stride(from: 1, to: 100, by: 2) {
            server.send(.headers(Int32(stream), RawServer.ok, endsStream: false))
        }
        for _ in 0..<200 {
            let frames = stride(from: 1, to: 100, by: 2).map { Frame.data(Int32($0), [0x3A, 0x0A], endsStream: false) }
            server.send(frames.flatMap(\.bytes))
        }
        #expect(server.client.ending == nil)
    }

    @Test func `a server that resets every request is no flood, and fails each of them`() {
        let server = RawServer()
        for index in 0..<5000 {
            let id = server.request()
            server.send(.reset(id.rawValue, code: HTTP2ErrorCode.refusedStream.rawValue))
            #expect(server.failure(id) == .unprocessed)
            if index % 500 == 0 { server.now = server.now + .seconds(60) }
        }
        #expect(server.client.ending == nil || server.client.ending == .worklessFrames)
    }

    @Test func `mutated frames are handled, or end the connection, and every request has one result`() {
        var endings: Set<HTTP2Ending> = []
        var complete = 0
        for seed in 0..<400 as Range<UInt64> {
            var random = Generator(state: seed)
            let server = RawServer()
            let ids = (0..<6).map { _ in server.request(.post, body: [1, 2, 3]) }
            var bytes: [UInt8] = []
            for _ in 0..<12 {
                let stream = Int32.random(in: 0...5, using: &random) * 2 + 1
                let content = Array(repeating: UInt8(7), count: Int.random(in: 0...40, using: &random))
                let frames: [Frame] = [
                    .headers(stream, RawServer.ok), .headers(stream, RawServer.ok, endsStream: false),
                    .headers(stream, [(":status", "103")], endsStream: false),
                    .headers(stream, [("x-sum", "1")]), .reset(stream, code: UInt32.random(in: 0...13, using: &random)),
                    .ping(),
                    .settings([(UInt16.random(in: 1...9, using: &random), UInt32.random(in: 0...2, using: &random))]),
                    .windowUpdate(stream, by: UInt32.random(in: 1...1000, using: &random)),
                    RawServer.goAway(stream),
                    Frame(
                        kind: UInt8.random(in: 0...12, using: &random),
                        flags: UInt8.random(in: 0...255, using: &random),
                        stream: stream, payload: content),
                ]
                let isResponse = UInt8.random(in: 0...3, using: &random) > 0
                if isResponse {
                    bytes += Frame.headers(stream, RawServer.ok, endsStream: false).bytes
                    bytes += Frame.data(stream, content).bytes
                } else {
                    bytes += frames[Int.random(in: 0..<frames.count, using: &random)].bytes
                }
            }
            if UInt8.random(in: 0...2, using: &random) == 0 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            }
            while !bytes.isEmpty {
                let count = Int.random(in: 1...bytes.count, using: &random)
                server.send(Array(bytes.prefix(count)))
                bytes.removeFirst(count)
            }
            if let ending = server.client.ending { endings.insert(ending) }
            server.client.close()
            server.collector.handleEvents(of: server.client)
            for id in ids {
                let hasFailed = server.failure(id) != nil
                #expect(server.collector.isComplete(id) != hasFailed, "seed \(seed), stream \(id.rawValue)")
            }
            complete += ids.filter(server.collector.isComplete).count
            #expect(server.client.requestCount == 0)
        }
        #expect(endings.count >= 4, "\(endings)")
        #expect(complete > 200)
    }
}
