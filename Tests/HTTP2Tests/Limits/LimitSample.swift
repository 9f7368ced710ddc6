import HTTP2
import HTTPModel
import HTTPServerTesting
import Testing

/// A limit with a small value, and a check that a client can reach it but not exceed it.
struct LimitSample: CustomTestStringConvertible, Sendable {
    /// The name of the property.
    var name: String
    var change: @Sendable (inout HTTP2Limits) -> Void
    var check: @Sendable (RawClient) -> Void

    var testDescription: String { name }

    init(
        _ name: String, _ change: @escaping @Sendable (inout HTTP2Limits) -> Void,
        _ check: @escaping @Sendable (RawClient) -> Void
    ) {
        (self.name, self.change, self.check) = (name, change, check)
    }

    static let all: [LimitSample] = requests + connections + floods + times

    private static func replacing(_ name: String, _ value: String) -> [(String, String)] {
        RawClient.get.map { $0.0 == name ? (name, value) : $0 }
    }

    private static let requests: [LimitSample] = [
        LimitSample("targetBytes", { $0.targetBytes = 10 }) { client in
            client.send(.headers(1, replacing(":path", "/234567890")), .headers(3, replacing(":path", "/2345678901")))
            #expect(client.requests.map(\.target) == ["/234567890"])
            #expect(client.refusals == [.targetTooLong])
        },
        // The four fields of such a request count as 166 bytes.
        LimitSample("headBytes", { $0.headBytes = 166 + 34 }) { client in
            client.send(.headers(1, RawClient.get + [("a", "b")]), .headers(3, RawClient.get + [("a", "bc")]))
            #expect(client.requests.count == 1)
            #expect(client.refusals == [.headTooLarge])
            client.send(.headers(5, RawClient.get + [("a", String(repeating: "b", count: 800))]))
            #expect(client.connection.ending == .headerList)
        },
        LimitSample("fieldCount", { $0.fieldCount = 5 }) { client in
            let fields = (0..<30).map { ("x-\($0)", "") }
            client.send(.headers(1, RawClient.get + fields[..<1]), .headers(3, RawClient.get + fields[..<2]))
            #expect(client.requests.count == 1)
            #expect(client.refusals == [.headTooLarge])
            client.send(.headers(5, RawClient.get + fields))
            #expect(client.connection.ending == .headerList)
        },
        LimitSample("bodyBytes", { $0.bodyBytes = 10 }) { client in
            for (stream, count) in [(1, 10), (3, 11)] as [(Int32, Int)] {
                let body = Frame.data(stream, Array(repeating: 0, count: count))
                client.send(.headers(stream, RawClient.post, endsStream: false), body)
            }
            #expect(client.requests.map(\.body.count) == [10])
            #expect(client.refusals == [.bodyTooLarge])
        },
        LimitSample("streamReadBytes", { $0.streamReadBytes = 100 }) { client in
            let body = ScriptedBody()
            client.answer = { _ in HTTPResponse(status: .ok, body: .stream(body)) }
            client.send(.headers(1, RawClient.get))
            body.append(String(repeating: "x", count: 1000))
            client.step()
            #expect(body.limits.max() == 100)
        },
    ]

    private static let connections: [LimitSample] = [
        LimitSample("concurrentStreams", { $0.concurrentStreams = 2 }) { client in
            client.answer = { _ in nil }
            for stream in [1, 3, 5] as [Int32] { client.send(.headers(stream, RawClient.get)) }
            #expect(client.requests.count == 2)
            // The client has acknowledged the limit.
            #expect(client.connection.ending == .protocolViolation(.protocolError))
        },
        LimitSample("streamWindow", { $0.streamWindow = 100 }) { client in
            for (stream, count) in [(1, 100), (3, 101)] as [(Int32, Int)] {
                let body = Frame.data(stream, Array(repeating: 0, count: count), endsStream: true)
                client.send(.headers(stream, RawClient.post, endsStream: false), body)
            }
            #expect(client.requests.count == 1)
            #expect(client.resets == [3])
            #expect(client.connection.ending == nil)
        },
        LimitSample("connectionWindow", { $0.connectionWindow = 100_000 }) { client in
            let other = RawClient(client.connection.limits, greets: false)
            other.send(HTTP2Preface.bytes + Frame.settings().bytes)
            let updates = other.frames(Frame.Kind.windowUpdate, on: 0).compactMap(\.code)
            #expect(updates == [100_000 - 65_535])
        },
        // The head of such a request counts as 167 bytes.
        LimitSample("unfinishedBodyBytes", { $0.unfinishedBodyBytes = 3 * 167 + 250 }) { client in
            let part = Array(repeating: UInt8(0), count: 100)
            for stream in [1, 3, 5] as [Int32] {
                client.send(
                    .headers(stream, RawClient.post, endsStream: false), .data(stream, part, endsStream: false))
            }
            #expect(client.resets == [5])
            client.send(.data(1, []), .data(3, []))
            #expect(client.requests.count == 2)
        },
    ]

    private static let floods: [LimitSample] = [
        LimitSample("headerBlockBytes", { $0.headerBlockBytes = 200 }) { client in
            let head = Frame.encode(RawClient.get)
            let rest = Array(repeating: UInt8(0x82), count: 200 - head.count)
            client.send(.block(1, head, endsHeaders: false), .continuation(1, rest, endsHeaders: true))
            #expect(client.connection.ending == nil)
            client.send(.block(3, head, endsHeaders: false), .continuation(3, rest + [0x82], endsHeaders: true))
            #expect(client.connection.ending == .headerBlock)
        },
        LimitSample("continuationFrames", { $0.continuationFrames = 2 }) { client in
            let head = Frame.block(1, Frame.encode(RawClient.get), endsHeaders: false)
            client.send(head, .continuation(1, []), .continuation(1, [], endsHeaders: true))
            #expect(client.requests.count == 1)
            client.send(.block(3, [], endsHeaders: false))
            client.send(.continuation(3, []), .continuation(3, []), .continuation(3, []))
            #expect(client.connection.ending == .continuationFrames)
        },
        LimitSample("queuedFrames", { $0.queuedFrames = 10 }) { client in
            client.reads = false
            for _ in 0..<10 { client.send(.ping()) }
            #expect(client.connection.ending == nil)
            client.send(.ping())
            #expect(client.connection.ending == .queuedFrames)
        },
        LimitSample("worklessFrames", { ($0.worklessFrames, $0.worklessFramesPerSecond) = (100, 0) }) { client in
            // The handshake has used some of them.
            for _ in 0..<80 { client.send(.priority(1, on: 0)) }
            #expect(client.connection.ending == nil)
            for _ in 0..<20 { client.send(.priority(1, on: 0)) }
            #expect(client.connection.ending == .worklessFrames)
        },
        LimitSample("worklessFramesPerSecond", { ($0.worklessFrames, $0.worklessFramesPerSecond) = (100, 10) }) {
            client in
            for _ in 0..<80 { client.send(.priority(1, on: 0)) }
            client.pass(.seconds(5))
            for _ in 0..<50 { client.send(.priority(1, on: 0)) }
            #expect(client.connection.ending == nil)
            for _ in 0..<20 { client.send(.priority(1, on: 0)) }
            #expect(client.connection.ending == .worklessFrames)
        },
        LimitSample("resets", { ($0.resets, $0.resetsPerSecond) = (3, 0) }) { client in
            client.answer = { _ in nil }
            for stream in [1, 3, 5] as [Int32] { client.send(.headers(stream, RawClient.get), .reset(stream)) }
            #expect(client.connection.ending == nil)
            // A frame that the server sends counts like the client's.
            client.send(.headers(7, RawClient.get + [("X", "")]))
            #expect(client.connection.ending == .resets)
        },
        LimitSample("resetsPerSecond", { ($0.resets, $0.resetsPerSecond) = (3, 2) }) { client in
            for stream in [1, 3, 5] as [Int32] { client.send(.headers(stream, RawClient.get + [("X", "")])) }
            client.pass(.seconds(1))
            for stream in [7, 9] as [Int32] { client.send(.headers(stream, RawClient.get + [("X", "")])) }
            #expect(client.connection.ending == nil)
            client.send(.headers(11, RawClient.get + [("X", "")]))
            #expect(client.connection.ending == .resets)
        },
    ]
}
