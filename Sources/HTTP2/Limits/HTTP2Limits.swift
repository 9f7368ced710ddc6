/// What one connection may ask of the server. The defaults hold on the open internet.
///
/// What a peer does over a limit of a request (its target, its fields, its body) gets that request refused; what it does
/// over a limit of the connection ends the connection with `ENHANCE_YOUR_CALM`.
public struct HTTP2Limits: Equatable, Sendable {
    // A request

    /// Bytes of `:path`; more is 414.
    public var targetBytes = 8 << 10
    /// Bytes of a request's fields once decoded, each counted with 32 more as RFC 9113 §6.5.2 has it; more is 431, and
    /// more than four times as much ends the connection.
    public var headBytes = 16 << 10
    /// Fields of a request, trailers on their own; more is 431, and more than four times as many ends the connection.
    public var fieldCount = 100
    /// Bytes of a request's content; more is 413.
    public var bodyBytes = 1 << 20

    // A connection

    /// Streams that are open at once. One more is refused (`REFUSED_STREAM`), or ends the connection where the client has
    /// acknowledged this limit.
    public var concurrentStreams = 1000
    /// Bytes that a client may send on a stream before it has to wait for the server.
    public var streamWindow = 64 << 10
    /// Bytes that a client may send on all streams together before it has to wait.
    public var connectionWindow = 1 << 20
    /// Bytes of all requests whose bodies are not whole yet, their heads as they are decoded; the stream that brings more
    /// is refused.
    public var unfinishedBodyBytes = 8 << 20
    /// Bytes of one encoded header block, over all of its frames. Part of one cannot be skipped, as later ones refer to
    /// it, so more ends the connection.
    public var headerBlockBytes = 32 << 10
    /// `CONTINUATION` frames of one header block.
    public var continuationFrames = 8
    /// Frames that wait to be sent beside those with content: answers to pings and settings, resets.
    public var queuedFrames = 1000

    /// Frames that may come at once without any work that comes of them: every frame takes one, and what brings work on
    /// (a whole request, content, an answer that is read) gives back.
    public var worklessFrames = 2000
    /// How many of ``worklessFrames`` come back in a second.
    public var worklessFramesPerSecond = 50
    /// Streams that may be reset at once, by the client before it was answered (CVE-2023-44487) or by the server because
    /// of what the client sent (CVE-2025-8671).
    public var resets = 200
    /// How many of ``resets`` come back in a second.
    public var resetsPerSecond = 20

    // Time

    /// How long the client's preface and first settings may take.
    public var handshakeTimeout = Duration.seconds(10)
    /// How long one header block may take.
    public var headTimeout = Duration.seconds(10)
    /// How long a body may take, beside a second for each ``bodyRate`` bytes that have come.
    public var bodyTimeout = Duration.seconds(10)
    /// The bytes a second that a body has to come at once ``bodyTimeout`` is used up.
    public var bodyRate = 4096
    /// How long a client may hold the window of an answer shut.
    public var stallTimeout = Duration.seconds(45)
    /// How long a connection may have no stream before it is drained.
    public var idleTimeout = Duration.seconds(60)
    /// How old a connection may get before it is drained, so that clients spread anew; shortened by up to a tenth, by a
    /// different part for each connection. `nil` for any age.
    public var maximumAge: Duration?
    /// How long a drained client may still open streams that were on their way when it was told.
    public var drainGrace = Duration.seconds(1)

    // Work

    /// Bytes that a body stream is asked for at a time.
    public var streamReadBytes = 16 << 10

    /// The defaults.
    public init() {}
}
