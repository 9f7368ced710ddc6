import HTTPModel

/// A stream whose content this side sends: the response of a server, or the request of a client. Of streamed content, it
/// stores only the bytes that did not fit into a frame.
class OutgoingStream: HTTPBodyConsumer {
    // A server has many streams that wait for content: the small properties fill the gap behind the number.
    final let id: Int32
    /// Whether the peer accepts trailer fields.
    @exclusivity(unchecked) final var takesTrailers = false
    /// Whether the body may have content.
    @exclusivity(unchecked) final var isReady = false
    /// Whether the library waits until the stream is resumed.
    @exclusivity(unchecked) final var isDeferred = false
    /// Whether the stream is in the list of streams to resume.
    @exclusivity(unchecked) final var isQueued = false
    /// Whether the library keeps nothing for content while the stream waits. Content is then submitted again when there is some.
    @exclusivity(unchecked) final var rests = false
    private final unowned let endpoint: HTTP2Endpoint
    /// Available content: all of it, or the rest that did not fit into the last frame.
    @exclusivity(unchecked) final var bytes: [UInt8] = []
    @exclusivity(unchecked) final var offset = 0
    /// The source of further content.
    @exclusivity(unchecked) final var body: (any HTTPBodyStream)?
    /// The number of sent bytes.
    @exclusivity(unchecked) final var sentCount = 0
    @exclusivity(unchecked) private final var rarity: Rarity?

    /// What few streams have.
    private final class Rarity {
        var trailers: HTTPFields?
        var stall: Stall?
    }

    /// The time at which a window was found closed, and the number of sent bytes at that time.
    struct Stall {
        var since: MonotonicTime
        var sentCount: Int
    }

    init(id: Int32, endpoint: HTTP2Endpoint) {
        self.id = id
        self.endpoint = endpoint
    }

    /// The trailers, once the last content has been read.
    final var trailers: HTTPFields? {
        get { rarity?.trailers }
        set { set(\.trailers, to: newValue) }
    }

    final var hasTrailers: Bool { rarity?.trailers != nil }

    /// The stall of the window; nil while the peer accepts content.
    final var stall: Stall? {
        get { rarity?.stall }
        set { set(\.stall, to: newValue) }
    }

    private final func set<Value>(_ property: ReferenceWritableKeyPath<Rarity, Value?>, to value: Value?) {
        if rarity == nil, value != nil { rarity = Rarity() }
        rarity?[keyPath: property] = value
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
