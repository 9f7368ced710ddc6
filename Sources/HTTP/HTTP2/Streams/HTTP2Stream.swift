import HTTPModel

/// A request and its response, on the server's side. It stores a request only until it is complete.
final class HTTP2Stream: OutgoingStream {
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

    /// Whether the owner has received the request.
    @exclusivity(unchecked) var wasDelivered = false
    @exclusivity(unchecked) var isHead = false
    /// Whether the client has ended its side of the stream.
    @exclusivity(unchecked) var hasEnded = false
    /// Whether a frame of the response has been produced.
    @exclusivity(unchecked) var hasBegun = false
    /// Whether the body is an event stream, which ends when the client closes its side.
    @exclusivity(unchecked) var sendsEvents = false
    @exclusivity(unchecked) var stage: Stage

    init(id: Int32, connection: HTTP2Connection, incoming: IncomingRequest) {
        stage = .receiving(incoming)
        super.init(id: id, endpoint: connection)
        // From the beginning, because most streams that wait at all wait for long. From the first content until the next sweep, an event
        // costs the library no allocation.
        rests = true
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
