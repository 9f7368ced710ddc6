extension HTTP2TestFlood {
    /// All published floods, and some unpublished ones.
    public static let all = resets + control + content + heads

    /// Streams whose bodies arrive slowly.
    private static let trickling = (0..<100).map { HTTP2TestFrame.headers(stream($0), post, endsStream: false) }

    /// Streams that are reset, by the client or by the server because of the client's frames.
    public static let resets: [HTTP2TestFlood] = [
        HTTP2TestFlood(name: "rapid resets") { index in
            [.headers(stream(index), get), .reset(stream(index))]
        },
        HTTP2TestFlood(name: "rapid resets of incomplete requests") { index in
            [.headers(stream(index), post, endsStream: false), .reset(stream(index))]
        },
        HTTP2TestFlood(name: "window updates of zero bytes") { index in
            [.headers(stream(index), post, endsStream: false), .windowUpdate(stream(index), by: 0)]
        },
        HTTP2TestFlood(name: "window updates beyond the maximum, which make the server reset") { index in
            [
                .headers(stream(index), post, endsStream: false),
                .windowUpdate(stream(index), by: UInt32(Int32.max)),
            ]
        },
        HTTP2TestFlood(name: "malformed requests") { index in
            [.headers(stream(index), get + [("X", "1")])]
        },
        HTTP2TestFlood(name: "bodies that contradict their length") { index in
            [
                .headers(stream(index), post + [("content-length", "1")], endsStream: false),
                .data(stream(index), [1, 2]),
            ]
        },
        HTTP2TestFlood(name: "content after the end") { index in
            [.headers(stream(index), get), .data(stream(index), [1], endsStream: false)]
        },
        HTTP2TestFlood(name: "fields after the end") { index in
            [.headers(stream(index), get), .headers(stream(index), get)]
        },
        HTTP2TestFlood(name: "resets of a stream that has ended", begin: [.headers(1, get)]) {
            _ in [.reset(1)]
        },
        HTTP2TestFlood(name: "heads without any field") { index in [.block(stream(index), [])] },
        HTTP2TestFlood(name: "heads whose stream depends on itself") { index in
            [
                HTTP2TestFrame(
                    kind: HTTP2TestFrame.Kind.headers,
                    flags: HTTP2TestFrame.endHeaders | HTTP2TestFrame.endStream | HTTP2TestFrame.prioritized,
                    stream: stream(index),
                    payload: HTTP2TestFrame.word(UInt32(stream(index))) + [15] + HTTP2TestFrame.encode(get))
            ]
        },
        HTTP2TestFlood(name: "repeated lengths") { index in
            [.headers(stream(index), post + [("content-length", "1"), ("content-length", "1")], endsStream: false)]
        },
        HTTP2TestFlood(name: "trailers without an end") { index in
            [
                .headers(stream(index), post, endsStream: false),
                .headers(stream(index), [("x-a", "1")], endsStream: false),
            ]
        },
        HTTP2TestFlood(name: "content after a reset", begin: [.headers(1, post, endsStream: false), .reset(1)]) { _ in
            [.data(1, Array(repeating: 1, count: 100), endsStream: false)]
        },
        HTTP2TestFlood(name: "resets of streams that never existed") { index in [.reset(stream(index))] },
    ]

    /// Frames that concern the connection.
    public static let control: [HTTP2TestFlood] = [
        HTTP2TestFlood(name: "settings") { _ in [.settings()] },
        HTTP2TestFlood(name: "settings of the window size") { index in
            [.settings([(4, UInt32(index & 0xFFFF))])]
        },
        HTTP2TestFlood(name: "acknowledgements of settings that were not sent") { _ in
            [.settingsAnswer()]
        },
        HTTP2TestFlood(name: "pings") { _ in [.ping()] },
        HTTP2TestFlood(name: "pings of a client that does not read", reads: false) { _ in [.ping()] },
        HTTP2TestFlood(name: "settings of a client that does not read", reads: false) { _ in
            [.settings()]
        },
        HTTP2TestFlood(name: "priorities") { index in [.priority(stream(index), on: 0)] },
        HTTP2TestFlood(name: "window updates") { _ in [.windowUpdate(0, by: 1)] },
        HTTP2TestFlood(name: "frames of unknown types") { _ in
            [HTTP2TestFrame(kind: 0xEE, payload: Array(repeating: 0, count: 20))]
        },
        HTTP2TestFlood(name: "settings with a thousand entries") { _ in
            [.settings((0..<1000).map { (4, $0) })]
        },
        HTTP2TestFlood(name: "acknowledgements of pings that were not sent") { _ in
            [
                HTTP2TestFrame(
                    kind: HTTP2TestFrame.Kind.ping, flags: HTTP2TestFrame.acknowledged,
                    payload: Array(repeating: 0, count: 8))
            ]
        },
        HTTP2TestFlood(name: "priorities that depend on themselves") { index in
            [.priority(stream(index), on: stream(index))]
        },
        HTTP2TestFlood(name: "priority updates") { _ in
            [
                HTTP2TestFrame(
                    kind: HTTP2TestFrame.Kind.priorityUpdate, payload: HTTP2TestFrame.word(1) + Array("u=1".utf8))
            ]
        },
        HTTP2TestFlood(name: "alternative services") { _ in
            [HTTP2TestFrame(kind: HTTP2TestFrame.Kind.alternativeService, payload: [0, 1, 97] + Array("h2".utf8))]
        },
        HTTP2TestFlood(name: "origins") { _ in
            [HTTP2TestFrame(kind: HTTP2TestFrame.Kind.origin, payload: [0, 8] + Array("https://".utf8))]
        },
        HTTP2TestFlood(name: "push promises") { index in
            [
                HTTP2TestFrame(
                    kind: HTTP2TestFrame.Kind.pushPromise, flags: HTTP2TestFrame.endHeaders, stream: stream(index),
                    payload: HTTP2TestFrame.word(2) + HTTP2TestFrame.encode(get))
            ]
        },
        HTTP2TestFlood(name: "GOAWAY frames") { _ in
            [HTTP2TestFrame(kind: HTTP2TestFrame.Kind.goAway, payload: Array(repeating: 0, count: 8))]
        },
        HTTP2TestFlood(name: "window updates of a stream that has ended", begin: [.headers(1, get)]) { _ in
            [.windowUpdate(1, by: 1)]
        },
    ]

    /// Content that is not sent, or not read.
    public static let content: [HTTP2TestFlood] = [
        HTTP2TestFlood(
            name: "empty data", begin: [.headers(1, post, endsStream: false)]
        ) { _ in [.data(1, [], endsStream: false)] },
        HTTP2TestFlood(
            name: "data that contains only padding",
            begin: [.headers(1, post, endsStream: false)]
        ) { _ in
            [
                HTTP2TestFrame(
                    kind: HTTP2TestFrame.Kind.data, flags: HTTP2TestFrame.padded, stream: 1,
                    payload: [99] + Array(repeating: 0, count: 99))
            ]
        },
        HTTP2TestFlood(
            name: "data of one byte", begin: [.headers(1, post, endsStream: false)]
        ) { _ in [.data(1, [1], endsStream: false)] },
        HTTP2TestFlood(
            name: "content of a refused request",
            begin: [.headers(1, post + [("content-length", "99999999")], endsStream: false)]
        ) { _ in [.data(1, Array(repeating: 1, count: 10), endsStream: false)] },
        HTTP2TestFlood(name: "responses that no window permits", settings: [(4, 0)]) {
            index in
            [.headers(stream(index), get)]
        },
        HTTP2TestFlood(name: "bodies that arrive slowly", begin: trickling) { index in
            [.data(stream(index % trickling.count), [1], endsStream: false)]
        },
        HTTP2TestFlood(name: "bodies that never arrive") { index in
            [.headers(stream(index), post, endsStream: false)]
        },
        HTTP2TestFlood(
            name: "windows that open by one byte at a time", settings: [(4, 0)], begin: [.headers(1, endless)]
        ) { _ in [.windowUpdate(1, by: 1)] },
        HTTP2TestFlood(
            name: "windows that open and close by one byte at a time", settings: [(4, 0)],
            begin: (0..<50).map { .headers(stream($0), endless) }
        ) { index in [.settings([(4, UInt32(index))])] },
    ]

    /// Header blocks that do not end, or that expand when they are decoded.
    public static let heads: [HTTP2TestFlood] = [
        HTTP2TestFlood(
            name: "a header block in many pieces",
            begin: [.headers(1, get, endsHeaders: false)]
        ) { _ in [.continuation(1, HTTP2TestFrame.encode([("x-a", "1")]))] },
        HTTP2TestFlood(
            name: "a header block in empty pieces",
            begin: [.headers(1, get, endsHeaders: false)]
        ) { _ in [.continuation(1, [])] },
        HTTP2TestFlood(
            name: "a header block that is large on the wire",
            begin: [.headers(1, get, endsHeaders: false)]
        ) { _ in [.continuation(1, HTTP2TestFrame.encode([("x-a", String(repeating: "a", count: 16_000))]))] },
        HTTP2TestFlood(
            name: "fields that are small on the wire and huge after decoding",
            begin: [
                .block(
                    1,
                    HTTP2TestFrame.encode(get)
                        + HTTP2TestFrame.encodeIndexed("x-a", String(repeating: "a", count: 3000)))
            ]
        ) { index in
            // References to the newest table entry: one byte for three thousand each (RFC 7541 §6.1).
            [.block(stream(index + 1), HTTP2TestFrame.encode(get) + Array(repeating: 0xBE, count: 1000))]
        },
        HTTP2TestFlood(name: "countless empty fields") { index in
            [
                .block(
                    stream(index),
                    HTTP2TestFrame.encode(get) + HTTP2TestFrame.encodeIndexed("a", "")
                        + Array(repeating: 0xBE, count: 10_000))
            ]
        },
        HTTP2TestFlood(name: "requests whose heads exceed the limit") { index in
            [.headers(stream(index), get + (0..<150).map { ("x-\($0)", "1") })]
        },
        HTTP2TestFlood(
            name: "cookies in countless pieces",
            begin: [.block(1, HTTP2TestFrame.encode(get) + HTTP2TestFrame.encodeIndexed("cookie", "a=1"))]
        ) { index in
            [.block(stream(index + 1), HTTP2TestFrame.encode(get) + Array(repeating: 0xBE, count: 5000))]
        },
        HTTP2TestFlood(
            name: "a header block that arrives slowly",
            begin: [.block(1, [], endsHeaders: false)]
        ) { _ in [.continuation(1, [0x00])] },
    ]
}
