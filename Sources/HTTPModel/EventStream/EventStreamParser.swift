/// Reads an event stream (WHATWG HTML §9.2.6) in pieces of any size: a state machine without I/O.
///
/// All three line ends are understood, a byte order mark at the start is skipped, comments and unknown fields are ignored,
/// and an event that the stream ends in the middle of is never given out.
public struct EventStreamParser: Sendable {
    /// After how long the stream asks to be followed again once it is lost, or `nil` if it has not said.
    public private(set) var retry: Duration?
    /// The id to come back with: that of the last event given out, empty where there was none.
    public private(set) var lastEventID = ""

    private var line: [UInt8] = []
    private var event = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var id = ""
    private var afterCarriageReturn = false
    private var isFirstLine = true

    /// A parser at the start of a stream.
    public init() {}

    /// Takes the next bytes and gives the events that they complete.
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
        case "id" where !value.contains(0): id = String(decoding: value, as: UTF8.self)
        case "retry":
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
        lastEventID = id
        guard hasData else { return nil }
        return ServerSentEvent(
            event: event.isEmpty ? "message" : event, id: id, data: String(decoding: data, as: UTF8.self))
    }
}
