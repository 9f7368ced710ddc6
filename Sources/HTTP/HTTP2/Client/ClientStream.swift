import HTTPModel

/// A request and its response, on the client's side.
final class ClientStream: OutgoingStream {
    /// The request, until its stream is opened.
    var request: HTTPRequest?
    let isHead: Bool
    let response: IncomingResponse
    /// The number of bytes that count towards ``HTTP2ClientLimits/unsentBytes``.
    var unsentBytes: Int
    /// Whether the server may have received something of the request.
    var wasSent = false
    /// Whether the request was sent completely.
    var hasSentAll = false
    /// Whether the server has reset the stream.
    var wasReset = false
    var interimCount = 0

    init(id: Int32, connection: HTTP2ClientConnection, request: HTTPRequest, unsentBytes: Int) {
        self.request = request
        self.unsentBytes = unsentBytes
        isHead = request.method == .head
        response = IncomingResponse(id: id, connection: connection)
        super.init(id: id, endpoint: connection)
        takesTrailers = true
    }

    /// Whether the response must not have content (RFC 9110 §6.4.1).
    var forbidsContent: Bool { isHead || response.head.status?.forbidsBody ?? true }
}

/// The response to a request, whose content is stored until it is read. Reading opens the windows again, so a response
/// that nobody reads stops the server.
final class IncomingResponse: HTTPBodyStream {
    let id: Int32
    // Weak, because a body may outlive its connection.
    private weak var connection: HTTP2ClientConnection?
    private weak var consumer: (any HTTPBodyConsumer)?
    var head = ResponseHead()
    /// Whether the head of the final response is complete.
    var hasHead = false
    /// Whether the response is complete.
    var hasEnded = false
    /// Whether nobody needs the response any more, or it cannot be completed.
    private(set) var isDropped = false
    /// Whether the consumer is about to be notified.
    private var isNoticed = false
    /// The number of bytes that have arrived.
    private(set) var count = 0
    private var bytes: [UInt8] = []
    private var offset = 0

    init(id: Int32, connection: HTTP2ClientConnection) {
        self.id = id
        self.connection = connection
    }

    // Nobody can read the rest any more, so other responses may use its part of the window.
    deinit { releaseUnread() }

    func append(_ content: UnsafeRawBufferPointer) {
        count += content.count
        bytes.append(contentsOf: content)
    }

    /// Removes the content, because the response is not needed or cannot be completed.
    func drop() {
        isDropped = true
        releaseUnread()
        bytes = []
        offset = 0
    }

    private func releaseUnread() {
        if offset < bytes.count { connection?.contentWasRead(bytes.count - offset, of: id) }
    }

    /// Returns the response as its owner receives it.
    func take() -> HTTPResponse {
        var response = HTTPResponse(status: head.status ?? .ok, fields: head.fields)
        if !hasEnded || !head.trailers.isEmpty {
            response.body = .stream(self)
        } else if !bytes.isEmpty {
            var content: [UInt8] = []
            swap(&content, &bytes)
            connection?.contentWasRead(content.count, of: id)
            response.body = .bytes(content)
        }
        return response
    }

    /// Returns whether the consumer has to be notified that there is content, or the end. Once, until it is.
    func needsNotice() -> Bool {
        guard consumer != nil, !isNoticed else { return false }
        isNoticed = true
        return true
    }

    func notify() {
        isNoticed = false
        if !isDropped { consumer?.bodyIsReady() }
    }

    func start(_ consumer: any HTTPBodyConsumer) { self.consumer = consumer }

    var contentLength: Int? { head.contentLength }

    var trailers: HTTPFields { head.trailers }

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        if isDropped { return .waiting }
        let count = min(max(1, limit), bytes.count - offset)
        if count > 0 {
            buffer.append(contentsOf: bytes[offset..<(offset + count)])
            offset += count
            connection?.contentWasRead(count, of: id)
        }
        if offset < bytes.count { return .more }
        bytes = []
        offset = 0
        return hasEnded ? .finished : .waiting
    }

    func stop() {
        consumer = nil
        connection?.cancel(HTTP2StreamID(rawValue: id))
        // If it is complete, there is nothing to cancel.
        drop()
    }
}
