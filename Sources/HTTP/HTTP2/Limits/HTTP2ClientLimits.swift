/// The limits of the client's side of an HTTP/2 connection.
public struct HTTP2ClientLimits: Equatable, Sendable {
    /// The limits that both sides have. Of those for requests, only ``HTTP2Limits/headBytes`` and
    /// ``HTTP2Limits/fieldCount`` apply, to responses; those for bodies, resets, stalls and the age do not.
    ///
    /// ``HTTP2Limits/streamWindow`` and ``HTTP2Limits/connectionWindow`` are the numbers of bytes that are stored for a
    /// response, and for all of them, while nobody reads them.
    public var connection = HTTP2Limits()
    /// The maximum number of requests that wait because the server does not accept more streams.
    public var waitingRequests = 1000
    /// The maximum number of bytes of all requests that have not been sent completely, with their heads.
    public var unsentBytes = 8 << 20
    /// The maximum number of interim responses (1xx) to a request.
    public var interimResponses = 10
    /// After this time without a byte of the server, while there are requests, the client sends a ping; `nil` for never.
    public var pingInterval: Duration? = .seconds(15)
    /// The time for any byte of the server after a ping.
    public var pingTimeout = Duration.seconds(10)

    /// Creates the default limits.
    public init() {}
}
