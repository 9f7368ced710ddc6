import HTTPModel
import JSONText

/// A session's stream in the form of the Durable Streams protocol, as server-sent events: `data` with an array of messages, then
/// `control` with the next offset. Confined to the loop of the session.
final class DurableStream: HTTPBodyStream {
    private let stream: SessionStream
    private let cursor: UInt64
    /// The position that a client without a message has.
    private let beginning: StreamPosition
    private var messages = DurableMessages()
    /// Whether the client has been told that nothing else exists.
    private var isUpToDate = false

    init(_ stream: SessionStream, from beginning: StreamPosition, cursor: UInt64) {
        (self.stream, self.beginning, self.cursor) = (stream, beginning, cursor)
    }

    func start(_ consumer: any HTTPBodyConsumer) {
        stream.start(consumer)
    }

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        let start = buffer.count
        while true {
            var events: [UInt8] = []
            let end = stream.pendingEnd
            let progress = stream.read(into: &events, limit: limit)
            messages.append(events, opening: "event: data\ndata: [", to: &buffer)
            if !messages.isInsideMessage {
                appendControl(progress, isClosed: progress == .finished && end?.isForStreamOnly == false, to: &buffer)
            }
            // A stream that has nothing else to send sends a comment.
            if events.first == UInt8(ascii: ":") { buffer.append(contentsOf: events) }
            if progress != .more || buffer.count > start { return progress }
        }
    }

    func stop() {
        stream.stop()
    }

    private func appendControl(_ progress: HTTPBodyProgress, isClosed: Bool, to buffer: inout [UInt8]) {
        if messages.close() { buffer.append("]\n\n") }
        let hasCaughtUp = progress != .more && messages.position != nil
        guard messages.hasMoved || hasCaughtUp && !isUpToDate || isClosed else { return }
        messages.noteControl()
        isUpToDate = hasCaughtUp
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
    static func appendControl(
        _ position: StreamPosition, cursor: UInt64?, isUpToDate: Bool, to buffer: inout [UInt8]
    ) {
        buffer.append("event: control\ndata: {\"streamNextOffset\":\"")
        buffer.append(contentsOf: position.offset.utf8)
        if let cursor {
            buffer.append("\",\"streamCursor\":\"")
            JSONWriter.append(cursor, to: &buffer)
            buffer.append(isUpToDate ? "\",\"upToDate\":true" : "\"")
        } else {
            buffer.append("\",\"streamClosed\":true,\"upToDate\":true")
        }
        buffer.append("}\n\n")
    }
}

/// An array of messages whose last one is large, as the body of a response. A slow reader holds a position instead of a copy.
final class DurableBody: HTTPBodyStream {
    private let stream: SessionStream
    private var messages: DurableMessages
    private var beginning: [UInt8]

    /// - Parameters:
    ///   - stream: The stream, in the middle of a message.
    ///   - messages: What was read of it.
    ///   - beginning: The messages so far.
    init(_ stream: SessionStream, _ messages: DurableMessages, beginning: [UInt8]) {
        (self.stream, self.messages, self.beginning) = (stream, messages, beginning)
    }

    deinit {
        // A response that is never read is not stopped, and the session keeps the stream, which has been started.
        stream.stop()
    }

    func start(_ consumer: any HTTPBodyConsumer) {}

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        if !beginning.isEmpty {
            buffer.append(contentsOf: beginning)
            beginning = []
            return .more
        }
        var events: [UInt8] = []
        let progress = stream.read(into: &events, limit: limit)
        // The head of the response has stated the offset after this message.
        messages.append(events, opening: "[", completingOnly: true, to: &buffer)
        if messages.isInsideMessage {
            // Without its end if the session has released the message: the client does not accept incomplete JSON.
            return progress
        }
        buffer.append(UInt8(ascii: "]"))
        if progress != .finished { stream.stop() }
        return .finished
    }

    func stop() {
        stream.stop()
    }
}
