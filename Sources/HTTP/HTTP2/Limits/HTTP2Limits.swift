/// The limits of an HTTP/2 connection. The defaults are safe on the open internet.
///
/// A request that exceeds a limit for requests (target, fields, body) is refused. A client that exceeds a limit for the
/// connection ends it with `ENHANCE_YOUR_CALM`.
public struct HTTP2Limits: Equatable, Sendable {
    // Requests

    /// The maximum length of `:path` in bytes; beyond it, 414.
    public var targetBytes = 8 << 10
    /// The maximum size of a request's decoded fields in bytes, each field counted with 32 extra bytes (RFC 9113
    /// §6.5.2); beyond it, 431. More than four times as much ends the connection.
    public var headBytes = 16 << 10
    /// The maximum number of fields of a request, and separately of trailers; beyond it, 431. More than four times as
    /// many ends the connection.
    public var fieldCount = 100
    /// The maximum length of a request's content in bytes; beyond it, 413.
    public var bodyBytes = 1 << 20

    // Connections

    /// The maximum number of open streams. One more is refused (`REFUSED_STREAM`), or ends the connection if the client
    /// has acknowledged the limit.
    public var concurrentStreams = 1000
    /// The number of bytes that a client may send on a stream before it has to wait for the server.
    public var streamWindow = 64 << 10
    /// The number of bytes that a client may send on all streams together before it has to wait.
    public var connectionWindow = 1 << 20
    /// The maximum number of bytes of all incomplete requests, including their decoded heads. A stream that exceeds it
    /// is refused.
    public var unfinishedBodyBytes = 8 << 20
    /// The maximum length of an encoded header block in bytes, over all of its frames. Beyond it the connection ends: a
    /// block cannot be skipped, because later ones refer to it.
    public var headerBlockBytes = 32 << 10
    /// The maximum number of `CONTINUATION` frames of a header block.
    public var continuationFrames = 8
    /// The maximum number of queued frames without content: acknowledgements of pings and settings, and resets.
    public var queuedFrames = 1000

    /// The number of frames that a client may send in a burst without causing work. Every frame uses one, and work (a
    /// complete request, content, a response that is read) restores some.
    public var worklessFrames = 2000
    /// How many of ``worklessFrames`` are restored per second.
    public var worklessFramesPerSecond = 50
    /// The number of streams that may be reset in a burst: by the client before their responses (CVE-2023-44487), or by
    /// the server because of the client's frames (CVE-2025-8671).
    public var resets = 200
    /// How many of ``resets`` are restored per second.
    public var resetsPerSecond = 20

    // Times

    /// The time for the client's preface and first settings.
    public var handshakeTimeout = Duration.seconds(10)
    /// The time for a header block.
    public var headTimeout = Duration.seconds(10)
    /// The time for a body, plus a second for each ``bodyRate`` bytes that have arrived.
    public var bodyTimeout = Duration.seconds(10)
    /// The rate in bytes per second that a body must reach once ``bodyTimeout`` is used up.
    public var bodyRate = 4096
    /// How long a client may keep the window of a response closed.
    public var stallTimeout = Duration.seconds(45)
    /// How long a connection may be without streams before it is drained.
    public var idleTimeout = Duration.seconds(60)
    /// The age at which a connection is drained, so that clients are distributed again; `nil` for no limit. It is
    /// shortened by a random part of a tenth for each connection.
    public var maximumAge: Duration?
    /// How long a drained client may still open streams that were in flight when it was notified.
    public var drainGrace = Duration.seconds(1)

    // Work

    /// The maximum number of bytes that are requested from a body stream at a time.
    public var streamReadBytes = 16 << 10

    /// Creates the default limits.
    public init() {}
}
