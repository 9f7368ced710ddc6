public import HTTPModel

/// A request, with the properties that only its connection needs.
public struct HTTP1Message: Sendable {
    /// The request.
    public var request: HTTPRequest
    /// How the response has to be framed.
    public var exchange: HTTP1Exchange
}

/// The properties of a request that determine the framing of its response.
public struct HTTP1Exchange: Hashable, Sendable {
    /// Whether the method is `HEAD`, whose response has no content.
    public var isHead: Bool
    /// Whether the client speaks HTTP/1.0, which has no chunks.
    public var isVersion10: Bool
    /// Whether the connection continues after the response: initially the request of the client, later the decision of
    /// the server.
    public var keepsAlive: Bool

    /// Whether the client accepts trailer fields (`TE: trailers`).
    public var takesTrailers: Bool

    /// Creates an exchange from its parts. The defaults are for the response to an unreadable request.
    public init(
        isHead: Bool = false, isVersion10: Bool = false, keepsAlive: Bool = false, takesTrailers: Bool = false
    ) {
        self.takesTrailers = takesTrailers
        self.isHead = isHead
        self.isVersion10 = isVersion10
        self.keepsAlive = keepsAlive
    }
}
