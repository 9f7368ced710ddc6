import HTTPModel

/// A request and its response. It stores a request only until it is complete. Of a streamed response, it stores only
/// the bytes that did not fit into a frame.
final class HTTP2Stream: HTTPBodyConsumer {
    enum Stage {
        /// The request is incomplete.
        case receiving(IncomingRequest)
        /// The request is complete, or refused, and has no response yet.
        case requested
        /// The response is being sent.
        case responding
        /// The stream was reset, or is about to be.
        case dropped
    }

    // A server has many streams that wait for content: the small properties fill the gap behind the number.
    let id: Int32
    /// Whether the owner has received the request.
    @exclusivity(unchecked) var wasDelivered = false
    @exclusivity(unchecked) var isHead = false
    /// Whether the client accepts trailer fields (`TE: trailers`).
    @exclusivity(unchecked) var takesTrailers = false
    /// Whether the client has ended its side of the stream.
    @exclusivity(unchecked) var hasEnded = false
    /// Whether a frame of the response has been produced.
    @exclusivity(unchecked) var hasBegun = false
    /// Whether the body is an event stream, which ends when the client closes its side.
    @exclusivity(unchecked) var sendsEvents = false
    /// Whether the body may have content.
    @exclusivity(unchecked) var isReady = false
    /// Whether the library waits until the stream is resumed.
    @exclusivity(unchecked) var isDeferred = false
    /// Whether the library keeps nothing for content while the stream waits. Content is then submitted again when there is some.
    // From the beginning, because most streams that wait at all wait for long. From the first content until the next sweep, an event
    // costs the library no allocation.
    @exclusivity(unchecked) var rests = true
    /// Whether the stream is in the list of streams to resume.
    @exclusivity(unchecked) var isQueued = false
    private unowned let connection: HTTP2Connection
    @exclusivity(unchecked) var stage: Stage

    // The content of the response.

    /// Available content: all of it, or the rest that did not fit into the last frame.
    @exclusivity(unchecked) var bytes: [UInt8] = []
    @exclusivity(unchecked) var offset = 0
    /// The source of further content.
    @exclusivity(unchecked) var body: (any HTTPBodyStream)?
    /// The number of sent bytes.
    @exclusivity(unchecked) var sentCount = 0
    @exclusivity(unchecked) private var rarity: Rarity?

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

    /// The trailers, once the last content has been read.
    var trailers: HTTPFields? {
        get { rarity?.trailers }
        set { set(\.trailers, to: newValue) }
    }

    /// The stall of the window; nil while the client accepts content.
    var stall: Stall? {
        get { rarity?.stall }
        set { set(\.stall, to: newValue) }
    }

    private func set<Value>(_ property: ReferenceWritableKeyPath<Rarity, Value?>, to value: Value?) {
        if rarity == nil, value != nil { rarity = Rarity() }
        rarity?[keyPath: property] = value
    }

    init(id: Int32, connection: HTTP2Connection, incoming: IncomingRequest) {
        self.id = id
        self.connection = connection
        stage = .receiving(incoming)
    }

    func bodyIsReady() {
        guard body != nil else { return }
        isReady = true
        guard isDeferred, !isQueued else { return }
        isQueued = true
        connection.streamIsReady(self)
    }

    var isResponding: Bool {
        if case .responding = stage { true } else { false }
    }

    var incoming: IncomingRequest? {
        if case .receiving(let incoming) = stage { incoming } else { nil }
    }
}

/// A request that is being received.
final class IncomingRequest {
    @exclusivity(unchecked) var head = RequestHead()
    @exclusivity(unchecked) var body: [UInt8] = []
    /// The number of its bytes that count towards the limit of incomplete requests.
    @exclusivity(unchecked) var countedBytes = 0
    /// The time at which the body began; `nil` while the head is incomplete.
    @exclusivity(unchecked) var bodyStart: MonotonicTime?
}
