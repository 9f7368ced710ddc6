import HTTPModel

/// Reads the events of a session's stream as messages of the Durable Streams protocol:
///
///     {"event":"change","id":"VgFTtm.3","data":{"count":"8"}}
///
/// Those that are read together are an array.
struct DurableMessages {
    let stream: SessionStream
    /// The text before the first message of an array.
    private let opening: StaticString
    private var scanner = EventScanner()
    /// Whether the event is one of those that become a message.
    private var isMessage = false
    /// Whether the array has begun. Whoever ends it sets it to false.
    var isOpen = false
    /// Whether the stream has nothing else to send, and has sent a comment.
    private(set) var isSilent = false
    /// The position after the last message; nil before the first event with a position.
    private(set) var position: StreamPosition?
    /// Why the session has ended, after the last message; nil if it has not, or only the stream has.
    private(set) var end: EndReason?

    init(of stream: SessionStream, opening: StaticString) { (self.stream, self.opening) = (stream, opening) }

    /// Whether the last message is incomplete.
    var isInsideMessage: Bool { scanner.isInsideData && isMessage }

    /// Reads messages up to about a limit.
    ///
    /// - Parameter isLast: Whether only the message that has begun is read, and not what follows it.
    mutating func read(
        into buffer: inout [UInt8], limit: Int, completingOnly isLast: Bool = false
    ) -> HTTPBodyProgress {
        var events: [UInt8] = []
        let end = stream.pendingEnd
        let progress = stream.read(into: &events, limit: limit)
        if progress == .finished, end?.isForStreamOnly == false { self.end = end }
        isSilent = events.first == UInt8(ascii: ":")
        var start = 0
        while start < events.count {
            guard scanner.isInsideData else {
                if scanner.readHead(events, &start, events.count) { begin(&buffer) }
                continue
            }
            let data = scanner.readData(events, &start, events.count)
            guard isMessage else { continue }
            buffer.append(contentsOf: events[data.range])
            guard data.isLast else { continue }
            buffer.append(UInt8(ascii: "}"))
            if isLast { break }
        }
        return progress
    }

    private mutating func begin(_ buffer: inout [UInt8]) {
        isMessage = scanner.event == .snapshot || scanner.event == .change
        guard isMessage || scanner.event == .resume else { return }
        position = StreamPosition(scanner.position)
        guard isMessage else { return }
        buffer.append(isOpen ? "," : opening)
        isOpen = true
        buffer.append(
            scanner.event == .change ? "{\"event\":\"change\",\"id\":\"" : "{\"event\":\"snapshot\",\"id\":\"")
        buffer.append(contentsOf: scanner.position)
        buffer.append("\",\"data\":")
    }
}
