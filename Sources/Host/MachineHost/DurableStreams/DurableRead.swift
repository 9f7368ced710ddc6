import HTTPModel
import Locking

/// A request of the Durable Streams protocol that is answered once: with what exists, or with what the session sends next. Confined to the
/// loop of the session.
///
/// It reads a stream of the session as a connection does. The stream keeps it until the answer.
final class DurableRead: HTTPBodyConsumer {
    /// The size from which an answer contains no further messages.
    private static let chunkSize = SharedText.threshold

    private let stream: SessionStream
    private let wanted: DurableRequest
    private let waiting: PendingRequest
    private let loop: any EventLoop
    private let reference: BackReference
    private var messages = DurableMessages()
    private var body: [UInt8] = []
    private var isScheduled = false

    /// - Parameters:
    ///   - stream: The stream, which nobody reads yet.
    ///   - wanted: What the client has requested.
    ///   - shard: The shard of the loop.
    init(
        _ stream: SessionStream, for wanted: DurableRequest, _ waiting: PendingRequest, in shard: SessionShard
    ) {
        (self.stream, self.wanted, self.waiting) = (stream, wanted, waiting)
        (loop, reference) = (shard.loop, shard.backReference)
    }

    func start() {
        stream.start(self)
        advance()
    }

    func bodyIsReady() {
        guard !isScheduled else { return }
        isScheduled = true
        // Later, because a session notifies its streams inside a turn.
        loop.execute { [read = UnsafeTransfer(self)] in
            read.value.isScheduled = false
            read.value.advance()
        }
    }

    /// Reads what the stream has to send, and responds if that is an answer.
    private func advance() {
        loop.assertCurrent()
        guard let shard = reference.shard else { return stream.stop() }
        var (progress, end) = (HTTPBodyProgress.more, EndReason?.none)
        var isSilent = false
        while progress == .more, body.count < DurableRead.chunkSize {
            var events: [UInt8] = []
            end = stream.pendingEnd
            progress = stream.read(into: &events, limit: DurableRead.chunkSize)
            messages.append(events, opening: "[", to: &body)
            // A stream that has nothing else to send sends a comment.
            isSilent = events.first == UInt8(ascii: ":")
        }
        // An empty array is an answer if the client does not wait, or has waited long enough.
        let isAnswered = messages.position != nil && (wanted.live == nil || isSilent)
        if progress != .waiting || messages.isOpen || isAnswered { respond(progress, end, shard) }
    }

    private func respond(_ progress: HTTPBodyProgress, _ end: EndReason?, _ shard: SessionShard) {
        // Until the end of a large message, the body reads the stream.
        if progress != .finished, !messages.isInsideMessage { stream.stop() }
        let reason = progress == .finished && end?.isForStreamOnly == false ? end : nil
        let response: HTTPResponse
        if let position = messages.position {
            response = shard.response(
                to: wanted, waiting.request, at: position, isUpToDate: progress != .more, isClosed: reason != nil,
                messages.isOpen ? content() : nil)
        } else if let reason {
            response = shard.response(toEnd: reason, wanted, waiting.request)
        } else {
            // The stream was ended before it began, for example because its credential was revoked.
            response = ProblemDetails.unavailable("the stream has ended", retryAfter: 1).response
        }
        shard.respond(to: waiting, with: response)
    }

    private func content() -> HTTPResponseBody {
        defer { body = [] }
        guard messages.isInsideMessage else { return .bytes(body + [UInt8(ascii: "]")]) }
        return .stream(DurableBody(stream, messages, beginning: body))
    }
}
