/// Parses an event stream (WHATWG HTML §9.2.6) in pieces of any size: a state machine without I/O.
///
/// It accepts all three line ends, skips a byte order mark at the start, ignores comments and unknown fields, and never
/// returns an event that is cut off by the end of the stream.
public struct EventStreamParser: Sendable {
    /// The delay before reconnecting that the stream has requested, or `nil` if it has not.
    public private(set) var retry: Duration?
    /// The id for reconnecting: the one of the last returned event, or empty.
    public private(set) var lastEventID = ""

    private var line: [UInt8] = []
    private var event = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var id = ""
    private var afterCarriageReturn = false
    private var isFirstLine = true

    /// Creates a parser at the start of a stream.
    public init() {}

    /// Processes bytes and returns the events that they complete.
    public mutating func receive(_ bytes: some Sequence<UInt8>) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n") where afterCarriageReturn: afterCarriageReturn = false
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                afterCarriageReturn = byte == UInt8(ascii: "\r")
                if let completed = endLine() { events.append(completed) }
            default:
                afterCarriageReturn = false
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard !line.isEmpty else { return dispatch() }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            take(field: line[...], value: [])
            return nil
        }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        take(field: line[..<colon], value: value)
        return nil
    }

    private mutating func take(field: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        switch String(decoding: field, as: UTF8.self) {
        case "event": event = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { data.append(UInt8(ascii: "\n")) }
            hasData = true
            data.append(contentsOf: value)
        // Ids with a NUL are ignored, as the specification requires: they could not be sent back in a header field.
        case "id" where !value.contains(0): id = String(decoding: value, as: UTF8.self)
        case "retry":
            // Digits only; the integer parser alone would accept a sign.
            let isNumber = !value.isEmpty && value.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            if isNumber, let milliseconds = Int64(String(decoding: value, as: UTF8.self)) {
                retry = .milliseconds(milliseconds)
            }
        default: break
        }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer {
            event = ""
            data.removeAll(keepingCapacity: true)
            hasData = false
        }
        // Even without data: an event that sets only the id is not dispatched, but its id counts.
        lastEventID = id
        guard hasData else { return nil }
        return ServerSentEvent(
            event: event.isEmpty ? "message" : event, id: id, data: String(decoding: data, as: UTF8.self))
    }
}
