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
        HTTP2TestFlood(name: "rapid resets of requests that are not whole") { index in
            [.headers(stream(index), post, endsStream: false), .reset(stream(index))]
        },
        HTTP2TestFlood(name: "window updates by nothing") { index in
            [.headers(stream(index), post, endsStream: false), .windowUpdate(stream(index), by: 0)]
        },
        HTTP2TestFlood(name: "window updates over the top, for which the server resets") { index in
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
        HTTP2TestFlood(name: "content behind the end") { index in
            [.headers(stream(index), get), .data(stream(index), [1], endsStream: false)]
        },
        HTTP2TestFlood(name: "fields behind the end") { index in
            [.headers(stream(index), get), .headers(stream(index), get)]
        },
        HTTP2TestFlood(name: "resets of a stream that has ended", begin: [.headers(1, get)]) {
            _ in [.reset(1)]
        },
        HTTP2TestFlood(name: "heads without any field") { index in [.block(stream(index), [])] },
        HTTP2TestFlood(name: "heads that depend on themselves") { index in
            [
                HTTP2TestFrame(
                    kind: HTTP2TestFrame.Kind.headers,
                    flags: HTTP2TestFrame.endHeaders | HTTP2TestFrame.endStream | HTTP2TestFrame.prioritized,
                    stream: stream(index),
                    payload: HTTP2TestFrame.word(UInt32(stream(index))) + [15] + HTTP2TestFrame.encode(get))
            ]
        },
        HTTP2TestFlood(name: "lengths that come twice") { index in
            [.headers(stream(index), post + [("content-length", "1"), ("content-length", "1")], endsStream: false)]
        },
        HTTP2TestFlood(name: "trailers that do not end") { index in
            [
                .headers(stream(index), post, endsStream: false),
                .headers(stream(index), [("x-a", "1")], endsStream: false),
            ]
        },
        HTTP2TestFlood(name: "content behind a reset", begin: [.headers(1, post, endsStream: false), .reset(1)]) { _ in
            [.data(1, Array(repeating: 1, count: 100), endsStream: false)]
        },
        HTTP2TestFlood(name: "resets of streams that never were") { index in [.reset(stream(index))] },
    ]

    /// Frames that concern the connection.
    public static let control: [HTTP2TestFlood] = [
        HTTP2TestFlood(name: "settings") { _ in [.settings()] },
        HTTP2TestFlood(name: "settings of the window") { index in
            [.settings([(4, UInt32(index & 0xFFFF))])]
        },
        HTTP2TestFlood(name: "answers to settings that nobody sent") { _ in
            [.settingsAnswer()]
        },
        HTTP2TestFlood(name: "pings") { _ in [.ping()] },
        HTTP2TestFlood(name: "pings of a client that does not read", reads: false) { _ in [.ping()] },
        HTTP2TestFlood(name: "settings of a client that does not read", reads: false) { _ in
            [.settings()]
        },
        HTTP2TestFlood(name: "priorities") { index in [.priority(stream(index), on: 0)] },
        HTTP2TestFlood(name: "window updates") { _ in [.windowUpdate(0, by: 1)] },
        HTTP2TestFlood(name: "frames of no known type") { _ in
            [HTTP2TestFrame(kind: 0xEE, payload: Array(repeating: 0, count: 20))]
        },
        HTTP2TestFlood(name: "settings with more in them than there are") { _ in
            [.settings((0..<1000).map { (4, $0) })]
        },
        HTTP2TestFlood(name: "answers to pings that nobody sent") { _ in
            [
                HTTP2TestFrame(
                    kind: HTTP2TestFrame.Kind.ping, flags: HTTP2TestFrame.acknowledged,
                    payload: Array(repeating: 0, count: 8))
            ]
        },
        HTTP2TestFlood(name: "priorities on themselves") { index in [.priority(stream(index), on: stream(index))] },
        HTTP2TestFlood(name: "updates of priorities") { _ in
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
        HTTP2TestFlood(name: "promises") { index in
            [
                HTTP2TestFrame(
                    kind: HTTP2TestFrame.Kind.pushPromise, flags: HTTP2TestFrame.endHeaders, stream: stream(index),
                    payload: HTTP2TestFrame.word(2) + HTTP2TestFrame.encode(get))
            ]
        },
        HTTP2TestFlood(name: "farewells") { _ in
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
            name: "data that is all padding",
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
            name: "content of a request that was refused",
            begin: [.headers(1, post + [("content-length", "99999999")], endsStream: false)]
        ) { _ in [.data(1, Array(repeating: 1, count: 10), endsStream: false)] },
        HTTP2TestFlood(name: "answers that no window lets out", settings: [(4, 0)]) {
            index in
            [.headers(stream(index), get)]
        },
        HTTP2TestFlood(name: "bodies that are opened and trickle", begin: trickling) { index in
            [.data(stream(index % trickling.count), [1], endsStream: false)]
        },
        HTTP2TestFlood(name: "bodies that are opened and never come") { index in
            [.headers(stream(index), post, endsStream: false)]
        },
        HTTP2TestFlood(
            name: "windows that drip, a byte at a time", settings: [(4, 0)], begin: [.headers(1, endless)]
        ) { _ in [.windowUpdate(1, by: 1)] },
        HTTP2TestFlood(
            name: "windows that open and shut, a byte at a time", settings: [(4, 0)],
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
            name: "fields that are small on the wire and huge decoded",
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
        HTTP2TestFlood(name: "empty fields without number") { index in
            [
                .block(
                    stream(index),
                    HTTP2TestFrame.encode(get) + HTTP2TestFrame.encodeIndexed("a", "")
                        + Array(repeating: 0xBE, count: 10_000))
            ]
        },
        HTTP2TestFlood(name: "requests whose heads are over the limit") { index in
            [.headers(stream(index), get + (0..<150).map { ("x-\($0)", "1") })]
        },
        HTTP2TestFlood(
            name: "cookies in crumbs without number",
            begin: [.block(1, HTTP2TestFrame.encode(get) + HTTP2TestFrame.encodeIndexed("cookie", "a=1"))]
        ) { index in
            [.block(stream(index + 1), HTTP2TestFrame.encode(get) + Array(repeating: 0xBE, count: 5000))]
        },
        HTTP2TestFlood(
            name: "a header block that trickles",
            begin: [.block(1, [], endsHeaders: false)]
        ) { _ in [.continuation(1, [0x00])] },
    ]
}
