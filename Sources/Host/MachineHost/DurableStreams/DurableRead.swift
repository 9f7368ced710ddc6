import HTTPModel
import Locking

/// A request of the Durable Streams protocol that is answered once: with what exists, or with what the session sends next. Confined to the
/// loop of the session.
///
/// It reads a stream of the session as a connection does. The stream keeps it until the answer.
final class DurableRead: HTTPBodyConsumer {
    /// The size from which an answer contains no further messages.
    private static let chunkSize = SharedText.threshold

    private let wanted: DurableRequest
    private let waiting: PendingRequest
    private let reference: BackReference
    private var messages: DurableMessages
    private var body: [UInt8] = []
    private var isScheduled = false
    /// Whether the client has left, or only closed its sending side.
    private var hasClientLeft = false
    private var isAnswered = false

    /// - Parameters:
    ///   - stream: The stream, which nobody reads yet.
    ///   - wanted: What the client has requested.
    ///   - shard: The shard of the loop.
    init(_ stream: SessionStream, for wanted: DurableRequest, _ waiting: PendingRequest, in shard: SessionShard) {
        (self.wanted, self.waiting, reference) = (wanted, waiting, shard.backReference)
        messages = DurableMessages(of: stream, opening: "[")
    }

    func start() {
        messages.stream.start(self)
        advance()
        waiting.promise.whenClientLeaves { [weak self] in
            self?.hasClientLeft = true
            self?.bodyIsReady()
        }
    }

    func bodyIsReady() {
        guard !isScheduled else { return }
        isScheduled = true
        // Later, because a session notifies its streams inside a turn.
        reference.shard?.loop.execute { [read = UnsafeTransfer(self)] in
            read.value.isScheduled = false
            read.value.advance()
        }
    }

    /// Reads what the stream has to send, and responds if that is an answer.
    private func advance() {
        guard !isAnswered else { return }
        guard let shard = reference.shard else { return messages.stream.stop() }
        shard.loop.assertCurrent()
        var progress = HTTPBodyProgress.more
        while progress == .more, body.count < DurableRead.chunkSize {
            progress = messages.read(into: &body, limit: DurableRead.chunkSize)
        }
        // An empty array is an answer if the client does not wait, or has waited long enough.
        let isEmptyAnswer = messages.position != nil && (wanted.live == nil || messages.isSilent)
        guard hasClientLeft || progress != .waiting || messages.isOpen || isEmptyAnswer else { return }
        isAnswered = true
        // Until the end of a large message, the body reads the stream.
        if progress != .finished, !messages.isInsideMessage { messages.stream.stop() }
        shard.respond(to: waiting, with: response(isUpToDate: progress != .more, in: shard))
    }

    private func response(isUpToDate: Bool, in shard: SessionShard) -> HTTPResponse {
        guard let position = messages.position else {
            // Without a reason, the stream was ended before it began, for example because its credential was revoked.
            return messages.end.map { shard.response(toEnd: $0, wanted, waiting.request) }
                ?? ProblemDetails.unavailable("the stream has ended", retryAfter: 1).response
        }
        let content: HTTPResponseBody =
            messages.isInsideMessage
            ? .stream(DurableBody(messages, beginning: body)) : .bytes(body + [UInt8(ascii: "]")])
        return shard.response(
            to: wanted, waiting.request, at: position, isUpToDate: isUpToDate, isClosed: messages.end != nil,
            messages.isOpen ? content : nil)
    }
}
