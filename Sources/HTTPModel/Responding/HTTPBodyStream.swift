/// Content that is made while it is sent. The server pulls: it asks for bytes only when the peer takes them, so a slow
/// peer costs no memory. Everything here is called on the connection's event loop.
public protocol HTTPBodyStream: AnyObject {
    /// The head of the answer is on its way and bytes may be asked for. Called once, before anything else. The stream
    /// keeps the consumer weakly or until ``stop()``, and calls `bodyIsReady()` on it when, after an answer of
    /// ``HTTPBodyProgress/waiting``, there is something to read.
    func start(_ consumer: any HTTPBodyConsumer)

    /// The number of bytes that will be read, where it is known; asked for before ``start(_:)``. The server sends it as
    /// `Content-Length`, so exactly as many have to follow. `nil` by default.
    var contentLength: Int? { get }

    /// Appends what is there to the buffer, at least one byte unless it answers `waiting` or `finished`, and about
    /// `limit` bytes at the most (one element that is larger may go over it).
    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress

    /// The fields that come behind the content, asked for after `finished`. They are sent where the client takes them
    /// (`TE: trailers`) and the framing has room for them, and dropped otherwise, as are those that may not stand there
    /// (``HTTPTrailers``): nothing that the client has to know belongs here.
    var trailers: HTTPFields { get }

    /// The peer has gone, or the connection is closed: nothing is read any more. Called at most once, and not after
    /// `finished`.
    func stop()
}

extension HTTPBodyStream {
    /// Not known.
    public var contentLength: Int? { nil }

    /// None.
    public var trailers: HTTPFields { HTTPFields() }
}

/// What there is to say after a read.
public enum HTTPBodyProgress: Sendable {
    /// There is more at once.
    case more
    /// Nothing more now; `bodyIsReady()` will tell.
    case waiting
    /// That was the last byte.
    case finished
}

/// The server's end of a body stream.
public protocol HTTPBodyConsumer: AnyObject {
    /// There is something to read again. Only marks the connection: the read comes later in the same round of the
    /// loop, so it may be called from anywhere on the loop, also inside a turn, and as often as one likes.
    func bodyIsReady()
}
