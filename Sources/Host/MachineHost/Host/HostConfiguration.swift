import HTTPModel

/// The limits and times of a host. Times have a resolution of one second, except ``retry`` and ``turnWarning``.
public struct HostConfiguration: Sendable {
    /// The maximum number of sessions in memory on all loops. Beyond it, creating or waking a session fails with 503.
    public var maxSessions = 100_000
    /// The maximum number of sessions of one client on all loops; nil for no limit. Beyond it, creating a session fails
    /// with 429.
    ///
    /// A client is an IPv4 address or an IPv6 network of 64 bits. Peers with a loopback address and peers of Unix
    /// sockets are not limited: a proxy on the same machine creates the sessions of all its clients.
    public var maxSessionsPerClient: Int? = 1_000
    /// The maximum number of sessions that one client may create per second, which is also the size of a burst; nil for
    /// no limit. Beyond it, creating a session fails with 429.
    public var maxNewSessionsPerClient: Int? = 100
    /// The maximum number of open streams on all loops. Beyond it, opening a stream fails with 429.
    public var maxStreams = 100_000
    /// The maximum number of open streams of one session. Beyond it, opening a stream fails with 429.
    public var maxStreamsPerSession = 16
    /// The time for which a session lives without a request and without a stream.
    public var idleExpiry = Duration.seconds(1800)
    /// The time for which a session stays in memory without a request or a change, if its machine may be released
    /// (``MachineDefinition/hibernates``); nil if sessions do not sleep.
    public var hibernateAfter: Duration? = .seconds(60)
    /// The maximum number of changes that a session keeps for streams that resume.
    public var historyChanges = 128
    /// The maximum number of bytes of changes that a session keeps. The newest change is always kept.
    public var historyBytes = 4096
    /// The maximum number of bytes of JSON that one turn may produce: its change, a snapshot after it, and each single
    /// value. A machine that exceeds it ends its session with an incident.
    public var maxOutputBytes = 16 << 20
    /// The maximum number of bytes that a session may retain: the values of its outputs, its history, remembered
    /// requests and scheduled blocks. Beyond it, inputs fail with 507. The machine's own memory cannot be measured; its
    /// outputs are used as an estimate.
    public var maxSessionBytes = 32 << 20
    /// The maximum number of bytes that all sessions together may retain. Beyond it, new sessions and inputs with a
    /// body fail with 503; small sessions are refused last.
    public var maxBytes = 128 << 20
    /// The maximum number of requests with an `Idempotency-Key` that a session remembers. Beyond it, new keys fail with
    /// 429. 0 disables keys, including those for new sessions.
    public var idempotencyKeys = 1000
    /// The maximum number of bytes of responses that a session remembers for its keys. Beyond it, new keys fail with
    /// 429. A response larger than a quarter of this limit is remembered without its changes.
    public var idempotencyBytes = 256 << 10
    /// The time for which a key is remembered.
    public var idempotencyWindow = Duration.seconds(600)
    /// The maximum number of keys for new sessions that all loops remember, each for ``idempotencyWindow``. Beyond it,
    /// new keys fail with 429.
    public var creationKeys = 20_000
    /// The time for which a stream may be silent before it sends a comment.
    public var keepAlive = Duration.seconds(15)
    /// The reconnection time that streams send to clients (`retry:`).
    public var retry = Duration.milliseconds(2000)
    /// The time for which a stream stays open, plus or minus a tenth; nil for no limit.
    public var streamLifetime: Duration? = .seconds(3600)
    /// The maximum number of inputs in a batch.
    public var maxBatch = 100
    /// The maximum nesting depth of arrays and objects in a body.
    public var maxNesting = 64
    /// The maximum number of turns that may cause each other without a pause. A turn that is caused by a client's
    /// input, by a timer with a delay or by an external event starts a new count; a turn that another turn scheduled
    /// without a delay continues the count. Beyond the limit, the session ends with an incident.
    public var turnsInARow = 10_000
    /// The limits of topics.
    public var topics = TopicLimits()
    /// Turns that take at least this long are logged, with their machine and input.
    public var turnWarning = Duration.milliseconds(100)
    /// The maximum number of ended sessions that each loop remembers, to answer 410 instead of 404.
    public var endedSessions = 10_000
    /// The time for which an ended session is remembered.
    public var endedWindow = Duration.seconds(3600)
    /// The seed of the random numbers of new sessions; nil for random ones. For tests that compare sessions.
    package var stateSeed: UInt64?

    /// The time for which the state of a session before a migration is kept, so that an older build restores it.
    public var revertWindow = Duration.seconds(86_400)
    /// The name of the build, which stored sessions contain.
    public var build = ""

    /// The keys with which sessions of machines with secrets are encrypted. Without keys (nil), such sessions end with the process.
    public var secretKeys: SecretKeys?

    /// Writes the documents that describe the host and its machines; nil if it has none.
    package var document: (@Sendable (HostDescription) -> [UInt8])?

    /// A stored session is stored as a whole after this many turns, or up to an eighth more, so that several are stored together. It
    /// decides how much is written in addition to the turns, how much restoring a session has to read, and how many turns operators can
    /// look back.
    public var turnsPerSnapshot = 256
    /// A stored session is stored as a whole after this many bytes of turns, if not after ``turnsPerSnapshot``.
    public var bytesPerSnapshot = 128 << 10

    /// Creates a configuration with the default values.
    public init() {}
}

extension HostConfiguration {
    /// The limits of a session's remembered inputs.
    var idempotencyLimits: IdempotencyWindow.Limits {
        IdempotencyWindow.Limits(
            requests: idempotencyKeys, bytes: idempotencyBytes, maxResponseBytes: idempotencyBytes / 4,
            age: idempotencyWindow)
    }

    /// The limits of what stored sessions remember.
    var storedLimits: StoredSession.Limits {
        StoredSession.Limits(
            history: History.Limits(changes: historyChanges, bytes: historyBytes),
            requestAge: idempotencyWindow.wholeMilliseconds)
    }

    /// Returns the limits of the remembered session creations on each of a number of loops.
    func creationLimits(loops: Int) -> IdempotencyWindow.Limits {
        assert(loops > 0, "expected at least one loop, got \(loops)")
        let requests = (creationKeys + loops - 1) / loops
        return IdempotencyWindow.Limits(
            requests: requests, bytes: requests << 10, maxResponseBytes: min(requests << 8, 4 << 10),
            age: idempotencyWindow)
    }
}
