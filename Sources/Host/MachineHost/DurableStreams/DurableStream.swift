import HTTPModel
import JSONText

/// A session's stream in the form of the Durable Streams protocol, as server-sent events: `data` with an array of messages, then
/// `control` with the next offset. Confined to the loop of the session.
final class DurableStream: HTTPBodyStream {
    private let cursor: UInt64
    /// The position that a client without a message has.
    private let beginning: StreamPosition
    private var messages: DurableMessages
    /// What the client knows: the position, and whether nothing else exists.
    private var known: (position: StreamPosition?, isUpToDate: Bool) = (nil, false)

    init(_ stream: SessionStream, from beginning: StreamPosition, cursor: UInt64) {
        (self.beginning, self.cursor) = (beginning, cursor)
        messages = DurableMessages(of: stream, opening: "event: data\ndata: [")
    }

    func start(_ consumer: any HTTPBodyConsumer) { messages.stream.start(consumer) }

    func stop() { messages.stream.stop() }

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        let start = buffer.count
        while true {
            let progress = messages.read(into: &buffer, limit: limit)
            if !messages.isInsideMessage { appendControl(progress, to: &buffer) }
            if messages.isSilent { buffer.append(": keep-alive\n\n") }
            if progress != .more || buffer.count > start { return progress }
        }
    }

    private func appendControl(_ progress: HTTPBodyProgress, to buffer: inout [UInt8]) {
        let (hasMessages, isClosed) = (messages.isOpen, messages.end != nil)
        messages.isOpen = false
        if hasMessages { buffer.append("]\n\n") }
        let hasCaughtUp = progress != .more && messages.position != nil
        let isNews = messages.position != known.position || hasCaughtUp && !known.isUpToDate
        guard hasMessages || isNews || isClosed else { return }
        known = (messages.position, hasCaughtUp)
        DurableStream.appendControl(
            messages.position ?? beginning, cursor: isClosed ? nil : cursor, isUpToDate: hasCaughtUp, to: &buffer)
    }

    /// Appends an event that states where the client continues.
    ///
    /// - Parameters:
    ///   - position: The position after the last message.
    ///   - cursor: The cursor; nil if no message will follow.
    ///   - isUpToDate: Whether no other message exists.
    ///   - buffer: Receives the event.
    static func appendControl(_ position: StreamPosition, cursor: UInt64?, isUpToDate: Bool, to buffer: inout [UInt8]) {
        let next = cursor.map { "\"streamCursor\":\"\($0)\"" } ?? "\"streamClosed\":true"
        let rest = isUpToDate || cursor == nil ? ",\"upToDate\":true" : ""
        buffer.append(
            contentsOf: "event: control\ndata: {\"streamNextOffset\":\"\(position.offset)\",\(next)\(rest)}\n\n".utf8)
    }
}

/// An array of messages whose last one is large, as the body of a response. A slow reader holds a position instead of a copy.
final class DurableBody: HTTPBodyStream {
    private var messages: DurableMessages
    private var beginning: [UInt8]

    /// - Parameters:
    ///   - messages: What was read of the stream, in the middle of a message.
    ///   - beginning: The messages so far.
    init(_ messages: DurableMessages, beginning: [UInt8]) { (self.messages, self.beginning) = (messages, beginning) }

    // A response that is never read is not stopped, and the session keeps the stream, which has been started.
    deinit { messages.stream.stop() }

    func start(_ consumer: any HTTPBodyConsumer) {}

    func stop() { messages.stream.stop() }

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        if !beginning.isEmpty {
            buffer.append(contentsOf: beginning)
            beginning = []
            return .more
        }
        // The head of the response has stated the offset after this message.
        let progress = messages.read(into: &buffer, limit: limit, completingOnly: true)
        // Without its end if the session has released the message: the client does not accept incomplete JSON.
        if messages.isInsideMessage { return progress }
        buffer.append(UInt8(ascii: "]"))
        if progress != .finished { messages.stream.stop() }
        return .finished
    }
}
