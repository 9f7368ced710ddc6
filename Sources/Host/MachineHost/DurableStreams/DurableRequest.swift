import HTTPModel

/// What a client of the Durable Streams protocol requests of a session's stream.
struct DurableRequest {
    /// How the client reads what follows.
    enum Live: String {
        /// The next message, if nothing else exists.
        case longPoll = "long-poll"
        /// All messages, as server-sent events.
        case events = "sse"
    }

    /// Nil if the client reads only what exists.
    let live: Live?
    /// The offset as it was sent; `-1` if it is missing.
    let offset: String
    /// The position that the offset names; nil for `-1` and `now`.
    let position: StreamPosition?
    /// The cursor that the client has received; 0 if it has none.
    private let cursor: UInt64

    /// Reads the query of a request.
    ///
    /// - Throws: A problem with status 400.
    init(_ request: HTTPRequest) throws(ProblemDetails) {
        let offset = try DurableRequest.value(of: "offset", in: request)
        let live = try DurableRequest.value(of: "live", in: request)
        self.live = live.flatMap { Live(rawValue: $0) }
        guard live == nil || self.live != nil else {
            throw .malformedQuery("Expected \"live\" to be long-poll or sse.")
        }
        guard live == nil || offset != nil else {
            throw .malformedQuery("Expected an \"offset\" for a request with \"live\", got none.")
        }
        self.offset = offset ?? "-1"
        position = StreamPosition(offset: Array(self.offset.utf8))
        guard position != nil || self.offset == "-1" || self.offset == "now" else {
            throw .malformedQuery("Expected \"offset\" to be -1, now or the value of a Stream-Next-Offset field.")
        }
        // A cursor is only repeated, so that one that this server has not made is not a fault.
        cursor = Decimal.value(of: Array((request.queryValue("cursor") ?? "").utf8)) ?? 0
    }

    /// Returns the cursor of a response: the number of the interval of 20 s, or a later one than the client has.
    // Nobody caches the responses, so the cursor is of no use here. The protocol requires it.
    func nextCursor(at time: WallTime) -> UInt64 {
        let current = UInt64(max(0, (time.seconds - 1_728_432_000) / 20))
        guard cursor >= current, cursor < 1 << 53 else { return current }
        return cursor + UInt64.random(in: 1...180)
    }

    /// Returns the only value of a parameter; nil if it is missing.
    private static func value(of name: String, in request: HTTPRequest) throws(ProblemDetails) -> String? {
        let values = request.queryValues(name)
        guard values.count < 2 else { throw .malformedQuery("Expected one parameter \"\(name)\", got several.") }
        return values.first.map { $0 ?? "" }
    }
}

extension StreamPosition {
    private static let digitCount = 20

    /// The position as an offset: the version in 20 digits, a dot and the epoch.
    // Clients may compare offsets as text, and the version grows.
    var offset: String {
        let digits = "\(version)"
        return String(repeating: "0", count: StreamPosition.digitCount - digits.count) + digits + "." + epoch.text
    }

    /// The offset as the value of a field.
    var offsetField: HTTPFieldValue { HTTPFieldValue(offset) ?? "" }

    /// Parses an offset. Returns nil if the text is not one.
    init?(offset: [UInt8]) {
        let end = StreamPosition.digitCount
        guard offset.count == end + 1 + Epoch.textCount, offset[end] == UInt8(ascii: ".") else { return nil }
        let digits = offset[..<(end - 1)].drop { $0 == UInt8(ascii: "0") } + offset[(end - 1)..<end]
        self.init(offset[(end + 1)...] + [UInt8(ascii: ".")] + digits)
    }
}
