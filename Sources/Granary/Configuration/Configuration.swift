public import HTTPServer
public import Log

/// Everything about a server that its operator can choose.
///
/// The properties' initial values are the defaults. What each key means, its unit and its
/// bounds are written once, in `ConfigurationKey.all`; `granary --help`, the environment's
/// names and `Config/defaults.json5` are made from that table.
public struct Configuration: Sendable, Equatable {
    /// Where the server listens, and the limits of a connection.
    public var http = HTTP()
    /// What one connection of HTTP/2 may ask.
    public var http2 = HTTP2()
    /// The port for TLS, and what the server proves itself with.
    public var tls = TLS()
    /// What is compressed for clients that ask for it.
    public var compression = Compression()
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

    /// Where the server listens, and the limits of a connection.
    public struct HTTP: Sendable, Equatable {
        /// Where to listen and what for; empty for `host` and `port`, and the port of TLS.
        public var listeners: [HTTPListener] = []
        /// The numeric address to listen on.
        public var host = "127.0.0.1"
        /// The TCP port to listen on; 0 lets the system choose one.
        public var port = 8080
        /// The number of event loops; 0 makes one a core.
        public var loops = 0
        /// Whether the loops share one thread while that is enough.
        public var sharesThreads = true
        /// Connections that may be open at once.
        public var maxConnections = 50_000
        /// Connections that one client may have at once; 0 for any number.
        public var maxConnectionsPerClient = 0
        /// Connections that one client may make a second; 0 for any number.
        public var maxNewConnectionsPerClient = 0
        /// The addresses and networks of proxies that speak the PROXY protocol.
        public var proxies: [String] = []
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
        public var bodyTimeout = Duration.seconds(10)
        /// How long a connection may stay open between two requests.
        public var idleTimeout = Duration.seconds(60)
        /// How long a client may take to read an answer over HTTP/1.1, beside a second for each 4 KiB that it reads.
        public var answerTimeout = Duration.seconds(10)
        /// How long a peer may take nothing of what is sent to it.
        public var writeTimeout = Duration.seconds(45)
        /// How long a shutdown waits for requests that are under way.
        public var drainTimeout = Duration.seconds(8)
        /// How long a new server may take to be ready to take over.
        public var takeoverTimeout = Duration.seconds(30)
        /// Whether the server's health is also told on listeners for the public.
        public var publicHealth = true
        /// The `Host` names that are answered, besides `localhost` and numeric addresses. If none is listed, every name is
        /// answered, unless all public listeners are loopback addresses. `*` is every name.
        public var allowedHosts: [String] = []
    }

    /// What one connection of HTTP/2 may ask. What is not here is shared with HTTP/1.1.
    public struct HTTP2: Sendable, Equatable {
        /// Whether HTTP/2 is also served in cleartext.
        public var cleartext = true
        /// Requests that one connection may have under way.
        public var maxStreams = 1000
        /// Bytes of all bodies of a connection that are not whole.
        public var maxUnfinishedBodyBytes = ByteCount.mebibytes(8)
        /// Bytes of one compressed head.
        public var maxHeaderBlockBytes = ByteCount.kibibytes(32)
        /// Further frames of one head.
        public var maxContinuations = 8
        /// Frames that wait for a client to read them.
        public var maxQueuedFrames = 1000
        /// Frames that may come at once with no work that comes of them.
        public var maxWorklessFrames = 2000
        /// How many of those are forgotten in a second.
        public var worklessFramesPerSecond = 50
        /// Requests that may be broken off at once before they are answered.
        public var maxResets = 200
        /// How many of those are forgotten in a second.
        public var resetsPerSecond = 20
        /// The age at which a connection takes no more requests.
        public var maxAge = Duration.seconds(86_400)
    }

    /// The port for TLS, and what the server proves itself with.
    public struct TLS: Sendable, Equatable {
        /// A version of the protocol, by its number.
        public enum Version: String, Sendable, CaseIterable {
            /// TLS 1.2.
            case v12 = "1.2"
            /// TLS 1.3.
            case v13 = "1.3"
        }

        /// Files with a certificate and its issuers each; TLS is spoken if there is one.
        public var certificates: [String] = []
        /// The files with their private keys, in the same order.
        public var privateKeys: [String] = []
        /// Whether TLS is spoken with a certificate that is made at the start.
        public var selfSigned = false
        /// The TCP port to speak TLS on; 0 lets the system choose one.
        public var port = 8443
        /// The oldest version that is spoken.
        public var minimumVersion = Version.v12
        /// How long a handshake may take.
        public var handshakeTimeout = Duration.seconds(10)
        /// A file with the issuers of clients' certificates; empty where clients are not asked.
        public var clientIssuers = ""
        /// Whether clients without a certificate are turned away.
        public var requiresClientCertificate = false
        /// How often is looked whether the files have changed.
        public var reloadInterval = Duration.seconds(10)
        /// Whether requests in cleartext are sent on to TLS.
        public var redirectsCleartext = false
        /// The port that they are sent on to; 0 for `port`.
        public var publicPort = 0
        /// How long browsers are told to use TLS only; zero tells them nothing.
        public var strictTransportSecurity = Duration.zero
    }

    /// How many sessions there may be, and what each remembers.
    public struct Sessions: Sendable, Equatable {
        /// Sessions that may live at once.
        public var maxSessions = 100_000
        /// Sessions that one client may have at once; 0 for any number.
        public var maxSessionsPerClient = 1_000
        /// Sessions that one client may create a second; 0 for any number.
        public var maxNewSessionsPerClient = 100
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
        public var idempotencyKeys = 1000
        /// How long an idempotency key is remembered.
        public var idempotencyWindow = Duration.seconds(600)
        /// The most bytes that one turn may produce, and that all outputs of a session may have.
        public var maxOutputBytes = ByteCount.mebibytes(16)
        /// The bytes that a session may retain.
        public var maxSessionBytes = ByteCount.mebibytes(32)
        /// The bytes that all sessions may retain.
        public var maxBytes = ByteCount.mebibytes(128)
        /// The bytes of keyed requests' responses that a session remembers.
        public var idempotencyBytes = ByteCount.kibibytes(256)
        /// The number of idempotency keys of new sessions that the server remembers.
        public var creationKeys = 20_000
        /// The turns that may follow each other without rest.
        public var turnsInARow = 10_000
        /// How long a turn takes that is logged.
        public var turnWarning = Duration.milliseconds(100)
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
