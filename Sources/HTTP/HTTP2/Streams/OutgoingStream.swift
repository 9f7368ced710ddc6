import HTTPModel

/// A stream whose content this side sends: the response of a server, or the request of a client. Of streamed content, it
/// stores only the bytes that did not fit into a frame.
class OutgoingStream: HTTPBodyConsumer {
    final let id: Int32
    private final unowned let endpoint: HTTP2Endpoint
    /// Whether the peer accepts trailer fields.
    @exclusivity(unchecked) final var takesTrailers = false
    /// Available content: all of it, or the rest that did not fit into the last frame.
    @exclusivity(unchecked) final var bytes: [UInt8] = []
    @exclusivity(unchecked) final var offset = 0
    /// The source of further content.
    @exclusivity(unchecked) final var body: (any HTTPBodyStream)?
    /// The trailers, once the last content has been read.
    @exclusivity(unchecked) final var trailers: HTTPFields?
    /// Whether the body may have content.
    @exclusivity(unchecked) final var isReady = false
    /// Whether the library waits until the stream is resumed.
    @exclusivity(unchecked) final var isDeferred = false
    /// Whether the stream is in the list of streams to resume.
    @exclusivity(unchecked) final var isQueued = false
    /// The number of sent bytes.
    @exclusivity(unchecked) final var sentCount = 0

    init(id: Int32, endpoint: HTTP2Endpoint) {
        self.id = id
        self.endpoint = endpoint
    }

    final func bodyIsReady() {
        guard body != nil else { return }
        isReady = true
        guard isDeferred, !isQueued else { return }
        isQueued = true
        endpoint.streamIsReady(self)
    }

    /// Removes the content; returns its source, which has to be stopped.
    final func takeBody() -> (any HTTPBodyStream)? {
        bytes = []
        offset = 0
        return body.take()
    }
}
