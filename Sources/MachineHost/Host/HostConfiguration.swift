/// The limits and times of a host. Times are kept to the second, but for ``retry``.
public struct HostConfiguration: Sendable {
    /// How many sessions there may be at once on all loops; over it, making one is answered with 503.
    public var maxSessions = 100_000
    /// How many sessions one client may have at once on all loops, `nil` for any number; over it, making one is answered
    /// with 429. A client is an IPv4 address or an IPv6 network of 64 bits. Peers with a loopback address and those of Unix
    /// sockets are not limited: a proxy on the same machine makes the sessions of all its clients.
    public var maxSessionsPerClient: Int? = 1_000
    /// How many sessions one client may make a second, as many at once among them, `nil` for any number; over it, making
    /// one is answered with 429.
    public var maxNewSessionsPerClient: Int? = 100
    /// How many streams may be open at once on all loops; over it, opening one is answered with 429.
    public var maxStreams = 100_000
    /// How many streams of one session may be open at once; over it, opening one is answered with 429.
    public var maxStreamsPerSession = 16
    /// After how long without a request and without a stream a session ends.
    public var idleExpiry = Duration.seconds(1800)
    /// How many changes a session remembers for those who come back.
    public var historyChanges = 128
    /// How many bytes of changes a session remembers. The newest one is remembered whatever its size.
    public var historyBytes = 4096
    /// The most bytes of JSON that one turn may produce: its change, a snapshot after it, and each of their values. A machine
    /// that shows more ends its session with an incident.
    public var maxOutputBytes = 16 << 20
    /// The bytes that a session may retain: what its outputs show, its history, keyed requests, and work that waits. Over it,
    /// inputs are answered with 507. The machine's own store cannot be measured; what it shows stands for it.
    public var maxSessionBytes = 32 << 20
    /// The bytes that all sessions may retain. Over it, new sessions and inputs with a body are answered with 503, sessions
    /// that retain little last.
    public var maxBytes = 128 << 20
    /// How many keyed requests a session remembers, by `Idempotency-Key`; over it, new keys are answered with 429. 0 turns
    /// the keys off, those of new sessions too.
    public var idempotencyKeys = 1000
    /// How many bytes of keyed requests' responses a session remembers; over it, new keys are answered with 429. A response
    /// of more than a quarter of it is remembered without its changes.
    public var idempotencyBytes = 256 << 10
    /// For how long it remembers each.
    public var idempotencyWindow = Duration.seconds(600)
    /// How many keyed requests for a new session are remembered on all loops, each for ``idempotencyWindow``; over it, new
    /// keys are answered with 429.
    public var creationKeys = 20_000
    /// After how long without an event a stream gets a comment.
    public var keepAlive = Duration.seconds(15)
    /// After how long a client that lost its stream is asked to come back.
    public var retry = Duration.milliseconds(2000)
    /// After how long a stream ends by itself, more or less a tenth; `nil` for never.
    public var streamLifetime: Duration? = .seconds(3600)
    /// How many inputs a batch may have.
    public var maxBatch = 100
    /// How deep arrays and objects may be nested in a body.
    public var maxNesting = 64
    /// How many turns may follow each other without rest. A turn that a client's input, a timer with a delay or an event
    /// from elsewhere causes begins anew; one that another turn has scheduled without a delay follows that one. The session
    /// of a machine that goes further ends with an incident.
    public var turnsInARow = 10_000
    /// A turn that takes at least this long is logged, with its machine and input.
    public var turnWarning = Duration.milliseconds(100)
    /// How many sessions that have ended are remembered on each loop, to say 410 and not 404.
    public var endedSessions = 10_000
    /// For how long they are remembered.
    public var endedWindow = Duration.seconds(3600)

    /// The defaults.
    public init() {}
}

extension HostConfiguration {
    /// What a session remembers of keyed inputs.
    var idempotencyLimits: IdempotencyWindow.Limits {
        IdempotencyWindow.Limits(
            requests: idempotencyKeys, bytes: idempotencyBytes, largestResponse: idempotencyBytes / 4,
            age: idempotencyWindow.ticks)
    }

    /// What one of so many loops remembers of keyed requests for new sessions.
    func creationLimits(loops: Int) -> IdempotencyWindow.Limits {
        let requests = (creationKeys + loops - 1) / loops
        return IdempotencyWindow.Limits(
            requests: requests, bytes: requests << 10, largestResponse: min(requests << 8, 4 << 10),
            age: idempotencyWindow.ticks)
    }
}
