/// Rewrites the events of a session's stream as messages of the Durable Streams protocol:
///
///     {"event":"change","id":"VgFTtm.3","data":{"count":"8"}}
///
/// Those that are read together are an array. The bytes may be cut anywhere.
struct DurableMessages {
    private var scanner = EventScanner()
    /// Whether the event is one of those that become a message.
    private var isMessage = false
    /// Whether the array has begun.
    private(set) var isOpen = false
    /// Whether the position has changed since ``noteControl()``.
    private(set) var hasMoved = false
    /// The position after the last message; nil before the first event with a position.
    private(set) var position: StreamPosition?

    /// Whether the last message is incomplete.
    var isInsideMessage: Bool { scanner.isInsideData && isMessage }

    /// Appends the messages of events.
    ///
    /// - Parameters:
    ///   - opening: The text before the first message of an array.
    ///   - isLast: Whether only the message that has begun is read, and not what follows it.
    ///   - buffer: Receives the messages.
    mutating func append(
        _ events: [UInt8], opening: StaticString, completingOnly isLast: Bool = false, to buffer: inout [UInt8]
    ) {
        var start = 0
        while start < events.count {
            guard scanner.isInsideData else {
                if scanner.readHead(events, &start, events.count) { begin(opening, &buffer) }
                continue
            }
            let data = scanner.readData(events, &start, events.count)
            guard isMessage else { continue }
            buffer.append(contentsOf: events[data.range])
            guard data.isLast else { continue }
            buffer.append(UInt8(ascii: "}"))
            if isLast { return }
        }
    }

    /// Ends the array. Returns whether it had begun.
    mutating func close() -> Bool {
        defer { isOpen = false }
        return isOpen
    }

    /// Notes that the client learns of the position.
    mutating func noteControl() { hasMoved = false }

    private mutating func begin(_ opening: StaticString, _ buffer: inout [UInt8]) {
        let name: StaticString
        isMessage = false
        switch scanner.event {
        case .snapshot: name = "snapshot"
        case .change: name = "change"
        case .resume:
            move()
            return
        case .end, .busy, .unauthorized, nil: return
        }
        move()
        isMessage = true
        buffer.append(isOpen ? "," : opening)
        isOpen = true
        buffer.append("{\"event\":\"")
        buffer.append(name)
        buffer.append("\",\"id\":\"")
        buffer.append(contentsOf: scanner.position)
        buffer.append("\",\"data\":")
    }

    private mutating func move() {
        position = StreamPosition(scanner.position)
        hasMoved = true
    }
}
