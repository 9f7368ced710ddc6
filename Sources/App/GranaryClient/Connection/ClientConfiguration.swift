/// The limits and times of a client. The defaults suit an application that people use.
public struct ClientConfiguration: Sendable {
    /// How often and how fast the client tries again.
    public var retry = RetryPolicy()
    /// How long after its first attempt an input may be repeated with its key. It must be shorter than the server's
    /// `sessions.idempotencyWindow`, which is 10 minutes by default.
    public var keyRetention = Duration.seconds(540)
    /// How long the client waits for the response to one attempt.
    public var requestTimeout = Duration.seconds(30)
    /// How long the client waits for a renewed credential.
    public var credentialTimeout = Duration.seconds(60)
    /// How long a stream may be silent before it is opened again. It must be longer than the server's `stream.keepAlive`, which
    /// is 15 s by default.
    public var silence = Duration.seconds(45)
    /// The number of inputs of one session that may wait to be sent, including the one in flight.
    public var maxQueuedInputs = 100
    /// The number of changes that a slow reader of ``RemoteMachine/changes`` may be behind. After that, it gets the latest
    /// outputs in place of the changes.
    public var maxBufferedChanges = 128
    /// The size up to which a response or an event is received, in bytes.
    public var maxResponseBytes = 16 << 20

    /// Creates the default configuration.
    public init() {}
}
