public import HTTPModel

/// A request and what only the connection that it came on needs to know.
public struct HTTP1Message: Sendable {
    /// The request.
    public var request: HTTPRequest
    /// How its answer is to be framed.
    public var exchange: HTTP1Exchange

    init(request: HTTPRequest, exchange: HTTP1Exchange) {
        self.request = request
        self.exchange = exchange
    }
}

/// What the framing of an answer depends on beside the answer itself.
public struct HTTP1Exchange: Hashable, Sendable {
    /// Whether the request was `HEAD`, whose answer has no content.
    public var isHead: Bool
    /// Whether the client speaks HTTP/1.0, which has no chunks.
    public var isVersion10: Bool
    /// Whether the connection goes on after the answer: what the client asked for, until the server decides otherwise.
    public var keepsAlive: Bool

    /// Whether the client reads fields behind the content (`TE: trailers`).
    public var takesTrailers: Bool

    /// An exchange from its parts; the defaults are those of an answer to a request that could not be read.
    public init(
        isHead: Bool = false, isVersion10: Bool = false, keepsAlive: Bool = false, takesTrailers: Bool = false
    ) {
        self.takesTrailers = takesTrailers
        self.isHead = isHead
        self.isVersion10 = isVersion10
        self.keepsAlive = keepsAlive
    }
}
