/// Content that is produced while it is sent. The server pulls: it reads bytes only when the peer accepts them, so a
/// slow peer costs no memory. All methods are called on the event loop of the connection.
public protocol HTTPBodyStream: AnyObject {
    /// Starts the stream when the head is being sent and bytes may be read. Called once, before the other methods. The
    /// stream keeps the consumer weakly or until ``stop()``. After it has returned ``HTTPBodyProgress/waiting``, it
    /// calls `bodyIsReady()` when there is content to read.
    func start(_ consumer: any HTTPBodyConsumer)

    /// The number of bytes that will be read, if known. Evaluated before ``start(_:)`` and sent as `Content-Length`, so
    /// exactly that many must follow. `nil` by default.
    var contentLength: Int? { get }

    /// Appends available content to the buffer: at least one byte unless it returns `waiting` or `finished`, and at
    /// most about `limit` bytes. A single larger element may exceed the limit.
    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress

    /// The trailer fields, evaluated after `finished`. They are sent if the client accepts them (`TE: trailers`) and
    /// the framing permits it, and dropped otherwise. Fields that are not allowed in trailers are dropped, too
    /// (``HTTPTrailers``). Do not use them for information that the client needs.
    var trailers: HTTPFields { get }

    /// Stops the stream, because the peer or the connection is closed. No more content is read. Called at most once,
    /// and not after `finished`.
    func stop()
}

extension HTTPBodyStream {
    /// `nil`: the length is unknown.
    public var contentLength: Int? { nil }

    /// No trailers.
    public var trailers: HTTPFields { HTTPFields() }

    /// Starts a stream that never waits, and returns its content.
    package func readAll() -> [UInt8] {
        var bytes: [UInt8] = []
        start(SilentConsumer())
        while case .more = read(into: &bytes, limit: 1 << 16) {}
        return bytes
    }
}

private final class SilentConsumer: HTTPBodyConsumer {
    func bodyIsReady() {}
}

/// The result of a read.
public enum HTTPBodyProgress: Sendable {
    /// There is more content immediately.
    case more
    /// There is no content now; the stream will call `bodyIsReady()`.
    case waiting
    /// The content is complete.
    case finished
}

/// The receiver of a body stream's notifications.
public protocol HTTPBodyConsumer: AnyObject {
    /// Notifies the server that there is content to read. The read happens later in the same round of the loop, so this
    /// method may be called anywhere on the loop, including inside a turn, and any number of times.
    func bodyIsReady()
}
