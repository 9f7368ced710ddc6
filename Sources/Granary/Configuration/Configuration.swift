public import Log

/// Everything about a server that its operator can choose.
///
/// The properties' initial values are the defaults. What each key means, its unit and its
/// bounds are written once, in `ConfigurationKey.all`; `granary --help`, the environment's
/// names and `Config/defaults.json5` are made from that table.
public struct Configuration: Sendable, Equatable {
    /// The listening socket and the limits of a connection.
    public var http = HTTP()
    /// How many sessions there may be, and what each remembers.
    public var sessions = Sessions()
    /// The streams of changes.
    public var stream = Stream()
    /// The search service that the demo's search machine asks.
    public var github = GitHub()
    /// What is written to standard error.
    public var log = Logging()

    /// The defaults.
    public init() {}

    /// The listening socket and the limits of a connection.
    public struct HTTP: Sendable, Equatable {
        /// The numeric address to listen on.
        public var host = "127.0.0.1"
        /// The TCP port to listen on; 0 lets the system choose one.
        public var port = 8080
        /// The number of event loops; 0 makes one a core.
        public var loops = 0
        /// Connections that may be open at once.
        public var maxConnections = 50_000
        /// The largest request head, request line included.
        public var maxHeadBytes = ByteCount.kibibytes(16)
        /// The most header fields of a request.
        public var maxHeaderCount = 100
        /// The longest request target.
        public var maxTargetBytes = ByteCount.kibibytes(8)
        /// The largest request body.
        public var maxBodyBytes = ByteCount.mebibytes(1)
        /// How long a request's head may take to arrive.
        public var headTimeout = Duration.seconds(10)
        /// How long a request's body may take to arrive.
        public var bodyTimeout = Duration.seconds(20)
        /// How long a connection may stay open between two requests.
        public var idleTimeout = Duration.seconds(60)
        /// How long a peer may take nothing of what is sent to it.
        public var writeTimeout = Duration.seconds(45)
        /// How long a shutdown waits for requests that are under way.
        public var drainTimeout = Duration.seconds(8)
        /// The `Host` names that are answered; none listed means every one.
        public var allowedHosts: [String] = []
    }

    /// How many sessions there may be, and what each remembers.
    public struct Sessions: Sendable, Equatable {
        /// Sessions that may live at once.
        public var maxSessions = 100_000
        /// Streams that one session may have at once.
        public var maxStreamsPerSession = 16
        /// Streams that the server may have at once.
        public var maxStreams = 100_000
        /// How long a session lives without an input or a stream.
        public var idleExpiry = Duration.seconds(1800)
        /// The number of changes that a session remembers for streams that resume.
        public var historyChanges = 128
        /// The bytes of changes that a session remembers for streams that resume.
        public var historyBytes = ByteCount.kibibytes(4)
        /// The number of idempotency keys that a session remembers.
        public var idempotencyKeys = 64
        /// How long an idempotency key is remembered.
        public var idempotencyWindow = Duration.seconds(600)
    }

    /// The streams of changes.
    public struct Stream: Sendable, Equatable {
        /// The pause after which an idle stream gets a comment line.
        public var keepAlive = Duration.seconds(15)
        /// What clients are told to wait before they come back.
        public var retry = Duration.seconds(2)
        /// The age at which a stream is closed with `rotated`, give or take a random part.
        public var lifetime = Duration.seconds(3600)
    }

    /// The search service that the demo's search machine asks.
    public struct GitHub: Sendable, Equatable {
        /// The root of the service's HTTP interface.
        public var baseURL = "https://api.github.com"
        /// The token that is sent with each search.
        public var token = Secret()
        /// How long a search may take.
        public var timeout = Duration.seconds(10)
    }

    /// What is written to standard error.
    public struct Logging: Sendable, Equatable {
        /// The least severe level that is written.
        public var level = LogLevel.info
        /// One line of JSON or of text for each event.
        public var format = LogFormat.text
    }
}
