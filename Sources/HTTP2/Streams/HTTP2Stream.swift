import HTTPModel

/// One request and its answer. It keeps a request only until that is whole, and no bytes of an answer that is made while
/// it is sent, but what did not fit into a frame.
final class HTTP2Stream: HTTPBodyConsumer {
    enum Stage {
        /// The request is not whole.
        case receiving(IncomingRequest)
        /// The request is whole, or refused, and has not been answered.
        case asked
        /// The answer is on its way.
        case answering
        /// It has been reset, or is about to be.
        case dropped
    }

    let id: Int32
    private unowned let connection: HTTP2Connection
    @exclusivity(unchecked) var stage: Stage
    /// Whether the owner has been told of the request.
    @exclusivity(unchecked) var isKnown = false
    @exclusivity(unchecked) var isHead = false
    /// Whether the client reads fields behind the content (`TE: trailers`).
    @exclusivity(unchecked) var takesTrailers = false
    /// Whether the client has sent all it has to send.
    @exclusivity(unchecked) var hasEnded = false
    /// Whether a frame of the answer has been made.
    @exclusivity(unchecked) var hasBegun = false

    // The answer's content.

    /// Content that is there: all of it, or what did not fit into the last frame.
    @exclusivity(unchecked) var bytes: [UInt8] = []
    @exclusivity(unchecked) var offset = 0
    /// Where more comes from.
    @exclusivity(unchecked) var body: (any HTTPBodyStream)?
    /// Whether the body is a stream of events, which ends when the client sends no more.
    @exclusivity(unchecked) var sendsEvents = false
    /// What comes behind it, once the last of it has been read.
    @exclusivity(unchecked) var trailers: HTTPFields?
    /// Whether the body may have something.
    @exclusivity(unchecked) var isReady = false
    /// Whether the library waits to be told that there is something.
    @exclusivity(unchecked) var isDeferred = false
    /// Whether it is among those that are to be resumed.
    @exclusivity(unchecked) var isQueued = false
    /// How much has been sent, and how much had been when the window was last looked at.
    @exclusivity(unchecked) var sentCount = 0
    @exclusivity(unchecked) var stall: Stall?

    /// A window that was found shut.
    struct Stall {
        var since: MonotonicTime
        var sentCount: Int
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

    var isAnswering: Bool {
        if case .answering = stage { true } else { false }
    }

    var incoming: IncomingRequest? {
        if case .receiving(let incoming) = stage { incoming } else { nil }
    }
}

/// A request that is being read.
final class IncomingRequest {
    @exclusivity(unchecked) var head = RequestHead()
    @exclusivity(unchecked) var body: [UInt8] = []
    /// What of it counts among the connection's requests that are not whole.
    @exclusivity(unchecked) var countedBytes = 0
    /// Since when the body may come; `nil` as long as the head is not whole.
    @exclusivity(unchecked) var bodyStart: MonotonicTime?
}
